"""The rows of the desk: names have their line, and what is seldom needed takes none away."""

import pytest
from playwright.sync_api import Page

from tests.browser.test_at_the_table import sign_in
from tests.browsing import LAPTOP, PHONE
from tests.clicking import look_at
from tests.nights import make_night

pytestmark = pytest.mark.django_db(transaction=True)

HEIGHTS = "rows => rows.map(row => row.getBoundingClientRect().height)"


@pytest.mark.parametrize("page", ["", "rounds/2/"], ids=["desk", "round"])
def test_no_name_is_broken_on_a_phone(open_page, server: str, page: str):
    desk = at(page, open_page(PHONE), server)

    assert max(desk.locator(".pairings-desk .side-name").evaluate_all(HEIGHTS)) < 30
    look_at(desk)


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
