"""The catalogue for everyone, without signing in."""

from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from fleets.catalogue import take_over
from fleets.domain.space_dock import read_catalogue
from fleets.models import CatalogueCard
from fleets.starter import load
from tests.support.fleets_for_tests import shared
from tests.support.longer import speak_longer_french
from tests.support.nights import make_store
from tests.support.pseudo import pseudo
from tourney.judge.queries.cards import mentioning

pytestmark = pytest.mark.django_db


def text(response) -> str:
    return " ".join(unescape(response.content.decode()).split())


def found(client: Client, **asked) -> set[str]:
    page = client.get(reverse("browse_cards"), asked)
    assert page.status_code == 200
    return {line.card.title for line in page.context["browsed"].lines}


@pytest.mark.parametrize(
    ("asked", "fits"),
    [
        ({"faction": "KLI"}, lambda card: card.has_faction("KLI")),
        ({"kind": "captain"}, lambda card: card.kind == "captain"),
        ({"cost": "4"}, lambda card: card.cost == 4),
        (
            {"faction": "FED", "kind": "ship", "q": "enterprise"},
            lambda card: card.ship_class and "FED" in card.factions,
        ),
    ],
)
def test_filters_leave_the_cards_that_fit(client, asked, fits):
    load()
    lines = client.get(reverse("browse_cards"), asked).context["browsed"].lines

    assert lines
    assert all(fits(line.card) for line in lines)


def test_a_release_leaves_its_cards(client):
    take_over(read_catalogue(shared("spacedock-Data.xml")), source="a")
    day = CatalogueCard.objects.exclude(released=None).first().released
    page = client.get(reverse("browse_cards"), {"released": str(day)})

    assert page.context["browsed"].total == CatalogueCard.objects.filter(released=day).count()


@pytest.mark.parametrize("asked", [{"faction": "X"}, {"cost": "-1"}, {"released": "soon"}, {"page": "x"}, {"q": "\0"}])
def test_nonsense_is_no_filter(client, asked):
    load()

    assert client.get(reverse("browse_cards"), asked).context["browsed"].total == CatalogueCard.objects.count()


def test_cards_are_found_as_people_type_them(client):
    take_over(read_catalogue(shared("spacedock-Data.xml")), source="a")

    assert "Miles O'Brien" in found(client, q="obrien")
    assert found(client, q="no such card") == set()


@pytest.mark.parametrize("page", ["1", "17", "999"])
def test_no_page_of_the_real_catalogue_is_large(client, page):
    take_over(read_catalogue(shared("spacedock-Data.xml")), source="a")
    answer = client.get(reverse("browse_cards"), {"page": page})

    assert len(answer.content) < 100_000
    assert "1577 cards" in text(answer)


def test_with_htmx_the_found_cards_come_alone(client):
    load()
    answer = client.get(reverse("browse_cards"), {"q": "x"}, headers={"HX-Request": "true", "HX-Target": "found"})

    assert answer.content.decode().strip().startswith('<div id="found"')


def test_a_card_has_a_page_with_its_rules_for_building(client):
    take_over(read_catalogue(shared("spacedock-Data.xml")), source="a")
    row = next(row for row in CatalogueCard.objects.all() if "one per ship" in row.card.rules)
    page = text(client.get(reverse("card_page", args=[row.pk])))

    assert row.title in page
    assert "One per ship." in page
    assert f"<dt>Cost</dt> <dd> {row.cost} SP" in page


def test_cards_are_browsed_and_their_rules_read_in_the_language_of_the_reader(client, settings, request):
    settings.LANGUAGES = [("en", "English"), ("fr", "Français")]
    speak_longer_french(request)
    take_over(read_catalogue(shared("spacedock-Data.xml")), source="a")
    row = next(row for row in CatalogueCard.objects.all() if "one per ship" in row.card.rules)
    french = {"accept-language": "fr"}

    assert pseudo("One per ship.") in text(client.get(reverse("card_page", args=[row.pk]), headers=french))
    assert pseudo("Any faction") in text(client.get(reverse("browse_cards"), headers=french))


@pytest.mark.parametrize("number", [0, 2**63])
def test_a_card_that_is_not_there_is_no_page(client, number):
    assert client.get(f"/cards/{number}/").status_code == 404


def test_rulings_that_mention_a_card_have_its_title_word_by_word():
    assert mentioning("Q") == ()
    assert mentioning("No such title anywhere") == ()
    assert all("cloaking device" in f"{one.topic} {one.text}".casefold() for one in mentioning("Cloaking Device"))


@pytest.mark.parametrize("name", ["packs", "cards"])
def test_the_catalogue_is_found_from_packs_and_cards_and_keeps_the_store(client, name):
    load()
    store, users = make_store()
    client.force_login(users["organizer"])
    browse = f"{reverse('browse_cards')}?at={store.slug}"
    page = client.get(browse)
    card = f"{reverse('card_page', args=[page.context['browsed'].lines[0].number])}?at={store.slug}"

    assert f'href="{browse}"' in client.get(reverse(name, args=[store.slug])).text
    assert f'href="{card}"' in page.text
    assert all(f'href="{reverse("store_players", args=[store.slug])}"' in one.text for one in (page, client.get(card)))
    assert f'href="{browse}"' in client.get(card).text


def test_filters_and_pages_of_the_catalogue_keep_the_store(client):
    take_over(read_catalogue(shared("spacedock-Data.xml")), source="a")
    store, _ = make_store()
    page = client.get(reverse("browse_cards"), {"at": store.slug, "kind": "captain"}).text

    assert f'name="at" value="{store.slug}"' in page
    assert f"?at={store.slug}&amp;kind=captain&amp;page=2" in page


def test_at_no_store_there_is_no_catalogue(client):
    assert client.get(reverse("browse_cards"), {"at": "nowhere"}).status_code == 404
