"""A player who comes again, on a phone: one tap to come, one question before withdrawing, nothing cut off."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.pages.test_regulars import regular
from tests.support.browsing import PHONE, violations
from tests.support.clicking import press
from tests.support.nights import BY
from tourney import access
from tourney.actions import player_cards

pytestmark = pytest.mark.django_db(transaction=True)

SMALL = PHONE | {"viewport": {"width": 360, "height": 640}}
SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def hold(page: Page, player, server: str) -> None:
    key = player_cards.issue(player, by=BY)
    page.context.add_cookies([{"name": access.card_cookie(player.store), "value": key, "url": server}])


def assert_reads_well(page: Page) -> None:
    assert page.evaluate(SIDEWAYS) == 0
    assert violations(page) == [], page.url


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("device", [SMALL, PHONE], ids=["360x640", "390x844"])
def test_a_regular_comes_with_one_tap_and_withdraws_after_one_question(
    open_page: Callable[..., Page], server: str, device: dict, dark: bool
):
    night, player, _ = regular()
    page = open_page(device, dark=dark)
    hold(page, player, server)
    page.goto(f"/s/{night.store.slug}/me/")
    assert_reads_well(page)

    press(page, page.get_by_role("button", name="I’m coming"))

    expect(page.get_by_role("heading", name="Vor")).to_be_visible()
    assert_reads_well(page)
    page.goto(f"/s/{night.store.slug}/me/")
    page.get_by_text("Change faction", exact=True).click()
    page.get_by_text("I can’t make it").click()
    assert_reads_well(page)
    assert night.event.entrants.count() == 1
    press(page, page.get_by_role("button", name="Withdraw from event"))
    expect(page.locator(".messages")).to_contain_text(f"You’re no longer registered for {night.event.name}.")
    assert night.event.entrants.count() == 0


@pytest.mark.parametrize("device", [SMALL, PHONE], ids=["360x640", "390x844"])
def test_the_page_to_join_is_short_for_a_regular(open_page: Callable[..., Page], server: str, device: dict):
    night, player, _ = regular()
    page = open_page(device)
    hold(page, player, server)
    page.goto(f"/e/{night.event.slug}/join/")

    expect(page.get_by_role("radio", name="Klingon")).to_be_checked()
    expect(page.get_by_label("Your name")).to_be_hidden()
    assert_reads_well(page)
    press(page, page.get_by_role("button", name="Join as Vor"))
    expect(page.get_by_role("heading", name="Vor")).to_be_visible()
