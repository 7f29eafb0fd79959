"""An organizer alone at the counter when the night goes wrong: what is looked for is in reach, nothing in the way."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_live import server, sign_in, watch  # noqa: F401
from tests.support.clicking import look_at, press
from tests.support.nights import BY, make_night
from tourney.actions import rounds
from tourney.models import Event
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.nightly
def test_minutes_are_given_to_a_clock_that_was_seen_to_be_paused_by_somebody_else(laptop: Page, server: str):  # noqa: F811
    """The form stands still while the clock above it follows: what the page shows is what was seen."""
    night = make_night(players=4, open_round=True)
    sign_in(laptop, server, night.organizer)
    watch(laptop, f"/e/{night.event.slug}/desk/")
    laptop.get_by_text("Add or remove minutes").click()
    laptop.get_by_label("Minutes", exact=True).fill("7")

    rounds.pause_clock(night.event, 1, by=BY)
    expect(laptop.locator("#clock")).to_contain_text("Paused")
    left = state_of(night.event).last_round.row.paused_seconds_left
    laptop.get_by_role("button", name="Change the clock").click()

    expect(laptop.locator("#now")).to_contain_text("Round 1 clock: 7 minutes added.")
    assert state_of(night.event).last_round.row.paused_seconds_left - left == 7 * 60


@pytest.mark.nightly
def test_every_way_of_a_seated_player_is_on_the_first_screen_of_a_phone(phone: Page, server: str):  # noqa: F811
    night = make_night(players=5, open_round=True)
    sign_in(phone, server, night.organizer)
    phone.goto(f"/e/{night.event.slug}/desk/")

    late = phone.get_by_role("link", name="Late arrivals & drops")
    expect(late).to_be_in_viewport(ratio=1)
    late.click()
    seated = state_of(night.event).last_round.match_at(1).a
    phone.locator("#everybody").get_by_role("link", name=str(seated), exact=True).click()

    ways = phone.get_by_role("navigation", name="Options").get_by_role("link")
    expect(ways).to_have_count(6)
    for way in ways.all():
        expect(way).to_be_in_viewport(ratio=1)
    look_at(phone)
    ways.last.click()
    expect(phone.get_by_role("button", name="Save change")).to_be_in_viewport(ratio=1)
    look_at(phone)


def test_no_seat_moves_under_the_finger_that_picks_a_player(phone: Page, server: str):  # noqa: F811
    night = make_night(players=7)
    rounds.pair_round(night.event, seed=1, by=BY)
    sign_in(phone, server, night.organizer)
    phone.goto(f"/e/{night.event.slug}/desk/rounds/1/")
    before = places_of(phone)

    phone.locator("#board .seat").first.click()
    expect(phone.locator(".board-bar")).to_be_visible()

    assert places_of(phone) == before
    look_at(phone)


def places_of(page: Page) -> dict[str, float]:
    """How far down the page each seat stands."""
    seats = page.locator("#board [id^=seat-]")
    return dict(seats.evaluate_all("seats => seats.map(seat => [seat.id, seat.getBoundingClientRect().y + scrollY])"))


@pytest.mark.nightly
def test_step_after_step_is_taken_back_with_the_finger_at_one_place(phone: Page, server: str):  # noqa: F811
    night = make_night(players=4, open_round=True, tables=2)
    sign_in(phone, server, night.organizer)
    phone.goto(f"/e/{night.event.slug}/desk/history/")
    button = phone.get_by_role("button", name="Undo")
    press(phone, button)

    places = []
    for _ in range(3):
        places.append(button.bounding_box()["y"])
        press(phone, button)

    assert max(places) - min(places) < button.bounding_box()["height"]
    expect(phone.get_by_role("button", name="Redo")).to_be_visible()
    look_at(phone)


@pytest.mark.nightly
def test_five_rounds_of_the_night_stand_apart_on_a_phone(phone: Page, server: str):  # noqa: F811
    night = make_night(players=6, rounds=3)
    Event.objects.update(rounds_planned=5)
    sign_in(phone, server, night.organizer)
    phone.goto(f"/e/{night.event.slug}/desk/")

    boxes = [
        step.bounding_box() for step in phone.get_by_label("Tonight’s schedule").locator("li > :is(a, span)").all()
    ]
    rounds = [phone.get_by_role("link", name=f"Round {number}", exact=True).first for number in (1, 2, 3)]

    assert [box for box in boxes if box["height"] > 50] == []
    for link in rounds:
        expect(link).to_be_visible()
    look_at(phone)
