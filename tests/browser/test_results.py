"""Entering results in a browser: the sum follows what is typed, and a round needs no mouse."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browsing import LAPTOP, assert_accessible
from tests.nights import PASSWORD, Night, make_night
from tests.tables import match_at, names_at

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def night(server: str) -> Night:
    """Six players, round 1 in play, no result yet."""
    return make_night(players=6, open_round=True)


def sign_in(page: Page, night: Night, path: str) -> None:
    page.goto(f"/sign-in/?next=/e/{night.event.slug}/desk/rounds/1/{path}")
    page.get_by_label("Name").fill(night.judge.username)
    page.get_by_label("Password").fill(PASSWORD)
    with page.expect_event("load"):
        page.get_by_role("button", name="Sign in").click()


def facts_at(night: Night, table: int) -> tuple | None:
    result = match_at(night.event, table).result
    return result and (result.ending, result.out, result.sp_left_a, result.sp_left_b, result.tallies_b)


def test_the_sum_follows_what_is_typed_and_only_what_counts_is_asked(phone: Page, night):
    first, second = names_at(night.event, 1)
    sign_in(phone, night, "tables/1/")
    expect(phone.get_by_role("group", name="Who is out?")).to_be_hidden()

    phone.get_by_role("radio", name="Time").check()
    expect(phone.locator("#preview")).to_contain_text(f"Enter the SP left in {first}'s surviving fleet.")
    left = phone.get_by_role("group", name="SP left")
    left.get_by_label(first).press_sequentially("35", delay=300)
    left.get_by_label(second).press_sequentially("50", delay=300)
    expect(phone.locator("#verdict")).to_have_text(f"{second} wins, 65 Fleet Points to 50.")
    expect(left.get_by_label(second)).to_be_focused()

    phone.get_by_role("radio", name="One fleet eliminated").check()
    phone.get_by_role("group", name="Who is out?").get_by_label(second).check()
    expect(left.get_by_label(second)).to_be_hidden()
    expect(phone.locator("#verdict")).to_have_text(f"{first} wins, 100 Fleet Points to 65.")
    assert_accessible(phone)

    phone.get_by_role("button", name="Save the result").click()
    expect(phone.get_by_role("status")).to_contain_text(f"Table 1: {first} wins, 100 Fleet Points to 65.")
    expect(phone.get_by_role("link", name="Enter table 2")).to_be_focused()
    assert facts_at(night, 1) == ("elimination", "b", 35, 0, {})


def test_a_whole_round_needs_no_mouse(laptop: Page, night):
    sign_in(laptop, night, "results/")
    expect(laptop.locator("[name=t1-ending]")).to_be_focused()
    keys = laptop.keyboard

    for key in ("E", "Tab", "2", "Tab", *"60", "Enter"):  # table 1: the second is out, the first has 60 SP left
        keys.press(key)
    for key in ("T", "Tab", *"35", "Tab", "Tab", *"50", "Tab", "Space", "Enter"):  # table 2: 35 to 50, DS9 held
        keys.press(key)
    expect(laptop.locator("#preview-2")).to_contain_text("100 −35 +20 = 85")
    assert_accessible(laptop)
    keys.press("B")  # table 3: both eliminated
    keys.press("Enter")
    expect(laptop.get_by_role("button", name="Save all")).to_be_focused()
    keys.press("Enter")

    expect(laptop.locator(".messages")).to_contain_text("Saved: tables 1, 2 and 3.")
    assert [facts_at(night, table) for table in (1, 2, 3)] == [
        ("elimination", "b", 60, 0, {}),
        ("time", "", 35, 50, {"ds9": 1}),
        ("both_eliminated", "", 0, 0, {}),
    ]


def test_ctrl_enter_saves_from_anywhere(laptop: Page, night):
    sign_in(laptop, night, "results/")
    expect(laptop.locator("[name=t1-ending]")).to_be_focused()

    for key in ("B", "Control+Enter"):
        laptop.keyboard.press(key)

    expect(laptop.locator(".messages")).to_contain_text("Saved: table 1.")
    expect(laptop.locator("[name=t2-ending]")).to_be_focused()


def test_without_javascript_the_sum_is_checked_by_a_button(open_page: Callable[..., Page], night):
    page = open_page(LAPTOP, javascript=False)
    first, second = names_at(night.event, 1)
    sign_in(page, night, "tables/1/")

    page.get_by_role("radio", name="Time").check()
    page.get_by_role("group", name="SP left").get_by_label(first).fill("35")
    page.get_by_role("group", name="SP left").get_by_label(second).fill("50")
    page.get_by_role("button", name="Check the sum").click()
    expect(page.locator("#preview")).to_contain_text(f"{second} wins, 65 Fleet Points to 50.")
    assert facts_at(night, 1) is None

    page.get_by_role("button", name="Save the result").click()
    expect(page.get_by_role("status")).to_contain_text(f"Table 1: {second} wins, 65 Fleet Points to 50.")
    assert facts_at(night, 1) == ("time", "", 35, 50, {})
