"""What the desk is asked before a round and before a result, pressed in a real browser (rules 1.4, 7.1, 7.2)."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_at_the_table import sign_in
from tests.support.browsing import LAPTOP, PHONE
from tests.support.built_fleets import bring, night_with_fleets
from tests.support.clicking import look_at, press
from tests.support.nights import BY, Night, make_night
from tourney.actions import entrants, rounds
from tourney.models import Event, FleetsRecorded, Round

pytestmark = pytest.mark.django_db(transaction=True)

AT_NIGHT = pytest.param(LAPTOP, id="laptop", marks=pytest.mark.nightly)
DEVICES = pytest.mark.parametrize("device", [pytest.param(PHONE, id="phone"), AT_NIGHT])
WITHOUT = "No faction for Bo"


def two_undeclared() -> Night:
    night = make_night(players=2)
    entrants.register(night.event, [("Ada", ""), ("Bo", "")], by=BY, checked_in=True)
    rounds.pair_round(night.event, seed=1, by=BY)
    return night


def at(page: Page, night: Night, server: str, place: str = "") -> Page:
    sign_in(page, night, night.organizer, server)
    page.goto(f"/e/{night.event.slug}/desk/{place}")
    return page


def results_of(night: Night) -> int:
    return Round.objects.get(event=night.event).matches.exclude(result=None).count()


@pytest.mark.nightly
@DEVICES
def test_1_4_one_press_each_until_round_1_can_be_published(open_page, server: str, device: dict):
    night = two_undeclared()
    desk = at(open_page(device), night, server, "rounds/1/")
    expect(desk.get_by_role("button", name="Publish round 1")).to_have_count(0)
    look_at(desk)

    desk.get_by_label("Ada Faction").select_option("Klingon")
    expect(desk.get_by_label("Ada Faction")).to_have_count(0)
    desk.get_by_role("button", name=WITHOUT).click()
    press(desk, desk.get_by_role("button", name="Publish round 1"))

    assert list(night.event.entrants.filter(number__gt=2).values_list("faction", "plays_without")) == [
        ("Klingon", False),
        ("", True),
    ]
    assert Round.objects.get(event=night.event).state == Round.State.PUBLISHED


@pytest.mark.nightly
def test_the_list_of_the_desk_works_without_scripts(open_page, server: str):
    night = two_undeclared()
    desk = at(open_page(LAPTOP, javascript=False), night, server)

    desk.get_by_label("Ada Faction").select_option("Klingon")
    desk.get_by_role("button", name="Save faction for Ada").click()
    desk.get_by_role("button", name=WITHOUT).click()

    expect(desk.get_by_role("heading", name="without a faction")).to_have_count(0)
    assert night.event.entrants.get(number=3).faction == "Klingon"


@pytest.mark.nightly
@DEVICES
def test_7_1_the_draft_is_published_without_the_fleets_that_it_lists(open_page, server: str, device: dict):
    night = make_night(players=4)
    bring(night.event, 1)
    rounds.pair_round(night.event, seed=1, by=BY)
    desk = at(open_page(device), night, server, "rounds/1/")
    look_at(desk)

    press(desk, desk.get_by_role("button", name="Publish round 1 without 3 fleets"))

    assert Round.objects.get(event=night.event).state == Round.State.PUBLISHED


@DEVICES
def test_7_2_a_row_says_what_is_missing_and_saves_with_the_next_press(open_page, server: str, device: dict):
    night = night_with_fleets()
    desk = at(open_page(device), night, server, "rounds/1/results/")
    rows = desk.locator(".entry-row")

    rows.nth(0).get_by_label("How it ended").select_option("both_eliminated")
    rows.nth(0).get_by_label("How it ended").press("Enter")
    expect(rows.nth(0).get_by_role("button", name="Save anyway")).to_be_visible()
    look_at(desk)
    assert results_of(night) == 0
    rows.nth(0).get_by_role("button", name="Save anyway").click()
    expect(rows.nth(0).get_by_role("button", name="Save anyway")).to_have_count(0)
    expect(desk.locator(".entry-row[data-saved]")).to_have_count(1)

    assert results_of(night) == 1


@pytest.mark.nightly
@DEVICES
def test_7_2_a_table_whose_sheets_are_required_is_signed_on_paper_and_saved_in_one_press(
    open_page, server: str, device: dict
):
    night = night_with_fleets()
    Event.objects.filter(pk=night.event.pk).update(fleets_recorded=FleetsRecorded.REQUIRED)
    desk = at(open_page(device), night, server, "rounds/1/tables/1/")

    desk.get_by_role("radio", name="Both eliminated").check()
    desk.get_by_role("button", name="Save result").click()
    expect(desk.get_by_role("button", name="Save as signed on paper")).to_be_in_viewport()
    look_at(desk)
    press(desk, desk.get_by_role("button", name="Save as signed on paper"))

    assert results_of(night) == 1
