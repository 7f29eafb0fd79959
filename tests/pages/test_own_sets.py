"""The sets that a player owns: chosen once, kept with the card, and what the builder looks in."""

import pytest
from django.test import Client
from django.urls import reverse

from fleets.catalogue import known_sets, take_over
from fleets.domain.cards import CardKind
from fleets.domain.space_dock import Catalogue, CatalogueEntry
from tests.support.built_fleets import bring
from tests.support.fleets_for_tests import card
from tests.support.nights import BY, Night, make_night
from tests.support.phones import phone_of, phone_with
from tourney.actions import player_cards, store_players
from tourney.models import HouseRuling, PlayerCard
from tourney.queries.my_data import data_of

pytestmark = pytest.mark.django_db

SETS = {"Quill": ("Wave 1: Kestrel", "Box"), "Brine": ("Wave 2: Lark",), "Rook": ()}


@pytest.fixture
def night() -> Night:
    entries = (CatalogueEntry(card(CardKind.CREW, title, 3), None, sets) for title, sets in SETS.items())
    take_over(Catalogue("1", tuple(entries)), source="test")
    return make_night(players=2)


@pytest.fixture
def phone(night) -> Client:
    return phone_of(night.event.entrants.get(number=1).player)


def save(phone: Client, night: Night, *sets: str, back: object = "") -> str:
    return phone.post(reverse("own_sets", args=[night.store.slug]), {"set": sets, "back": back})["Location"]


def offered(phone: Client, night: Night, **asked: str) -> set[str]:
    fleet = bring(night.event, 1)
    page = phone.get(reverse("fleet", args=[night.store.slug, fleet.pk]), {"add": "1", "kind": "crew", **asked})
    return {one.card.title for one in page.context["adding"].found}


def test_sets_are_listed_by_series_with_their_cards(night):
    assert [(one.series, one.name, one.cards) for one in known_sets()] == [
        ("Box", "Box", 1),
        ("Wave 1", "Kestrel", 1),
        ("Wave 2", "Lark", 1),
    ]


def test_only_cards_of_ones_own_sets_are_looked_for_once_they_are_chosen(night, phone):
    before = offered(phone, night)
    save(phone, night, "Wave 1: Kestrel", "of another world")
    own = offered(phone, night), offered(phone, night, q="brine"), offered(phone, night, set="Wave 2: Lark")

    assert before == {"Quill", "Brine", "Rook"}
    assert own == ({"Quill"}, set(), {"Brine"})
    assert PlayerCard.objects.get().sets == ["Wave 1: Kestrel"]


def test_the_switch_stays_as_it_was_left(night, phone):
    save(phone, night, "Wave 2: Lark")
    fleet = bring(night.event, 1)
    builder = reverse("fleet", args=[night.store.slug, fleet.pk])
    seen = []
    for only in ({}, {"only": "on"}):
        answer = phone.post(builder, {"do": "only_own", "add": "1", "kind": "crew", **only})
        assert answer["Location"] == f"{builder}?add=1&kind=crew#adding"
        page = phone.get(builder, {"add": "1", "kind": "crew"})
        seen.append({one.card.title for one in page.context["adding"].found})

    assert seen == [{"Quill", "Brine", "Rook"}, {"Brine"}]


@pytest.mark.parametrize(
    ("back", "leads_to"), [("7", "fleets/7/"), ("", "fleets/"), ("x", "fleets/"), ("9" * 20, "fleets/")]
)
def test_from_the_builder_one_comes_back_to_it(night, phone, back, leads_to):
    assert save(phone, night, back=back) == f"/s/{night.store.slug}/{leads_to}"


def test_the_sets_go_with_the_player_and_nobody_else_sees_them(night, phone):
    player = night.event.entrants.get(number=1).player
    save(phone, night, "Wave 2: Lark")
    page = reverse("own_sets", args=[night.store.slug])
    new = phone_with(player_cards.issue(player, by=BY), player)
    ticked = [new.get(page).content.decode().count("checked"), Client().get(page).status_code]

    kept = data_of(player, BY.at)["sets"]
    store_players.erase(player, by=BY)

    assert (ticked, kept) == ([1, 404], ["Wave 2: Lark"])
    assert not PlayerCard.objects.exists()


@pytest.mark.parametrize(
    ("asked", "titles"),
    [
        ({"faction": "KLI"}, set()),
        ({"faction": "nobody"}, {"Quill", "Brine", "Rook"}),
        ({"cost": "3"}, {"Quill", "Brine", "Rook"}),
        ({"cost": "4"}, set()),
        ({"cost": "x"}, {"Quill", "Brine", "Rook"}),
        ({"set": "Box"}, {"Quill"}),
        ({"set": "\0"}, {"Quill", "Brine", "Rook"}),
        ({"set": "Box", "q": "brine"}, set()),
    ],
)
def test_filters_leave_what_fits_and_stay_when_a_card_is_added(night, phone, asked, titles):
    assert offered(phone, night, **asked) == titles


def test_a_line_leads_to_its_card_and_the_rulings_of_the_store(night, phone):
    HouseRuling.objects.create(store=night.store, number=1, topic="Quill", text="Quill plays on.")
    HouseRuling.objects.create(store=night.store, number=2, topic="Lark", text="Not this one.")
    link = reverse("card_by_key")

    page = phone.get(link, {"key": "Quill", "at": night.store.slug}, follow=True)
    alone = phone.get(link, {"key": "Quill"}, follow=True)

    text = page.content.decode()
    assert ("Quill plays on." in text, "Not this one." in text) == (True, False)
    assert "Quill plays on." not in alone.content.decode()
    assert [phone.get(link, asked).status_code for asked in ({"key": "Nobody"}, {}, {"key": "\0"})] == [404] * 3
    assert phone.get(page.redirect_chain[-1][0].partition("?")[0], {"at": "nowhere"}).status_code == 404
