"""The header of a player's pages at a store is one line on a phone, as on the pages of an event."""

import pytest
from playwright.sync_api import expect

from tests.support.browsing import PHONE
from tests.support.nights import BY, make_night
from tourney import access
from tourney.actions import player_cards

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("width", [320, 360, 390])
def test_it_is_as_high_as_on_the_pages_of_an_event(open_page, server: str, width: int):
    night = make_night(players=4, rounds=1)
    page = open_page(PHONE | {"viewport": {"width": width, "height": 700}})
    key = player_cards.issue(night.event.entrants.get(number=1).player, by=BY)
    page.context.add_cookies([{"name": access.card_cookie(night.store), "value": key, "url": server}])
    page.goto(f"/e/{night.event.slug}/me/")
    line = page.locator(".app-header").bounding_box()["height"]

    store = f"/s/{night.store.slug}"
    for path in (f"{store}/me/", f"{store}/fleets/", f"{store}/judge/", f"{store}/judge/rulings/", f"{store}/"):
        page.goto(path)
        assert page.locator(".app-header").bounding_box()["height"] <= line, path
        assert page.evaluate("document.documentElement.scrollWidth") == width, path
        expect(page.locator(".brand-mark")).to_be_visible()
