"""A whole match scored by tapping on a phone, and finished at the desk."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.browsing import LAPTOP, PHONE, assert_accessible
from tests.support.built_fleets import night_with_fleets
from tests.support.clicking import look_at
from tests.support.nights import BY, PASSWORD, Night
from tests.support.tables import match_at, names_at
from tourney import access
from tourney.actions import player_cards

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def night(server: str) -> Night:
    """Four players with the same fleet of 82 SP, round 1 in play."""
    return night_with_fleets(signed=True)


def take_card(page: Page, night: Night, number: int, server: str) -> None:
    """The phone holds the card of that entrant from now on."""
    key = player_cards.issue(night.event.entrants.get(number=number).player, by=BY)
    page.context.add_cookies([{"name": access.card_cookie(night.store), "value": key, "url": server}])


def open_fleet(page: Page, night: Night, owner: int) -> None:
    page.goto(f"/e/{night.event.slug}/rounds/1/fleets/{owner}/")


def sign_in(page: Page, night: Night, path: str) -> None:
    page.goto(f"/sign-in/?next=/e/{night.event.slug}/desk/{path}")
    page.get_by_label("Name").fill(night.organizer.username)
    page.get_by_label("Password").fill(PASSWORD)
    with page.expect_event("load"):
        page.get_by_role("button", name="Sign in").click()


def tap(page: Page, *titles: str) -> None:
    for title in titles:
        page.locator(".tap", has_text=title).click()


def saved(page: Page, left: int) -> None:
    expect(page.locator("#sp-left")).to_have_text(f"−{left}")


def test_a_match_is_scored_by_tapping_and_finished_at_the_desk(open_page: Callable[..., Page], night, server):
    first, second = match_at(night.event, 1).numbers
    one, other = names_at(night.event, 1)
    phone, opposite, desk = open_page(PHONE), open_page(PHONE, dark=True), open_page(LAPTOP)
    take_card(phone, night, first, server)
    take_card(opposite, night, second, server)
    open_fleet(phone, night, second)
    open_fleet(opposite, night, second)

    tap(phone, "Quill", "Darts")  # 82 − 2 − 5
    saved(phone, 75)
    tap(phone, "Darts")  # by mistake
    saved(phone, 80)
    tap(phone, "Kestrel")  # the ship with its captain, Quill and Darts: 82 − 36
    saved(phone, 46)
    expect(phone.locator("#fleet-points")).to_have_text("54")
    expect(opposite.locator("#sp-left")).to_have_text("−46")
    expect(opposite.get_by_role("checkbox", name="Kestrel")).to_be_checked()
    tap(opposite, "Captain Onyx")  # the opponent taps on, and undoes nothing of it
    saved(opposite, 42)
    look_at(phone)

    phone.get_by_role("link", name=one, exact=True).click()
    tap(phone, "Lark")  # of the own fleet: 82 − 26
    saved(phone, 56)
    expect(phone.locator("#score")).to_contain_text("If the battle ended now: You win 58–44.")

    sign_in(desk, night, "")
    expect(desk.locator("#pairings")).to_contain_text("Marked by the players: 56 SP left / 42 SP left")
    desk.get_by_role("link", name="Enter result of table 1").click()
    desk.get_by_role("radio", name="Time").check()
    expect(desk.locator("#verdict")).to_have_text(f"{one} wins, 58 Fleet Points to 44.")
    tap(desk.locator("#destroyed-b5").locator("xpath=ancestor::details"), "Lark")  # the last ship, after all
    expect(desk.locator("#preview")).to_contain_text(f"{other} has no SP left, so that fleet was eliminated.")
    desk.get_by_role("radio", name="One fleet eliminated").check()
    desk.get_by_role("group", name="Whose fleet was eliminated?").get_by_label(other).check()
    expect(desk.locator("#verdict")).to_have_text(f"{one} wins, 100 Fleet Points to 44.")
    assert_accessible(desk)
    desk.get_by_role("button", name="Save result").click()

    expect(desk.get_by_role("status").filter(has_text=f"Table 1: {one} wins, 100 Fleet Points to 44.")).to_be_visible()
    expect(phone.locator("#sheet")).to_contain_text("Result entered:")
    match = match_at(night.event, 1)
    assert (match.result.ending, match.result.out, match.result.sp_left_a) == ("elimination", "b", 56)
    assert [sorted(lines) for lines in match.destroyed] == [[5], [1, 3, 5, 6]]


@pytest.mark.nightly
def test_a_number_that_cannot_be_left_asks_the_organizer_for_a_reason_only_then(laptop: Page, night):
    one, other = names_at(night.event, 1)
    sign_in(laptop, night, "rounds/1/tables/1/")
    reason = laptop.get_by_label("Reason for these SP left")
    left = laptop.get_by_role("group", name="SP left")

    laptop.get_by_role("radio", name="Time").check()
    left.get_by_label(other).fill("82")
    expect(reason).to_be_hidden()
    left.get_by_label(one).fill("45")
    expect(laptop.locator("#preview")).to_contain_text(
        f"{one}’s fleet can’t have 45 SP left. Nearest possible: 44 or 46. Count again, or give a reason to keep it."
    )
    expect(reason).to_be_visible()
    assert_accessible(laptop)
    reason.fill("by the scenario")
    expect(laptop.locator("#verdict")).to_have_text(f"{other} wins, 55 Fleet Points to 18.")
    laptop.get_by_role("button", name="Save result").click()

    expect(laptop.get_by_role("status").filter(has_text=f"Table 1: {other} wins")).to_be_visible()
    assert match_at(night.event, 1).result.sp_ruling == "by the scenario"


@pytest.mark.nightly
def test_a_number_and_ticks_that_differ_are_settled_on_the_page(laptop: Page, night):
    one, other = names_at(night.event, 1)
    sign_in(laptop, night, "rounds/1/tables/1/")
    left = laptop.get_by_role("group", name="SP left")
    which = laptop.get_by_role("group", name=f"Which is right for {one}?")

    laptop.get_by_role("radio", name="Time").check()
    left.get_by_label(other).fill("82")
    left.get_by_label(one).fill("77")
    laptop.locator("summary", has_text=f"{one}’s fleet").click()
    expect(which).to_be_hidden()
    tap(laptop.locator("details.sp-left-a"), "Kestrel")
    expect(laptop.locator("#left-a")).to_have_text("46 of 82 SP left")
    expect(laptop.locator("#preview")).to_contain_text(
        f"{one} has 77 SP left by the number, but 46 SP by what’s ticked. Which is right?"
    )
    which.get_by_label("What’s ticked").check()
    expect(laptop.locator("#verdict")).to_have_text(f"{other} wins, 54 Fleet Points to 18.")
    assert_accessible(laptop)


@pytest.mark.nightly
def test_without_javascript_taps_are_saved_by_a_button_and_counted_at_the_desk(
    open_page: Callable[..., Page], night, server
):
    page = open_page(PHONE, javascript=False)
    first, second = match_at(night.event, 1).numbers
    take_card(page, night, first, server)
    open_fleet(page, night, second)
    tap(page, "Kestrel")
    page.get_by_role("button", name="Save").click()
    saved(page, 46)

    sign_in(page, night, "rounds/1/tables/1/")
    page.get_by_role("radio", name="Time").check()
    page.locator("summary", has_text="’s fleet").first.click()
    tap(page.locator("details.sp-left-a"), "Nothing was destroyed")
    page.get_by_role("button", name="Count").first.click()
    expect(page.locator("#preview")).to_contain_text("54 Fleet Points to 18.")
