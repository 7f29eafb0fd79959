"""The standings as they are read: a line per player, which says when it is pressed why its rank is that."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.browsing import COLOURS, LAPTOP, PHONE, violations
from tests.support.every_page import make_places

pytestmark = pytest.mark.django_db(transaction=True)

LINE = 46
"""Pixels of a line that says nothing but rank, name and points."""
HEIGHTS = """() => [...document.querySelectorAll("#ranks .table-sticky tbody tr")]
  .filter((row) => !row.querySelector(".rulings, .ranked-note:not(.why)"))
  .map((row) => row.getBoundingClientRect().height)"""


@pytest.fixture
def places() -> dict[str, str]:
    return make_places()


@pytest.fixture
def standings(places) -> str:
    return f"/e/{places['over']}/standings/"


def test_the_standings_are_a_line_per_player(laptop: Page, standings):
    laptop.goto(standings)

    heights = laptop.evaluate(HEIGHTS)
    assert len(heights) > 5
    assert max(heights) <= LINE


@pytest.mark.many(each=["javascript"])
@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
@pytest.mark.parametrize("javascript", [True, False], ids=["scripts", "no scripts"])
def test_a_row_pressed_anywhere_says_why_its_rank_is_that(
    open_page: Callable[..., Page], standings, device: dict, javascript: bool
):
    page = open_page(device, javascript=javascript)
    page.goto(standings)
    row = page.locator("#ranks .table-sticky tbody tr").first
    reason = row.locator(".why > p")
    expect(reason).to_be_hidden()

    box = row.locator("td").nth(1).bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.click(*middle)
    expect(reason).to_be_visible()
    page.mouse.click(*middle)
    expect(reason).to_be_hidden()


def test_a_name_in_the_standings_still_leads_to_its_player(laptop: Page, standings):
    laptop.goto(standings)
    link = laptop.locator("#ranks .table-sticky tbody tr a").first
    name = link.text_content()

    link.click()

    expect(laptop.get_by_role("heading", level=1)).to_contain_text(name)


def test_a_keyboard_opens_the_reason_of_a_rank_and_is_told_whose_it_is(laptop: Page, standings):
    laptop.goto(standings)
    row = laptop.locator("#ranks .table-sticky tbody tr").first
    name = row.locator("a").text_content()
    row.locator("a").focus()
    laptop.keyboard.press("Tab")
    summary = row.locator("summary")

    expect(summary).to_be_focused()
    expect(summary).to_have_accessible_name(f"{name}: Why?")
    laptop.keyboard.press("Enter")
    expect(row.locator(".why > p")).to_be_visible()


def test_open_standings_are_accessible(laptop: Page, standings):
    laptop.goto(standings)
    laptop.locator("#ranks summary").first.press("Enter")
    expect(laptop.locator("#ranks .why > p").first).to_be_visible()

    for theme in ("light", "dark"):
        laptop.emulate_media(color_scheme=theme)
        assert violations(laptop, rules=COLOURS) == []
    assert violations(laptop, without=COLOURS) == []
