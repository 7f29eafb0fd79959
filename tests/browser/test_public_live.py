"""The public pages in a browser: typing a name, and news that arrive while somebody reads."""

import re

import pytest
from playwright.sync_api import Page, expect

from scoring.domain.points import Ending, Played, Side
from tests.support.browsing import PHONE, assert_accessible
from tests.support.nights import BY, make_night
from tourney.actions import results
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db(transaction=True)


def enter_result(night, table: int) -> None:
    report = results.ResultInput(Played(Ending.ELIMINATION, (Side(60), Side()), out=1))
    results.report_result(night.event, 1, table, report, version=0, by=BY)


def test_the_table_is_found_while_the_name_is_typed(phone: Page):
    night = make_night(players=9, open_round=True)
    match = state_of(night.event).last_round.match_at(2)

    phone.goto(night.event.get_absolute_url())
    phone.get_by_label("Find my table").press_sequentially(match.a.player.name, delay=20)

    answer = phone.get_by_role("heading", name=f"Table 2 against {match.b.player.name}")
    expect(answer).to_be_visible()
    expect(phone).to_have_url(re.compile(rf"\?q={match.a.player.name}$"))
    expect(phone.get_by_label("Find my table")).to_be_focused()
    assert answer.bounding_box()["y"] < PHONE["viewport"]["height"]
    assert_accessible(phone)


def test_news_arrive_without_reload_and_nothing_being_read_or_typed_is_lost(phone: Page):
    night = make_night(players=4, open_round=True)
    enter_result(night, 1)
    phone.goto(f"{night.event.get_absolute_url()}rounds/1/")
    first = phone.locator(".pairing").first
    first.get_by_text("Details").click()

    enter_result(night, 2)

    expect(phone.locator(".badge-playing")).to_have_count(0)
    expect(first.get_by_text("fleet was eliminated")).to_be_visible()


@pytest.mark.nightly
def test_a_name_being_typed_survives_a_refresh(phone: Page):
    night = make_night(players=4, open_round=True)
    phone.goto(night.event.get_absolute_url())
    field = phone.get_by_label("Find my table")
    field.press_sequentially("zz", delay=20)
    expect(phone.get_by_text("No player called “zz”")).to_be_visible()

    enter_result(night, 1)

    expect(phone.get_by_text("1 of 2 tables still playing.")).to_be_visible()
    expect(field).to_be_focused()
    expect(field).to_have_value("zz")
    expect(phone.get_by_text("No player called “zz”")).to_be_visible()


@pytest.mark.nightly
def test_the_table_is_found_without_javascript(open_page):
    night = make_night(players=4, open_round=True)
    match = state_of(night.event).last_round.match_at(1)
    page = open_page(PHONE, javascript=False)
    page.goto(night.event.get_absolute_url())

    page.get_by_label("Find my table").fill(match.b.player.name)
    page.get_by_role("button", name="Find").click()

    expect(page.get_by_role("heading", name=f"Table 1 against {match.a.player.name}")).to_be_visible()
