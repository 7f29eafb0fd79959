"""Two phones and a desk in a browser: a result is reported, confirmed, disputed and decided (rule 7.2)."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db.models import F
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from tests.browser.test_at_the_table import SMALL, give_card, sign_in
from tests.support.browsing import LAPTOP, PHONE, assert_accessible
from tests.support.built_fleets import bring_all
from tests.support.clicking import look_at, press
from tests.support.nights import BY, Night, make_night
from tests.support.tables import enter, match_at, on_time
from tourney.actions import reports, sign_off, wishes
from tourney.models import Entrant, Event, PlayerReport

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def night() -> Night:
    """Four players with fleets, round 1 in play."""
    night = make_night(players=4, open_round=True)
    bring_all(night.event)
    return night


@pytest.fixture
def pair(night) -> tuple[Entrant, Entrant]:
    return match_at(night.event, 1).entrants


def fill_in(phone: Page, left: dict[str, int]) -> None:
    """Time was called, with so many SP left, by whose they are: "Your" or "Onyx’s"."""
    press(phone, phone.locator("#report"))
    phone.get_by_role("radio", name="Time").check()
    for whose, sp in left.items():
        left_of(phone, whose).fill(str(sp))


def left_of(phone: Page, whose: str) -> Locator:
    return phone.get_by_role("group", name="SP left").get_by_label(f"{whose} SP left")


def button(phone: Page, name: str):
    return phone.get_by_role("button", name=name)


def test_one_reports_the_other_confirms_and_the_desk_sees_it(night, pair, open_page: Callable[..., Page], server: str):
    desk = sign_in(open_page(LAPTOP), night, night.organizer, server)
    mine, theirs = (give_card(open_page(PHONE), entrant, server) for entrant in pair)
    verdict = f"{pair[0]} wins, 54 Fleet Points to 18."
    expect(mine.locator("#report")).to_be_in_viewport()

    fill_in(mine, {"Your": 82, f"{pair[1]}’s": 46})
    expect(mine.locator("#verdict b")).to_have_text("You win 54–18.")
    expect(mine.locator("#verdict")).to_contain_text("That’s 2 Battle Points and 54 Fleet Points for you.")
    expect(mine.locator("#verdict")).to_be_in_viewport()
    look_at(mine)
    press(mine, button(mine, f"Send to {pair[1]}"))

    expect(mine.locator("#word")).to_contain_text("Awaiting confirmation")
    look_at(mine)
    expect(theirs.locator("#card")).to_contain_text(f"{pair[0]} reported: You lose 18–54.")
    expect(theirs.locator("#report")).to_be_in_viewport()
    look_at(theirs)
    expect(desk.locator(".pairing").first).to_contain_text(f"waiting for {pair[1]}")
    press(theirs, theirs.get_by_role("link", name="No, report a different result"))
    expect(theirs.locator("#own")).to_be_in_viewport()
    look_at(theirs)
    theirs.go_back()
    press(theirs, button(theirs, "Yes, that’s right"))

    expect(theirs.locator(".messages")).to_contain_text(f"Agreed. {verdict}")
    expect(mine.locator("#word")).to_contain_text("Official result")
    expect(desk.locator(".pairing").first).to_contain_text("Agreed")


@pytest.mark.nightly
def test_a_refused_report_is_put_right_on_the_page_that_says_why(
    night, pair, open_page: Callable[..., Page], server: str
):
    """The answer takes the place of the page, whose scripts go on: asking, counting, sending without a network."""
    phone, _ = (give_card(open_page(PHONE), entrant, server) for entrant in pair)
    fill_in(phone, {"Your": 200, f"{pair[1]}’s": 46})
    button(phone, f"Send to {pair[1]}").click()
    expect(phone.locator(".field-error, .error-summary, .errorlist").first).to_be_visible()
    expect(phone.locator("main")).to_have_count(1)
    look_at(phone)

    left_of(phone, "Your").fill("82")
    phone.context.set_offline(True)
    button(phone, f"Send to {pair[1]}").click()
    expect(phone.locator(".outbox-waiting")).to_contain_text("Waiting for the network: your report for table 1")
    phone.context.set_offline(False)

    expect(phone.locator(".outbox")).to_contain_text("Sent: your report for table 1.")
    assert PlayerReport.objects.get().seat.entrant == pair[0]


@pytest.mark.nightly
def test_two_blind_reports_that_differ_are_decided_at_the_desk(
    night, pair, open_page: Callable[..., Page], server: str
):
    sign_off.sign_all_on_paper(night.event, 1, by=BY)
    desk = sign_in(open_page(LAPTOP), night, night.judge, server)
    mine, theirs = (give_card(open_page(PHONE), entrant, server) for entrant in pair)
    fill_in(mine, {"Your": 82, f"{pair[1]}’s": 46})
    fill_in(theirs, {f"{pair[0]}’s": 82, "Your": 80})

    press(mine, button(mine, f"Send to {pair[1]}"))
    expect(theirs.locator("#word")).to_contain_text(f"{pair[0]}’s report")
    expect(left_of(theirs, "Your")).to_have_value("80")
    press(theirs, button(theirs, f"Send to {pair[0]}"))

    expect(theirs.locator("#word")).to_contain_text("Reports differ")
    look_at(theirs)
    expect(mine.locator("#word")).to_contain_text("Reports differ")
    dispute = desk.get_by_role("link", name=f"Table 1, {pair[0]} against {pair[1]}: disputed")
    expect(dispute).to_be_visible()
    look_at(desk)
    press(desk, dispute)
    look_at(desk)
    press(desk, button(desk, f"Accept {pair[1]}’s report"))

    expect(desk.locator(".messages")).to_contain_text("Table 1: ")
    expect(theirs.locator("#word")).to_contain_text("Official result")
    expect(mine.locator("#word")).to_contain_text("This isn’t what you reported.")
    look_at(mine)


def report(night: Night, table: int, *, minutes: int = 0) -> str:
    """The first player of the table has reported, so many minutes ago; the verdict of that."""
    first, _ = match_at(night.event, table).entrants
    at = timezone.now() - timedelta(minutes=minutes)
    reports.report(night.event, 1, first.number, on_time(82, 46), by=replace(BY, at=at))
    return f"{first} wins, 54 Fleet Points to 18."


@pytest.mark.nightly
@pytest.mark.many
@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_a_report_is_on_the_desks_form_and_accepted_in_one_press(
    night, pair, device, open_page: Callable[..., Page], server: str
):
    sign_off.sign_all_on_paper(night.event, 1, by=BY)
    verdict = report(night, 1)
    desk = sign_in(open_page(device), night, night.judge, server)
    expect(desk.locator(".pairing").first).to_contain_text(f"{pair[1]} has no player card, so the desk confirms it.")
    desk.goto(f"/e/{night.event.slug}/desk/rounds/1/tables/1/")

    left = desk.get_by_role("group", name="SP left")
    expect(left.get_by_label(pair[0].player.name)).to_have_value("82")
    expect(left.get_by_label(pair[1].player.name)).to_have_value("46")
    expect(desk.get_by_role("radio", name="Time")).to_be_checked()
    expect(desk.locator("#preview .result-verdict")).to_have_text(verdict)
    accept = button(desk, f"Accept {pair[0]}’s report")
    expect(accept).to_be_in_viewport()
    look_at(desk)
    press(desk, accept)

    expect(desk.get_by_role("status").filter(has_text=f"Table 1: {verdict}")).to_be_visible()
    assert match_at(night.event, 1).played == on_time(82, 46)


def test_enter_in_a_row_accepts_the_report_and_all_results_only_what_has_waited(
    night, open_page: Callable[..., Page], server: str
):
    sign_off.sign_all_on_paper(night.event, 1, by=BY)
    report(night, 1)
    report(night, 2)
    desk = sign_in(open_page(LAPTOP), night, night.judge, server)
    desk.goto(f"/e/{night.event.slug}/desk/rounds/1/results/")
    expect(desk.locator("[name=t1-ending]")).to_be_focused()
    expect(desk.locator("[name=t1-sp_left_a]")).to_have_value("82")
    look_at(desk)

    desk.keyboard.press("Enter")
    expect(desk.locator("#row-1[data-saved]")).to_contain_text("54 Fleet Points to 18.")
    desk.locator("[name=t2-ending]").focus()
    press(desk, button(desk, "Save all results"))  # nothing is typed, and the report is new
    expect(desk.locator(".messages")).to_contain_text("Nothing to save")
    PlayerReport.objects.update(at=timezone.now() - timedelta(minutes=6))
    Event.objects.filter(pk=night.event.pk).update(version=F("version") + 1)
    desk.reload()
    press(desk, button(desk, "Save all results"))

    expect(desk).to_have_url(re.compile("/desk/#next-action$"))
    assert match_at(night.event, 2).played == on_time(82, 46)


@pytest.mark.nightly
def test_a_report_is_accepted_without_a_script(night, pair, open_page: Callable[..., Page], server: str):
    sign_off.sign_all_on_paper(night.event, 1, by=BY)
    report(night, 1)
    report(night, 2)
    desk = sign_in(open_page(LAPTOP, javascript=False), night, night.judge, server)
    desk.goto(f"/e/{night.event.slug}/desk/rounds/1/results/")

    press(desk, button(desk, f"Accept {pair[0]}’s report"))

    expect(desk.locator(".messages")).to_contain_text("Saved: table 1.")
    assert [match_at(night.event, table).state for table in (1, 2)] == ["done", "playing"]


@pytest.mark.nightly
@pytest.mark.many
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_who_has_no_card_is_not_said_to_be_asked(night, pair, dark, open_page: Callable[..., Page], server: str):
    phone = give_card(open_page(PHONE, dark=dark), pair[0], server)
    fill_in(phone, {"Your": 82, f"{pair[1]}’s": 46})
    press(phone, button(phone, "Send to the desk"))

    told = f"{pair[1]} has no player card, so the desk confirms it."
    expect(phone.locator(".messages")).to_contain_text(f"Sent. {told}")
    expect(phone.locator("#word")).to_contain_text(told)
    assert_accessible(phone)
    phone.get_by_role("link", name="My table").first.click()
    expect(phone.locator("#card")).to_contain_text(told)
    assert_accessible(phone)


@pytest.mark.nightly
def test_to_leave_is_asked_on_the_phone_and_granted_at_the_desk(
    night, pair, open_page: Callable[..., Page], server: str
):
    desk = sign_in(open_page(LAPTOP), night, night.organizer, server)
    phone = give_card(open_page(PHONE), pair[0], server)

    phone.get_by_text("Drop or concede").click()
    look_at(phone)
    press(phone, button(phone, "Ask to drop after round 1"))
    expect(phone.locator("#card")).to_contain_text("You asked to drop after round 1: waiting for the desk.")
    grant = button(desk, f"Approve the drop of {pair[0]}")
    expect(grant).to_be_visible()
    look_at(desk)
    press(desk, grant)

    expect(phone.locator("#card")).to_contain_text("You asked to drop after round 1: approved.")


def test_a_judge_on_a_phone_passes_a_drop_on_and_the_player_sees_it(
    night, pair, open_page: Callable[..., Page], server: str
):
    wishes.ask(night.event, pair[0].number, "drop", by=BY)
    judge = sign_in(open_page(SMALL), night, night.judge, server)
    phone = give_card(open_page(SMALL), pair[0], server)
    judge.goto(f"/e/{night.event.slug}/desk/")
    row = judge.locator(".wish")
    expect(row).to_contain_text("Only an organizer or the owner can approve a drop.")
    look_at(judge)

    press(judge, button(judge, f"Pass on to an organizer the request of {pair[0]}"))

    expect(row).to_contain_text("Passed on to an organizer.")
    expect(row.get_by_role("button", name="Pass on")).to_have_count(0)
    expect(phone.locator("#card")).to_contain_text("You asked to drop after round 1: passed on to an organizer.")
    look_at(judge)


def ask_to_concede(phone: Page) -> None:
    """The phone asks once whether that is meant."""
    button(phone, "Ask to concede this match").click()
    press(phone, phone.locator("dialog").get_by_role("button", name="Ask to concede this match"))


@pytest.mark.nightly
@pytest.mark.many
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_concession_is_asked_once_told_to_the_opponent_and_confirmed_by_one_press(
    night, pair, dark, open_page: Callable[..., Page], server: str
):
    sign_off.sign_all_on_paper(night.event, 1, by=BY)
    desk = sign_in(open_page(LAPTOP, dark=dark), night, night.organizer, server)
    mine, theirs = (give_card(open_page(PHONE, dark=dark), entrant, server) for entrant in pair)

    mine.get_by_text("Drop or concede").click()
    button(mine, "Ask to concede this match").click()
    expect(mine.locator("dialog")).to_contain_text(f"If the desk approves, {pair[1]} wins.")
    assert_accessible(mine)
    press(mine, mine.locator("dialog").get_by_role("button", name="Ask to concede this match"))

    expect(theirs.locator("#card")).to_contain_text(f"{pair[0]} asked to concede: waiting for the desk.")
    assert_accessible(theirs)
    approve = button(desk, f"Approve the concession of {pair[0]}")
    expect(approve).to_be_visible()
    assert_accessible(desk)
    press(desk, approve)
    expect(desk.locator(".messages")).to_contain_text(f"Table 1: {pair[1]} wins")
    expect(theirs.locator("#answer")).to_contain_text("You won")
    expect(mine.locator("#card")).to_contain_text("You asked to concede: approved.")


@pytest.mark.nightly
@pytest.mark.many
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [360, 390])
def test_who_sees_in_a_dispute_that_the_other_is_right_accepts_it_with_two_taps(
    night, pair, width, dark, open_page: Callable[..., Page], server: str
):
    sign_off.sign_all_on_paper(night.event, 1, by=BY)
    for entrant, left in zip(pair, (on_time(82, 46), on_time(82, 80)), strict=True):
        reports.report(night.event, 1, entrant.number, left, by=BY)
    device = PHONE | {"viewport": {"width": width, "height": {360: 640, 390: 844}[width]}}
    mine, theirs = (give_card(open_page(device, dark=dark), entrant, server) for entrant in pair)

    press(theirs, theirs.get_by_role("link", name="Compare reports"))
    expect(theirs.locator("#word")).to_contain_text(f"{pair[0]} reported: You lose 18–54.")
    assert_accessible(theirs)
    assert theirs.evaluate("document.documentElement.scrollWidth <= innerWidth")
    press(theirs, button(theirs, f"Accept {pair[0]}’s report"))

    expect(theirs.locator(".messages")).to_contain_text("Agreed.")
    expect(mine.locator("#answer")).to_contain_text("You won")
    assert match_at(night.event, 1).played == on_time(82, 46)


@pytest.mark.nightly
def test_the_desk_declines_with_a_word_that_survives_news(night, pair, open_page: Callable[..., Page], server: str):
    desk = sign_in(open_page(LAPTOP), night, night.organizer, server)
    phone = give_card(open_page(PHONE), pair[0], server)
    phone.get_by_text("Drop or concede").click()
    ask_to_concede(phone)
    desk.reload()
    desk.locator("summary", has_text="Decline").click()
    desk.get_by_role("textbox", name="Reason (optional, shown to").fill("Two minutes are left")
    enter(night.event, 2, on_time(56, 46))
    expect(desk.locator(".pairing").nth(1)).to_contain_text("Edit result")
    look_at(desk)

    press(desk, button(desk, f"Decline the request of {pair[0]}"))

    said = "You asked to concede: declined. The desk says: Two minutes are left"
    expect(phone.locator("#card")).to_contain_text(said)


@pytest.mark.nightly
def test_a_result_is_reported_and_confirmed_without_javascript(
    night, pair, open_page: Callable[..., Page], server: str
):
    mine, theirs = (give_card(open_page(PHONE, javascript=False), entrant, server) for entrant in pair)
    fill_in(mine, {"Your": 82, f"{pair[1]}’s": 46})
    press(mine, button(mine, "Check the sum"))
    expect(mine.locator("#verdict b")).to_have_text("You win 54–18.")
    press(mine, button(mine, f"Send to {pair[1]}"))
    theirs.reload()

    press(theirs, button(theirs, "Yes, that’s right"))

    expect(theirs.locator(".messages")).to_contain_text("Agreed.")
