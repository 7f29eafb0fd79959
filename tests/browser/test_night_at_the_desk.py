"""An organizer alone at the counter when the night goes wrong: what is looked for is in reach, and nothing is in the way."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_live import AT_ONCE, running, server, sign_in, watch  # noqa: F401
from tests.browsing import LAPTOP
from tests.nights import BY, make_night
from tourney.actions import rounds
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db(transaction=True)


def test_minutes_are_given_to_a_clock_that_was_seen_to_be_paused_by_somebody_else(laptop: Page, server: str):  # noqa: F811
    """The form stands still while the clock above it follows: what the page shows is what was seen."""
    night = make_night(players=4, open_round=True)
    sign_in(laptop, server, night.organizer)
    watch(laptop, f"/e/{night.event.slug}/desk/")
    laptop.get_by_text("Other minutes").click()
    laptop.get_by_label("Minutes", exact=True).fill("7")

    rounds.pause_clock(night.event, 1, by=BY)
    expect(laptop.locator("#clock")).to_contain_text("Paused", timeout=AT_ONCE)
    left = state_of(night.event).last_round.row.paused_left
    laptop.get_by_role("button", name="Change the clock").click()

    expect(laptop.locator("#now")).to_contain_text("Clock of round 1: 7 minutes more.")
    assert state_of(night.event).last_round.row.paused_left - left == 7 * 60
