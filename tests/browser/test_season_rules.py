"""The rules of a season in a browser: heard in words while they are typed, saved, and told in each row."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.support.browsing import LAPTOP, PHONE, violations
from tests.support.clicking import press
from tests.support.nights import PASSWORD, Night, make_night
from tourney.models import Event

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def night(server: str) -> Night:
    """The first of three finished months of a campaign."""
    first = make_night(players=6, rounds=3, finish=True, seed=1)
    for number in (2, 3):
        later = make_night(players=6, rounds=3, finish=True, seed=number, store=first.store).event
        Event.objects.filter(pk=later.pk).update(starts_at=later.starts_at + (number - 1) * timedelta(days=28))
    return first


@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_rules_are_typed_heard_saved_and_told_in_each_row(night, device, open_page: Callable[..., Page]):
    page = open_page(device)
    page.goto(f"/sign-in/?next={night.campaign.get_absolute_url()}edit/")
    page.get_by_label("Name").fill(night.owner.username)
    page.get_by_label("Password").fill(PASSWORD)
    press(page, page.get_by_role("button", name="Sign in"))
    said = page.locator("#said")
    expect(said).to_contain_text("Every finished month counts.")

    page.get_by_label("Best months that count").fill("2")
    expect(said).to_contain_text("Each player’s best 2 months count.")
    page.get_by_label("Best months that count").fill("0")
    expect(said).to_contain_text("Check your entries.")
    page.get_by_label("Best months that count").fill("2")
    page.get_by_role("radio", name="Best season rank").check()
    expect(said).to_contain_text("Grand prizes are picked by season rank.")
    expect(said).to_contain_text("Each player’s best 2 months count.")
    fits(page)
    press(page, page.get_by_role("button", name="Save season rules"))

    season = page.get_by_role("region", name="Season so far")
    expect(season).to_contain_text("Each player’s best 2 months count.")
    row = season.get_by_role("row").nth(1)
    why = row.locator("details p")
    expect(why).to_be_hidden()
    row.locator("summary").click()
    expect(why).to_have_text(
        "Best 2 of 3 months: "
        + " + ".join(sorted(counted(row), reverse=True))
        + f". {left_out(row)} Grand prize pick 1."
    )
    expect(season.locator(".season-picks li")).to_have_count(6)
    fits(page)


def counted(row) -> list[str]:
    """The points of the months that are not struck out."""
    return row.locator(".by-month:not(:has(s))").all_inner_texts()


def left_out(row) -> str:
    cells = row.locator(".by-month")
    place = next(number for number in range(3) if cells.nth(number).locator("s").count())
    month = ("November 2026", "December 2026", "January 2027")[place]
    return f"Not counted: {cells.nth(place).locator('s').inner_text()} in {month}."


def fits(page: Page) -> None:
    """Nothing is wider than the screen, and axe-core finds nothing."""
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"], page.url
    assert violations(page) == []
