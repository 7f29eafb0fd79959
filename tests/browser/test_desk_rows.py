"""The rows of the desk: names have their line, and what is seldom needed takes none away."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_at_the_table import sign_in
from tests.support.browsing import LAPTOP, PHONE, assert_accessible
from tests.support.clicking import look_at
from tests.support.nights import BY, make_night
from tourney.actions import joining, rounds
from tourney.actions.joining import Sender
from tourney.models import Player
from tourney.queries.joining import MANY

pytestmark = pytest.mark.django_db(transaction=True)

LONG = "Captain Wilhelmina Featherstonehaugh of the Outer Harbors"
LINES = "links => links.map(link => link.querySelector('b').getClientRects().length)"
HEIGHTS = "rows => rows.map(row => row.getBoundingClientRect().height)"


@pytest.mark.nightly
@pytest.mark.many
@pytest.mark.parametrize("page", ["", "rounds/2/"], ids=["desk", "round"])
def test_no_name_is_broken_on_a_phone(open_page, server: str, page: str):
    desk = at(page, open_page(PHONE), server)

    assert max(desk.locator(".pairings-desk .side-name").evaluate_all(HEIGHTS)) < 30
    look_at(desk)


@pytest.mark.nightly
def test_a_row_is_as_high_as_its_two_names_on_a_laptop(open_page, server: str):
    desk = at("", open_page(LAPTOP), server)

    rows = desk.locator(".pairing:not(:has(.rulings, .pairing-note))")
    assert max(rows.evaluate_all(HEIGHTS)) < 90
    look_at(desk)


def at(page: str, desk: Page, server: str) -> Page:
    """That page of the desk of thirteen players, half of whose tables have a result."""
    night = make_night(players=13, rounds=1, open_round=True, tables=3)
    sign_in(desk, night, night.organizer, server)
    desk.goto(f"/e/{night.event.slug}/desk/{page}")
    return desk


@pytest.mark.many
@pytest.mark.parametrize("page", ["", "rounds/1/", "rounds/1/tables/1/", "rounds/1/tables/1/ruling/", "arrivals/1/"])
def test_the_longest_name_makes_no_page_of_the_desk_wider_than_the_phone(open_page, server: str, page: str):
    night = make_night(players=2, open_round=True)
    Player.objects.filter(entries__event=night.event, entries__number=1).update(name=LONG)
    desk = sign_in(open_page(PHONE), night, night.organizer, server)
    desk.goto(f"/e/{night.event.slug}/desk/{page}")

    assert desk.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]


@pytest.mark.nightly
def test_what_comes_next_stays_in_one_line_on_a_phone(open_page, server: str):
    night = make_night(players=4)
    rounds.pair_round(night.event, seed=1, by=BY)
    rounds.publish_round(night.event, 1, by=BY)
    desk = sign_in(open_page(PHONE), night, night.organizer, server)

    assert desk.get_by_role("button", name="Start the clock").bounding_box()["height"] < 64


@pytest.mark.many
@pytest.mark.parametrize("device", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_what_follows_a_players_name_stays_in_one_line(open_page, server: str, device: dict):
    night = make_night(players=2)
    for name in ("Quill", LONG, *(f"Bot {number}" for number in range(MANY["device"]))):
        joining.join(night.event, (name, "Klingon"), by=BY, sender=Sender("network", "device"))
    desk = sign_in(open_page(device), night, night.organizer, server)
    desk.goto(f"/e/{night.event.slug}/desk/players/")

    assert max(desk.locator(".row-end").evaluate_all(HEIGHTS)) < 60
    assert max(desk.locator(".row-text a").evaluate_all(LINES)) <= 2
    assert desk.evaluate("document.documentElement.scrollWidth") == device["viewport"]["width"]
    assert_accessible(desk)


@pytest.mark.nightly
def test_whoever_reviews_many_players_on_a_phone_has_the_button_in_sight(open_page, server: str):
    night = make_night(players=0)
    for number in range(MANY["network"]):
        joining.join(night.event, (f"Guest {number}", ""), by=BY, sender=Sender("network", f"phone {number}"))
    desk = sign_in(open_page(PHONE), night, night.organizer, server)
    desk.goto(f"/e/{night.event.slug}/desk/players/crowds/")

    expect(desk.get_by_role("button", name="Remove selected")).to_be_in_viewport(ratio=1)
    assert_accessible(desk)
