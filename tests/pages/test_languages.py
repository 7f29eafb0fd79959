"""In which language a page is: the one chosen, else the one asked for; what is kept for many keeps them apart."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.html import escape

from tests.support.built_fleets import bring
from tests.support.longer import speak_longer_french
from tests.support.nights import BY, make_night, make_store
from tests.support.phones import phone_of
from tests.support.pseudo import pseudo
from tourney.actions import player_cards
from tourney.printing.domain.poster import draw, sheets
from tourney.printing.queries.poster import poster_of
from tourney.runtime import locales
from tourney.runtime.messages import message
from tourney.views.live_parts import parts_for, reader_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def languages(settings):
    """English, and French with no sentences but those that Django brings: its months."""
    settings.LANGUAGES = [("en", "English"), ("fr", "Français")]
    with translation.override("en"):
        yield
    locales.activate(locales.USUAL)


@pytest.fixture
def address() -> str:
    return reverse("event", args=[make_night(players=4).event.slug])


@pytest.mark.parametrize(
    ("cookie", "accepted", "language"),
    [
        ("", "", "en"),
        ("", "fr-CA,fr;q=0.9,en;q=0.1", "fr"),
        ("", "ja", "en"),
        ("", "en;q=0.2,fr;q=0.9", "fr"),
        ("fr", "en", "fr"),
        ("en", "fr", "en"),
        ("xx", "fr", "fr"),
        ("../fr", "garbage;;q=", "en"),
    ],
)
def test_a_page_is_in_the_language_chosen_or_else_asked_for(address, cookie, accepted, language):
    client = Client(headers={"Accept-Language": accepted})
    if cookie:
        client.cookies["language"] = cookie

    page = client.get(address)

    assert page["Content-Language"] == language
    assert f'<html lang="{language}"' in page.content.decode()
    assert "Accept-Language" in page["Vary"]


def test_a_page_of_another_language_is_another_page(address):
    tags = {accepted: Client(headers={"Accept-Language": accepted}).get(address)["ETag"] for accepted in ("en", "fr")}

    assert tags["en"] != tags["fr"]
    for accepted, status in (("fr", 304), ("en", 200)):
        headers = {"Accept-Language": accepted, "If-None-Match": tags["fr"]}
        assert Client(headers=headers).get(address).status_code == status


def test_what_is_kept_for_all_is_kept_for_all_of_a_language(address):
    pages = [Client(headers={"Accept-Language": accepted}).get(address).content.decode() for accepted in ("fr", "en")]

    assert ["novembre" in page for page in pages] == [True, False]


@pytest.mark.django_db(transaction=True)
def test_a_stream_brings_its_part_in_the_language_of_its_reader(address):
    slug = address.split("/")[2]
    readers = [
        reader_of(slug, address, host="localhost", scheme="http", language=language, cookies={})
        for language in ("fr", "en")
    ]

    _, parts = parts_for(slug, readers)

    assert readers[0] != readers[1]
    assert ["novembre" in "".join(map(str, part)) for part in parts] == [True, False]


def test_a_message_is_said_in_the_language_that_is_active():
    with translation.override("fr"):
        assert str(message("November")) == "novembre"
    assert str(message("November")) == "November"


def chosen(client: Client, code: str, **more: str):
    return client.post(reverse("language"), {"language": code, "next": "/", **more})


@pytest.mark.parametrize("offered", [["en"], ["en", "fr"]])
def test_the_footer_offers_the_languages_where_there_are_several(address, settings, offered):
    settings.LANGUAGES = [one for one in settings.LANGUAGES if one[0] in offered]

    page = Client().get(address).content.decode()

    pairs = re.findall(r'name="language"\s+value="(\w+)"\s+lang="(\w+)"', page)
    assert pairs == [(code, code) for code in offered if len(offered) > 1]


@pytest.mark.parametrize(
    ("back", "leads_to"),
    [("/cards/?q=vor", "/cards/?q=vor"), ("https://elsewhere.example/", "/"), ("//elsewhere.example/", "/"), ("", "/")],
)
def test_what_was_chosen_is_spoken_on_this_device_from_then_on(address, back, leads_to):
    client = Client(headers={"Accept-Language": "en"})

    answer = chosen(client, "fr", next=back)

    assert (answer.status_code, answer["Location"]) == (302, leads_to)
    assert client.get(address)["Content-Language"] == "fr"


def test_a_language_that_there_is_none_of_is_not_found():
    assert [chosen(Client(), code).status_code for code in ("xx", "", "../en")] == [404] * 3


def test_the_language_goes_with_the_card_to_another_phone_and_to_the_next_card():
    night = make_night(players=2)
    first, other = (night.event.entrants.get(number=number).player for number in (1, 2))
    phone, foreign = phone_of(first), phone_of(other)
    chosen(phone, "fr")

    key = player_cards.issue(first, by=BY)
    new, decided = Client(), Client()
    decided.cookies["language"] = "en"
    for client in (new, decided):
        client.post(reverse("card", args=[key]))

    page = reverse("event", args=[night.event.slug])
    assert [client.get(page)["Content-Language"] for client in (new, decided, foreign)] == ["fr", "en", "en"]


def test_screens_and_paper_speak_the_language_of_the_store():
    store, users = make_store(locale="fr_CA")
    night = make_night(players=2, store=store)
    fleet = bring(night.event, 1)
    reader = Client(headers={"Accept-Language": "en"})
    reader.force_login(users["owner"])
    slug, campaign = [night.event.slug], [store.slug, night.campaign.slug]
    pages = {name: reverse(name, args=slug) for name in ("event", "print_centre", "wall", "paper", "blank_sheet")}
    pages["paper"] += "?doc=signatures"
    pages |= {name: reverse(name, args=campaign) for name in ("poster", "poster_svg")}
    pages["fleet_sheet"] = reverse("fleet_sheet", args=[store.slug, fleet.pk])

    spoken = {name: reader.get(page)["Content-Language"] for name, page in pages.items()}

    readers = dict.fromkeys(("event", "print_centre"), "en")
    assert spoken == readers | dict.fromkeys(pages.keys() - readers.keys(), "fr")


def test_cards_are_printed_in_the_language_of_the_store_and_chosen_in_that_of_the_desk():
    store, users = make_store(locale="fr_CA")
    night = make_night(players=2, store=store)
    desk, address = Client(headers={"Accept-Language": "en"}), reverse("print_cards", args=[night.event.slug])
    desk.force_login(users["owner"])
    players = list(night.event.entrants.values_list("player", flat=True))

    assert desk.get(address)["Content-Language"] == "en"
    assert desk.post(address, {"player": players})["Content-Language"] == "fr"


def test_the_words_of_the_poster_are_measured_after_they_were_translated(request):
    store, _ = make_store(locale="fr_CA")
    night = make_night(players=7, rounds=3, finish=True, pack="dominion-war-5", store=store)
    speak_longer_french(request)
    address = reverse("poster_svg", args=[store.slug, night.campaign.slug])

    answer = Client(headers={"Accept-Language": "en"}).get(address)
    with translation.override("fr"):
        drawing = draw(poster_of(night.campaign, timezone.now()), sheets("letter"))

    written = {text.words for text in drawing.texts}
    assert {pseudo("Victorious").upper(), pseudo("Victories").upper()} <= written
    assert {f">{escape(words)}</text>" for words in written} <= set(
        re.findall(r">[^<>]*</text>", answer.content.decode())
    )
    assert [text.words for text in drawing.texts if text.left + text.width > text.room.right] == []
