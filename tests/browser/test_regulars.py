"""A player who comes again, on a phone: one tap to come, one question before withdrawing, nothing cut off."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.pages.test_regulars import regular
from tests.pages.test_similar_names import known
from tests.support.browsing import PHONE, assert_accessible
from tests.support.clicking import press
from tests.support.nights import BY, make_night
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
    assert_accessible(page)


@pytest.mark.many
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


@pytest.mark.nightly
@pytest.mark.many
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


@pytest.mark.nightly
@pytest.mark.many
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("device", [SMALL, PHONE], ids=["360x640", "390x844"])
def test_a_card_that_was_lost_comes_back_with_the_words_of_the_page_after_joining(
    open_page: Callable[..., Page], server: str, device: dict, dark: bool
):
    night = make_night(players=0)
    first, second = open_page(device, dark=dark), open_page(device, dark=dark)
    first.goto(f"/e/{night.event.slug}/join/")
    first.get_by_label("Your name").fill("Vor")
    first.get_by_role("radio", name="Klingon").check()
    press(first, first.get_by_role("button", name="Join event"))
    words = first.locator("[translate=no]").inner_text()
    assert_reads_well(first)

    second.goto(f"/s/{night.store.slug}/")
    press(second, second.get_by_role("link", name="I lost my card"))
    assert_reads_well(second)
    second.get_by_label("Your four recovery words").fill(words)
    press(second, second.get_by_role("button", name="Get my card back"))

    expect(second.get_by_role("heading", name="Vor")).to_be_visible()
    press(second, second.get_by_role("button", name="Create new words"))
    expect(second.get_by_text("Write them down or take a photo.")).to_be_visible()
    assert_reads_well(second)


@pytest.mark.nightly
@pytest.mark.many
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("device", [SMALL, PHONE], ids=["360x640", "390x844"])
def test_a_similar_name_is_asked_about_on_a_phone(
    open_page: Callable[..., Page], server: str, device: dict, dark: bool
):
    night, _ = known()
    page = open_page(device, dark=dark)
    page.goto(f"/e/{night.event.slug}/join/")
    page.get_by_label("Your name").fill("Kestrel Onix")
    page.get_by_role("radio", name="Klingon").check()
    press(page, page.get_by_role("button", name="Join event"))
    assert_reads_well(page)

    press(page, page.get_by_role("button", name="Yes, I’m Kestrel Onyx"))

    expect(page.get_by_role("heading", name="Kestrel Onyx")).to_be_visible()
    assert night.event.entrants.count() == 1
