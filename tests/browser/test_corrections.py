"""Corrections at the desk with phones watching: the new table is there at once, and who plays already is left in peace.

The site is the real server with its two processes, so that phones hear of it by the stream.
"""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_live import give_card, server, sign_in, watch  # noqa: F401
from tests.support.browsing import LAPTOP, PHONE
from tests.support.clicking import look_at, press
from tests.support.corrected import night_in_round, tables
from tests.support.nights import Night
from tests.support.tables import enter, match_at, on_time
from tourney.models import Event
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db(transaction=True)


def name_of(night: Night, number: int) -> str:
    return state_of(night.event).names[number]


def watching(open_page, server: str, night: Night, number: int) -> Page:  # noqa: F811
    """That player's phone, with the table it shows now."""
    phone = open_page(PHONE, only_told=True)
    give_card(phone, server, night, number)
    watch(phone, f"/e/{night.event.slug}/me/")
    return phone


def turn_the_result(desk: Page, night: Night, *, number: int = 1) -> None:
    """At table 1 of that round the other one has won; the page with the effect is there."""
    desk.goto(f"/e/{night.event.slug}/desk/rounds/{number}/tables/1/")
    form = desk.locator("form.result-form")
    if not form.is_visible():
        desk.get_by_text("Edit result").click()
    form.get_by_role("radio", name="Time").check()
    for field, left in (("sp_left_a", "5"), ("sp_left_b", "80")):
        form.locator(f"[name={field}]").fill(left)
    form.get_by_label("Reason for the correction").fill("the slip was read the wrong way round")
    press(desk, desk.get_by_role("button", name="Review changes"))
    expect(desk.get_by_role("heading", name="Review correction")).to_be_visible()


@pytest.mark.nightly
@pytest.mark.many
@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_the_fewest_tables_change_after_a_correction_and_phones_show_it_at_once(open_page, server: str, device):  # noqa: F811
    """Two of five were seated by a wrong result: their phones, and that of the one who has the bye now, follow."""
    night = night_in_round(2, 5)
    moved, sits_out = watching(open_page, server, night, 2), watching(open_page, server, night, 1)
    desk = open_page(device)
    sign_in(desk, server, night.organizer)
    turn_the_result(desk, night)
    look_at(desk)

    expect(desk.get_by_text("Round 2 would have been paired differently")).to_be_visible()
    desk.get_by_role("radio", name="Change as few tables as possible").check()
    desk.get_by_role("button", name="Save correction").click()

    expect(sits_out.get_by_role("heading", name="You have the bye this round")).to_be_visible()
    now = match_at(night.event, 1, 2)
    assert 2 in now.numbers
    table = f"Table 1 against {now.opponent_of(2).player.name}"
    expect(moved.get_by_role("heading", name=table)).to_be_visible()
    expect(desk.locator(".messages")).to_contain_text("All phones and screens show it now")
    assert match_at(night.event, 1).result.sp_left_b == 80


@pytest.mark.nightly
def test_a_table_that_plays_already_is_ticked_and_its_phones_stay_as_they_are(open_page, server: str):  # noqa: F811
    night = night_in_round(2, 9)
    before = tables(night.event)
    phone = watching(open_page, server, night, min(before[3]))
    shown = phone.locator("#card h2").first.inner_text()
    desk = open_page(LAPTOP)
    sign_in(desk, server, night.organizer)
    turn_the_result(desk, night)

    desk.get_by_text("Which tables have started?").click()
    with desk.expect_response("**/tables/1/"):
        desk.locator("label.check", has_text="Table 3:").click()
    expect(desk.locator("#ways")).to_contain_text("Change as few tables as possible")
    look_at(desk)
    desk.get_by_role("radio", name="Change as few tables as possible").check()
    desk.get_by_role("button", name="Save correction").click()

    expect(desk.locator(".messages")).to_contain_text("All phones and screens show it now")
    after = tables(night.event)
    assert after[3] == before[3]
    assert after != before
    assert phone.locator("#card h2").first.inner_text() == shown


@pytest.mark.nightly
def test_a_result_that_came_from_a_table_while_the_desk_looked_is_not_lost(open_page, server: str):  # noqa: F811
    """The desk looks at the effect; meanwhile a table of the round in play has its result: the desk is told first."""
    night = night_in_round(2, 5)
    desk = open_page(LAPTOP)
    sign_in(desk, server, night.organizer)
    turn_the_result(desk, night)
    desk.get_by_role("radio", name="Change as few tables as possible").check()
    enter(night.event, 1, on_time(10, 20), number=2)
    pair = tables(night.event)[1]

    desk.get_by_role("button", name="Save correction").click()

    expect(desk.get_by_role("alert")).to_contain_text("the effect is no longer the one you saw")
    expect(desk.get_by_text("the slip was read the wrong way round")).to_be_visible()
    look_at(desk)
    desk.get_by_role("button", name="Save correction").click()
    expect(desk).to_have_url(f"{server}/e/{night.event.slug}/desk/rounds/1/")
    assert (tables(night.event)[1], match_at(night.event, 1, 2).result.sp_left_a) == (pair, 10)


@pytest.mark.nightly
def test_an_old_round_is_corrected_only_by_who_types_the_word(open_page, server: str):  # noqa: F811
    night = night_in_round(3, 8)
    desk = open_page(PHONE)
    sign_in(desk, server, night.organizer)
    turn_the_result(desk, night)

    press(desk, desk.get_by_role("button", name="Save correction"))
    expect(desk.get_by_role("alert")).to_contain_text("Type “correct” to confirm")
    look_at(desk)
    assert match_at(night.event, 1).result.version == 1
    desk.get_by_label("Type “correct”").fill("correct")
    press(desk, desk.get_by_role("button", name="Save correction"))

    expect(desk.locator("h1")).to_have_text("Round 1")
    assert match_at(night.event, 1).result.version == 2


@pytest.mark.nightly
def test_a_round_in_play_is_paired_anew_from_its_page_and_taken_back(open_page, server: str):  # noqa: F811
    night = night_in_round(2, 8)
    before = tables(night.event)
    one, other = min(before[1]), min(before[2])
    phone = watching(open_page, server, night, one)
    desk = open_page(LAPTOP)
    sign_in(desk, server, night.organizer)
    desk.goto(f"/e/{night.event.slug}/desk/rounds/2/")
    press(desk, desk.get_by_role("link", name="Re-pair tables"))
    look_at(desk)

    for label, number, table in (("First player", one, 1), ("Second player", other, 2)):
        desk.get_by_label(label).select_option(f"{name_of(night, number)} (table {table})")
    desk.get_by_role("button", name="Review changes").click()
    expect(desk.get_by_text("Swap the two players")).to_be_visible()
    desk.get_by_label("Why?").fill("they came together")
    look_at(desk)
    press(desk, desk.get_by_role("button", name="Update tables now"))

    opponent = next(iter(before[2] - {other}))
    table = phone.get_by_role("heading", name=f"Table 2 against {name_of(night, opponent)}")
    expect(table).to_be_visible()
    desk.goto(f"/e/{night.event.slug}/desk/history/")
    desk.get_by_role("button", name="Undo").click()
    opponent = next(iter(before[1] - {one}))
    table = phone.get_by_role("heading", name=f"Table 1 against {name_of(night, opponent)}")
    expect(table).to_be_visible()
    assert tables(night.event) == before


@pytest.mark.nightly
def test_without_javascript_a_correction_is_shown_and_saved(open_page, server: str):  # noqa: F811
    night = night_in_round(2, 5)
    desk = open_page(PHONE, javascript=False)
    sign_in(desk, server, night.organizer)
    turn_the_result(desk, night)

    desk.get_by_role("radio", name="Change as few tables as possible").check()
    desk.get_by_role("button", name="Save correction").click()

    expect(desk.locator("h1")).to_have_text("Round 1")
    assert Event.objects.get(pk=night.event.pk).journal.last().did == "correct_and_repair"
