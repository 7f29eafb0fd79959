"""Join, wait, move up: on a phone that holds the card, while the desk gives a place back."""

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.actions.test_places import with_places
from tests.browser.test_at_the_table import sign_in
from tests.pages.test_places import today
from tests.support.browsing import LAPTOP, PHONE, assert_accessible
from tests.support.clicking import press
from tests.support.nights import BY
from tourney.actions import entrants

pytestmark = pytest.mark.django_db(transaction=True)

SMALL = PHONE | {"viewport": {"width": 360, "height": 640}}
SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def assert_reads_well(page: Page) -> None:
    assert page.evaluate(SIDEWAYS) == 0
    assert_accessible(page)


@pytest.mark.nightly
@pytest.mark.many
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("device", [SMALL, LAPTOP], ids=["360x640", "1280x800"])
def test_a_player_joins_waits_moves_up_and_checks_in(open_page: Callable[..., Page], device: dict, dark: bool):
    night = today(with_places(2, "Vor", "Kestrel", "Onyx"), checks_in_by_phone=True)
    page = open_page(device, dark=dark)
    page.goto(reverse("event", args=[night.event.slug]))
    assert_reads_well(page)
    press(page, page.get_by_role("link", name="Join the waiting list"))
    page.get_by_label("Name").fill("Talon")
    page.get_by_role("radio", name="Klingon").check()
    assert_reads_well(page)

    press(page, page.get_by_role("button", name="Join event"))

    expect(page.get_by_text("You’re number 2 on the waiting list.")).to_be_visible()
    assert_reads_well(page)
    page.goto(reverse("me", args=[night.event.slug]))
    expect(page.get_by_role("heading", name="You’re number 2 on the waiting list")).to_be_visible()
    assert_reads_well(page)
    entrants.remove(night.event, 1, by=BY)
    expect(page.get_by_role("heading", name="You’re number 1 on the waiting list")).to_be_visible()
    entrants.remove(night.event, 2, by=BY)
    press(page, page.get_by_role("button", name="I’m here: check in"))

    expect(page.get_by_role("heading", name="Not paired yet")).to_be_visible()
    assert night.event.entrants.get(player__name="Talon").checked_in
    assert_reads_well(page)


@pytest.mark.nightly
@pytest.mark.many
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("device", [SMALL, LAPTOP], ids=["360x640", "1280x800"])
def test_the_desk_releases_the_places_of_who_is_not_here(
    open_page: Callable[..., Page], server: str, device: dict, dark: bool
):
    night = today(with_places(2, "Vor", "Kestrel", "Onyx"), entry_fee="5 €")
    page = sign_in(open_page(device, dark=dark), night, night.organizer, server)
    page.goto(reverse("players", args=[night.event.slug]))
    page.get_by_role("button", name="Mark paid by Vor").click()
    expect(page.locator("#player-1 .badge-present")).to_have_text("Paid")
    page.get_by_role("button", name="Check in Vor").click()
    expect(page.locator("#player-1")).to_contain_text("Checked in")
    assert_reads_well(page)

    press(page, page.get_by_role("button", name="Release 1 place of a player not checked in"))

    expect(page.locator(".messages")).to_contain_text("1 place released: Kestrel.")
    expect(page.locator("#player-2")).to_contain_text("Waiting list: 1")
    expect(page.locator("#player-1")).to_contain_text("Paid")
    assert_reads_well(page)
