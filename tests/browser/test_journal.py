"""The journal at the desk in a browser: filtered without a new page, with the keyboard, and saved as a file."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_at_the_table import sign_in
from tests.support.browsing import LAPTOP, PHONE, assert_accessible_by_day_and_night
from tests.support.nights import Night, make_night

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def night() -> Night:
    return make_night(players=9, rounds=1, open_round=True, tables=2)


@pytest.mark.many
@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_filters_stay_in_the_address_and_the_file_holds_what_is_shown(
    open_page: Callable[..., Page], night, server: str, device: dict
):
    page = open_page(device)
    sign_in(page, night, night.judge, server)
    page.goto(f"/e/{night.event.slug}/desk/journal/")
    page.get_by_label("Kind").select_option("results")
    page.get_by_label("Round").select_option("2")
    page.get_by_role("button", name="Filter").click()

    expect(page.locator(".journal-entry")).to_have_count(2)
    expect(page).to_have_url(f"{server}/e/{night.event.slug}/desk/journal/?round=2&player=&kind=results")
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save as CSV").click()
    rows = [*csv.DictReader(Path(saved.value.path()).read_text("utf-8-sig").splitlines())]
    assert [row["did"] for row in rows] == ["report_result"] * 2
    page.reload()
    expect(page.locator(".journal-entry")).to_have_count(2)
    expect(page.get_by_label("Kind")).to_have_value("results")
    assert_accessible_by_day_and_night(page)


@pytest.mark.nightly
def test_without_scripts_the_button_filters(open_page: Callable[..., Page], night, server: str):
    page = open_page(PHONE, javascript=False)
    sign_in(page, night, night.judge, server)
    page.goto(f"/e/{night.event.slug}/desk/journal/")
    page.get_by_label("Player").select_option("1")
    page.get_by_role("button", name="Filter").click()

    expect(page).to_have_url(f"{server}/e/{night.event.slug}/desk/journal/?round=&player=1&kind=")
    expect(page.get_by_role("link", name="All entries")).to_be_visible()
