"""Entering results in a browser: the sum follows what is typed, and a round needs no mouse."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.browsing import LAPTOP, assert_accessible
from tests.support.clicking import look_at, press
from tests.support.nights import BY, PASSWORD, Night, make_night
from tests.support.tables import enter, match_at, names_at, on_time
from tourney import access
from tourney.actions import player_cards
from tourney.models import JournalEntry

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
    expect(phone.get_by_role("group", name="Whose fleet was eliminated?")).to_be_hidden()

    phone.get_by_role("radio", name="Time").check()
    expect(phone.locator("#preview")).to_contain_text(f"Enter {first}’s SP left.")
    left = phone.get_by_role("group", name="SP left")
    left.get_by_label(first).press_sequentially("35", delay=300)
    left.get_by_label(second).press_sequentially("50", delay=300)
    expect(phone.locator("#verdict")).to_have_text(f"{second} wins, 65 Fleet Points to 50.")
    expect(left.get_by_label(second)).to_be_focused()

    phone.get_by_role("radio", name="One fleet eliminated").check()
    phone.get_by_role("group", name="Whose fleet was eliminated?").get_by_label(second).check()
    expect(left.get_by_label(second)).to_be_hidden()
    expect(phone.locator("#verdict")).to_have_text(f"{first} wins, 100 Fleet Points to 65.")
    assert_accessible(phone)

    phone.get_by_role("button", name="Save result").click()
    expect(
        phone.get_by_role("status").filter(has_text=f"Table 1: {first} wins, 100 Fleet Points to 65.")
    ).to_be_visible()
    expect(phone.get_by_role("link", name="Enter result of table 2")).to_be_focused()
    assert facts_at(night, 1) == ("elimination", "b", 35, 0, {})


@pytest.mark.parametrize("place", ["tables/1/", "report"])
def test_what_was_wrong_goes_as_soon_as_it_is_mended(laptop: Page, night, server, place):
    """The summary follows what is typed, as the sum beside it does."""
    first, second = names_at(night.event, 1)
    if place == "report":
        key = player_cards.issue(match_at(night.event, 1).a.player, by=BY)
        laptop.context.add_cookies([{"name": access.card_cookie(night.store), "value": key, "url": server}])
        laptop.goto(f"/e/{night.event.slug}/rounds/1/report/")
    else:
        sign_in(laptop, night, place)
    own, sum_of_it = first, f"{second} wins, 65 Fleet Points to 50."
    if place == "report":
        own, sum_of_it = "Your", "You lose 50–65."
    left = laptop.get_by_role("group", name="SP left")
    laptop.get_by_role("radio", name="Time").check()
    laptop.get_by_role("button", name=re.compile("Save result|Send to")).click()
    wrong = laptop.locator(".error-summary li, .field-error")
    expect(wrong).to_have_count(2)

    left.get_by_role("textbox", name=own).fill("35")
    expect(wrong).to_have_count(1)
    left.get_by_role("textbox", name=second).fill("50")

    expect(laptop.locator("#verdict")).to_contain_text(sum_of_it)
    expect(laptop.locator(".error-summary, .errorlist, .field-error").filter(visible=True)).to_have_count(0)
    expect(left.get_by_role("textbox", name=second)).to_be_focused()
    left.get_by_role("textbox", name=own).fill("")
    expect(wrong).to_have_count(1)


def test_a_whole_round_needs_no_mouse(laptop: Page, night):
    sign_in(laptop, night, "results/")
    expect(laptop.locator("[name=t1-ending]")).to_be_focused()
    keys = laptop.keyboard

    for key in ("E", "Tab", "2", "Tab", *"60", "Enter"):  # table 1: the second is out, the first has 60 SP left
        keys.press(key)
    expect(laptop.locator("#row-1[data-saved]")).to_contain_text("100 Fleet Points to 40.")
    for key in ("T", "Tab", *"35", "Tab", "Tab", *"50", "Tab", "Space"):  # table 2: 35 to 50, DS9 held
        keys.press(key)
    expect(laptop.locator("#preview-2")).to_contain_text("100 −35 +20 = 85 FP")
    keys.press("Enter")
    keys.press("B")  # table 3: both eliminated
    keys.press("Enter")
    expect(laptop.get_by_role("button", name="Save all")).to_be_focused()
    expect(laptop.locator("#row-3[data-saved]")).to_contain_text("Roll off")
    assert_accessible(laptop)
    press(laptop, laptop.get_by_role("button", name="Save all"))

    expect(laptop).to_have_url(re.compile("/desk/#next-action$"))
    assert [facts_at(night, table) for table in (1, 2, 3)] == [
        ("elimination", "b", 60, 0, {}),
        ("time", "", 35, 50, {"ds9": 1}),
        ("both_eliminated", "", 0, 0, {}),
    ]


@pytest.mark.nightly
def test_ctrl_enter_saves_from_anywhere(laptop: Page, night):
    sign_in(laptop, night, "results/")
    expect(laptop.locator("[name=t1-ending]")).to_be_focused()

    for key in ("B", "Control+Enter"):
        laptop.keyboard.press(key)

    expect(laptop.locator("#row-1[data-saved]")).to_contain_text("Roll off")
    assert facts_at(night, 1) == ("both_eliminated", "", 0, 0, {})


def type_rows(page: Page, tables: int) -> None:
    """35 to 50 on time, table after table, each with Enter."""
    expect(page.locator("[name=t1-ending]")).to_be_focused()
    for _ in range(tables):
        for key in ("T", "Tab", *"35", "Tab", "Tab", *"50", "Enter"):
            page.keyboard.press(key)


@pytest.mark.nightly
def test_without_a_network_rows_wait_and_are_sent_once_in_order(laptop: Page, night):
    sign_in(laptop, night, "results/")
    laptop.context.set_offline(True)
    type_rows(laptop, 3)
    waiting = laptop.locator(".entry-waiting")
    expect(waiting).to_have_count(3)
    expect(waiting.first).to_contain_text("Waiting for the network")
    look_at(laptop)
    row = laptop.get_by_role("group", name="Table 2:")
    row.get_by_role("button", name="Edit result").click()
    row.locator("[name=t2-sp_left_b]").fill("40")
    row.locator("[name=t2-sp_left_b]").press("Enter")
    laptop.context.set_offline(False)

    expect(laptop.locator(".entry-row[data-saved]")).to_have_count(3)
    expect(waiting).to_have_count(0)
    told = JournalEntry.objects.filter(did="report_result").order_by("pk").values_list("after__table", flat=True)
    assert list(told) == [1, 3, 2]
    assert [facts_at(night, table)[2:4] for table in (1, 2, 3)] == [(35, 50), (35, 40), (35, 50)]


@pytest.mark.nightly
def test_rows_that_wait_are_there_when_the_page_is_opened_again(laptop: Page, night):
    sign_in(laptop, night, "results/")
    laptop.route(f"**/e/{night.event.slug}/desk/rounds/1/results/", lambda route: route.abort())
    type_rows(laptop, 1)
    expect(laptop.locator(".entry-waiting")).to_have_count(1)
    laptop.unroute_all()
    laptop.reload()

    expect(laptop.locator("#row-1[data-saved]")).to_be_visible()
    assert facts_at(night, 1) == ("time", "", 35, 50, {})


@pytest.mark.nightly
def test_a_row_that_is_answered_while_the_page_is_left_is_there_on_the_next_one(laptop: Page, night):
    """The next page was made before the row was saved, and comes after."""
    sign_in(laptop, night, "results/")
    held: list[Route] = []

    def hold(route: Route) -> None:
        if "x-outbox" in route.request.headers and not held:
            return held.append(route)
        if route.request.method == "GET":
            page = route.fetch()
            with laptop.expect_event("requestfinished", lambda request: "x-outbox" in request.headers):
                held[0].continue_()
            return route.fulfill(response=page)
        return route.continue_()

    laptop.route(f"**/e/{night.event.slug}/desk/rounds/1/results/", hold)
    type_rows(laptop, 1)
    expect(laptop.locator(".entry-waiting")).to_have_count(1)
    laptop.reload()

    expect(laptop.locator("#row-1[data-saved]")).to_be_visible()
    assert facts_at(night, 1) == ("time", "", 35, 50, {})
    assert JournalEntry.objects.filter(did="report_result").count() == 1


@pytest.mark.nightly
@pytest.mark.parametrize(("button", "left"), [("Replace", 50), ("Discard", 60)])
def test_a_row_that_somebody_else_entered_meanwhile_is_settled_with_both_in_sight(laptop: Page, night, button, left):
    sign_in(laptop, night, "results/")
    laptop.context.set_offline(True)
    type_rows(laptop, 2)
    expect(laptop.locator(".entry-waiting")).to_have_count(2)
    enter(night.event, 1, on_time(35, 60))
    laptop.context.set_offline(False)

    row = laptop.get_by_role("group", name="Table 1:")
    expect(row).to_contain_text("Not saved. test entered a result for table 1")
    expect(row.get_by_role("region", name="Both versions")).to_contain_text("60 50")
    expect(laptop.locator("#row-2[data-saved]")).to_be_visible()
    look_at(laptop)
    laptop.reload()
    row.get_by_role("button", name=button).click()

    expect(row.get_by_role("button", name="Discard")).to_have_count(0)
    expect(row.locator("[name=t1-sp_left_b]")).to_have_value(str(left))
    assert facts_at(night, 1)[:4] == ("time", "", 35, left)
    laptop.goto(f"/e/{night.event.slug}/desk/")
    expect(laptop.locator(".outbox")).to_have_count(0)


@pytest.mark.nightly
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

    page.get_by_role("button", name="Save result").click()
    expect(
        page.get_by_role("status").filter(has_text=f"Table 1: {second} wins, 65 Fleet Points to 50.")
    ).to_be_visible()
    assert facts_at(night, 1) == ("time", "", 35, 50, {})
