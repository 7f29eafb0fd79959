"""The header of a player's pages at a store is one line on a phone, as on the pages of an event."""

import pytest
from playwright.sync_api import Page, expect

from tests.support.nights import BY, make_night
from tourney import access
from tourney.actions import player_cards

pytestmark = pytest.mark.django_db(transaction=True)


WIDTHS = (320, 360, 390)


def heights_of_header(page: Page) -> dict[int, float]:
    """On a phone of each width, where the page is as wide as the screen."""
    heights = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") == width, page.url
        expect(page.locator(".brand-mark")).to_be_visible()
        heights[width] = page.locator(".app-header").bounding_box()["height"]
    return heights


def test_it_is_as_high_as_on_the_pages_of_an_event(phone: Page, server: str):
    night = make_night(players=4, rounds=1)
    key = player_cards.issue(night.event.entrants.get(number=1).player, by=BY)
    phone.context.add_cookies([{"name": access.card_cookie(night.store), "value": key, "url": server}])
    phone.goto(f"/e/{night.event.slug}/me/")
    lines = heights_of_header(phone)

    store = f"/s/{night.store.slug}"
    for path in (f"{store}/me/", f"{store}/fleets/", f"{store}/judge/", f"{store}/judge/rulings/", f"{store}/"):
        phone.goto(path)
        heights = heights_of_header(phone)
        assert [width for width in WIDTHS if heights[width] > lines[width]] == [], path
