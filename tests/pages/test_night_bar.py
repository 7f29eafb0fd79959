"""The bar of today's event on a player's pages at the store: my card, my fleets and their builder, the rules."""

import re
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.pages.test_my_card import first, move
from tests.support.nights import BY, Night, make_night
from tests.support.phones import phone_of
from tourney import access
from tourney.actions import entrants, fleets
from tourney.models import Event, Fleet
from tourney.queries.my_card import tonight_of

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


# several events on one day


@pytest.fixture
def two(night) -> tuple[Night, Night]:
    """Two events of today that the same player is in."""
    other = make_night(players=0, store=night.store)
    move(other, days=0)
    entrants.register(other.event, [(first(night).name, "Klingon")], by=BY)
    assert other.event.entrants.get().player == first(night)
    return night, other


def event_in(page) -> str:
    """Whose bar the page has."""
    return re.search(r'href="/e/([^/]+)/me/"', nav_of(page))[1]


@pytest.mark.parametrize(("hour", "place"), [(9, 0), (14, 0), (21, 1)])
def test_of_two_events_on_one_day_it_is_that_of_the_one_that_began_last_or_begins_first(two, hour, place):
    noon, evening = two
    for one, starts in ((noon, 12), (evening, 19)):
        Event.objects.filter(pk=one.event.pk).update(starts_at=datetime(2026, 11, 20, starts, tzinfo=UTC))

    tonight = tonight_of(first(noon), datetime(2026, 11, 20, hour, tzinfo=UTC))

    assert tonight == two[place].event


@pytest.mark.parametrize("page", ["me", "event", "standings"])
def test_of_two_events_on_one_day_the_bar_is_that_of_the_one_that_was_looked_at_last(two, page):
    phone, tags = phone_of(first(two[0])), {}
    phone.get(reverse("me", args=[two[0].event.slug]))  # its forms have their cookie from here on
    for _ in range(2):
        for one in two:
            slug = one.event.slug
            answer = phone.get(reverse(page, args=[slug]), headers={"If-None-Match": tags.get(slug, "")})
            assert answer.status_code == (304 if slug in tags else 200)
            tags[slug] = answer.headers["ETag"]

            for name in PAGES:
                assert event_in(phone.get(address(one, name))) == slug
            shortcut = phone.get(reverse("tonight", args=[one.store.slug, "table"]))
            assert shortcut.headers["Location"] == reverse("me", args=[slug])


def test_nothing_is_remembered_for_guests_and_what_was_is_of_its_day_only(two):
    night, other = two
    guest, phone = Client(), phone_of(first(night))
    assert access.LAST_EVENT not in guest.get(reverse("event", args=[night.event.slug])).cookies
    phone.get(reverse("me", args=[other.event.slug]))
    move(other, days=7)

    assert event_in(phone.get(address(night, "my_fleets"))) == night.event.slug
