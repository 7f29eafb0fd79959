"""The bar of today's event on a player's pages at the store: my card, my fleets and their builder, the rules."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.pages.test_my_card import first, move
from tests.support.nights import BY, Night, make_night
from tests.support.phones import phone_of
from tourney.actions import fleets
from tourney.models import Event, Fleet

pytestmark = pytest.mark.django_db

BAR = ["My table", "Overview", "Pairings", "Standings", "More"]
PAGES = {
    "my_card": "My events, code and data",
    **dict.fromkeys(("my_fleets", "fleet", "import_fleets", "own_sets"), "My fleets"),
    **dict.fromkeys(("store_judge", "store_rulings", "store_dice"), "Rules"),
}
"""Each with what is marked as current under "More"."""


@pytest.fixture
def night() -> Night:
    """Round 1 in play, today; the first player has a fleet."""
    night = make_night(players=4, open_round=True)
    move(night, days=0)
    fleets.make_fleet(first(night), "Spare", by=BY)
    return night


def address(night: Night, name: str) -> str:
    fleet = [Fleet.objects.get().pk] if name == "fleet" else []
    return reverse(name, args=[night.store.slug, *fleet])


def nav_of(page) -> str:
    return re.search(r'<nav class="app-nav" id="bar".*?</nav>', page.text, re.DOTALL)[0]


def texts(found: list[str]) -> list[str]:
    return [" ".join(re.sub(r"<[^>]*>", "", text).split()) for text in found]


def bar(page) -> list[str]:
    """What the bar says, with "More" but without what is under it."""
    nav = re.sub(r'<div class="bar-menu">.*?</div>', "", nav_of(page), flags=re.DOTALL)
    return texts(re.findall(r"<(?:a|summary)\b[^>]*>(.*?)</(?:a|summary)>", nav, re.DOTALL))


def marked(page) -> list[str]:
    return texts(re.findall(r'<a\b[^>]*aria-current="page"[^>]*>(.*?)</a>', nav_of(page), re.DOTALL))


@pytest.mark.parametrize("name", PAGES)
def test_every_page_of_a_player_at_the_store_has_the_bar_of_the_event_of_today(night, name):
    page = phone_of(first(night)).get(address(night, name))

    assert bar(page) == BAR
    assert f'href="{reverse("me", args=[night.event.slug])}"' in page.text
    assert "css/phone.css" in page.text
    assert "css/line.css" not in page.text
    assert marked(page) == [PAGES[name]]


@pytest.mark.parametrize("name", PAGES)
def test_without_an_event_of_today_there_is_the_header_of_the_store(night, name):
    move(night, days=7)

    page = phone_of(first(night)).get(address(night, name))

    assert "Pairings" not in bar(page)
    assert "with-bar" not in page.text


def test_the_rules_that_were_opened_from_an_event_of_mine_keep_its_bar_on_any_day(night):
    move(night, days=7)
    phone, rules = phone_of(first(night)), address(night, "store_judge")

    assert bar(phone.get(rules, {"event": night.event.slug})) == BAR
    for wrong in ("", "nothing", "\0", "é"):
        assert "with-bar" not in phone.get(rules, {"event": wrong}).text


def test_an_event_that_is_not_mine_lends_no_bar(night):
    move(night, days=7)
    other = make_night(players=2, store=night.store)
    only_here = night.event.entrants.get(number=4).player

    page = phone_of(only_here).get(address(night, "store_judge"), {"event": other.event.slug})

    assert "with-bar" not in page.text


def test_guests_and_staff_have_no_bar_there(night):
    assert "with-bar" not in Client().get(address(night, "store_judge")).text
    phone = phone_of(first(night))
    phone.force_login(night.organizer)
    assert "with-bar" not in phone.get(address(night, "my_fleets")).text


@pytest.mark.parametrize("over", ["finished_at", "canceled_at"])
def test_a_finished_or_canceled_event_lends_no_bar(night, over):
    Event.objects.update(**{over: night.event.starts_at})

    assert "with-bar" not in phone_of(first(night)).get(address(night, "my_fleets")).text


@pytest.mark.parametrize("name", ["my_card", "my_fleets", "fleet", "store_rulings"])
def test_the_bar_asks_the_same_however_large_the_event_is(name):
    counts = set()
    for players in (4, 12):
        night = make_night(players=players, open_round=True)
        move(night, days=0)
        fleets.make_fleet(first(night), "Spare", by=BY)
        phone = phone_of(first(night))
        where = reverse(name, args=[night.store.slug, *([Fleet.objects.latest("pk").pk] if name == "fleet" else [])])
        phone.get(where)
        with CaptureQueriesContext(connection) as asked:
            assert bar(phone.get(where)) == BAR
        counts.add(len(asked))
    assert len(counts) == 1
