"""The keys of the desk: shown by "?", never in the way of typing, to be turned off; and the clock by them."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_at_the_table import sign_in
from tests.support.browsing import LAPTOP, PHONE, assert_accessible_by_day_and_night
from tests.support.nights import BY, Night, make_night, now
from tourney.actions import rounds
from tourney.models import JournalEntry

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def night() -> Night:
    """Round 2 is in play, and its clock is paused."""
    night = make_night(players=8, rounds=1, open_round=True)
    rounds.pause_clock(night.event, 2, by=BY)
    return night


@pytest.fixture
def desk(open_page: Callable[..., Page], night, server: str) -> Page:
    return sign_in(open_page(LAPTOP), night, night.organizer, server)


def of_the_clock(night: Night) -> list[str]:
    entries = JournalEntry.objects.filter(event=night.event, did__endswith="_clock", after__round=2)
    return [*entries.order_by("pk").values_list("did", flat=True)]


@pytest.mark.parametrize("page", ["", "rounds/2/"], ids=["overview", "round"])
def test_the_clock_is_started_paused_and_moved_by_keys_and_each_is_said(desk: Page, night, page: str):
    before = of_the_clock(night)
    desk.goto(f"/e/{night.event.slug}/desk/{page}")
    said = desk.locator("#clock-said")

    for key, sentence, button in (
        ("c", "Clock started.", "#clock-pause"),
        ("c", "Clock paused.", "#clock-start"),
        ("+", "1 minute added.", "#clock-plus-1"),
        ("-", "1 minute taken off.", "#clock-minus-1"),
    ):
        desk.keyboard.press(key)
        expect(said).to_have_text(sentence)
        expect(desk.locator(button)).to_be_visible()

    expect(said).to_have_attribute("role", "status")
    assert of_the_clock(night)[len(before) :] == ["start_clock", "pause_clock", "extend_clock", "extend_clock"]


def test_what_cannot_be_done_to_the_clock_is_said_too(desk: Page, night):
    desk.goto(f"/e/{night.event.slug}/desk/rounds/2/")
    expect(desk.locator("#clock-start")).to_be_visible()
    rounds.start_clock(night.event, 2, by=now())

    desk.keyboard.press("c")

    expect(desk.locator("#clock-said")).to_contain_text("already running")


def test_no_key_does_anything_while_somebody_types(desk: Page, night):
    before = of_the_clock(night)
    desk.locator("summary", has_text="Add or remove minutes").click()
    field = desk.get_by_label("Reason")
    field.press_sequentially("c + - / ?")

    expect(field).to_have_value("c + - / ?")
    expect(desk.locator("dialog")).to_have_count(0)
    assert of_the_clock(night) == before


@pytest.mark.many
@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_the_keys_of_the_page_are_listed_for_who_presses_a_question_mark_or_the_button(
    open_page: Callable[..., Page], night, server: str, device: dict
):
    page = sign_in(open_page(device), night, night.organizer, server)
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_contain_text("Start the clock")
    assert_accessible_by_day_and_night(page)
    page.keyboard.press("Escape")
    page.goto(f"/e/{night.event.slug}/desk/journal/")
    button = page.get_by_role("button", name="Keys")
    button.click()

    expect(dialog).not_to_contain_text("clock")
    page.keyboard.press("Escape")
    expect(button).to_be_focused()


def test_keys_of_one_letter_can_be_turned_off_and_stay_so_on_this_device(desk: Page, night):
    before = of_the_clock(night)
    desk.get_by_role("button", name="Keys").click()
    desk.get_by_label("Single-key shortcuts on this device").uncheck()
    desk.get_by_role("button", name="Close").click()
    desk.reload()
    expect(desk.get_by_role("button", name="Keys")).to_be_visible()

    for key in ("c", "/", "?"):
        desk.keyboard.press(key)
    desk.keyboard.press("Control+k")

    expect(desk.locator("dialog")).to_have_count(1)
    expect(desk.locator("#search-field")).to_be_focused()
    assert of_the_clock(night) == before
    desk.keyboard.press("Escape")
    desk.get_by_role("button", name="Keys").click()
    desk.get_by_label("Single-key shortcuts on this device").check()
    desk.get_by_role("button", name="Close").click()
    desk.keyboard.press("/")
    expect(desk.locator("#search-field")).to_be_focused()


def test_a_judge_who_may_not_change_the_clock_has_no_keys_for_it(open_page: Callable[..., Page], night, server: str):
    page, before = sign_in(open_page(LAPTOP), night, night.judge, server), of_the_clock(night)
    page.keyboard.press("c")
    page.keyboard.press("?")

    expect(page.get_by_role("dialog", name="Keys")).not_to_contain_text("clock")
    assert of_the_clock(night) == before


def test_what_the_foot_of_a_page_offers_stands_apart_and_whole(open_page: Callable[..., Page], night, server: str):
    page = sign_in(open_page(PHONE), night, night.owner, server)
    page.goto(f"/s/{night.store.slug}/settings/")
    foot = page.locator(".app-footer p")
    account, keys = foot.get_by_role("link", name="Account"), foot.get_by_role("button", name="Keys")

    assert account.evaluate("link => link.getClientRects().length") == 1
    first, second = account.bounding_box(), keys.bounding_box()
    assert second["x"] - (first["x"] + first["width"]) >= 8 or second["y"] >= first["y"] + first["height"]
