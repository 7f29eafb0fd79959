"""What was typed when the site asks who it is: kept on the device, the way on in sight, sent once afterwards."""

import re
from collections.abc import Callable

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import Page, Route, expect

from tests.browser.test_at_the_table import give_card, seated, sign_in
from tests.browser.test_results import facts_at, type_rows
from tests.support.browsing import LAPTOP, PHONE
from tests.support.built_fleets import bring_all
from tests.support.clicking import look_at, press
from tests.support.nights import BY, PASSWORD, Night, make_night
from tourney import access
from tourney.actions import player_cards, sign_off
from tourney.models import Entrant, JournalEntry, PlayerReport, SheetCheck

pytestmark = pytest.mark.django_db(transaction=True)
SIGNED_OUT = "You’re signed out. Sign in again to send what’s waiting."
NO_CARD = "Ask at the desk for your new card and open it on this phone to send what’s waiting."


@pytest.fixture
def night() -> Night:
    night = make_night(players=4, open_round=True)
    bring_all(night.event)
    return night


def sign_in_again(page: Page, night: Night) -> None:
    press(page, page.get_by_role("link", name="Sign in again"))
    page.get_by_label("Name").fill(night.judge.username)
    page.get_by_label("Password").fill(PASSWORD)
    press(page, page.get_by_role("button", name="Sign in"))


def report_time(page: Page, night: Night) -> None:
    page.get_by_role("radio", name="Time", exact=True).check()
    for entrant, left in zip(seated(night), (46, 56), strict=True):
        page.get_by_role("group", name="SP left").get_by_label(str(entrant)).fill(str(left))


def report_and_see_the_sum(page: Page, night: Night) -> None:
    report_time(page, night)
    expect(page.locator("#verdict")).to_contain_text(" wins, ")


def results_of(night: Night) -> list[int]:
    """The tables whose results the journal tells, in its order."""
    told = JournalEntry.objects.filter(event=night.event, did="report_result").order_by("pk")
    return list(told.values_list("after__table", flat=True))


@pytest.mark.nightly
def test_rows_typed_after_the_session_has_ended_are_sent_once_after_the_sign_in(open_page: Callable, server: str):
    night = make_night(players=4, open_round=True)
    desk = sign_in(open_page(LAPTOP), night, night.judge, server)
    desk.goto(f"/e/{night.event.slug}/desk/rounds/1/results/")
    Session.objects.all().delete()

    type_rows(desk, 2)

    lacking = desk.locator(".outbox-lacking")
    expect(lacking).to_contain_text(SIGNED_OUT)
    expect(lacking).to_contain_text("2 entries are kept on this device")
    expect(desk.locator(".entry-waiting").first).to_contain_text("Kept here until you sign in (")
    assert results_of(night) == []
    look_at(desk)
    sign_in_again(desk, night)

    expect(desk.locator(".entry-row[data-saved]")).to_have_count(2)
    expect(desk.locator(".outbox, .entry-waiting")).to_have_count(0)
    assert [facts_at(night, table)[2:4] for table in (1, 2)] == [(35, 50), (35, 50)]
    assert results_of(night) == [1, 2]


@pytest.mark.nightly
def test_a_result_saved_after_the_session_has_ended_is_kept_and_sent_once(night, open_page: Callable, server: str):
    sign_off.sign_all_on_paper(night.event, 1, by=BY)
    desk = sign_in(open_page(PHONE), night, night.organizer, server)
    desk.goto(f"/e/{night.event.slug}/desk/rounds/1/tables/1/")
    report_time(desk, night)
    Session.objects.all().delete()

    desk.get_by_role("button", name="Save result").click()

    lacking = desk.locator(".outbox-lacking")
    expect(lacking).to_contain_text(SIGNED_OUT)
    expect(lacking).to_contain_text("1 entry is kept on this device: the result of round 1, table 1 (")
    look_at(desk)
    sign_in_again(desk, night)

    expect(desk.locator("main")).to_contain_text("Table 1: ")
    expect(desk.locator(".outbox")).to_have_count(0)
    assert facts_at(night, 1)[2:4] == (46, 56)
    assert results_of(night) == [1]


@pytest.mark.nightly
def test_what_is_typed_stays_while_its_sum_is_asked_for_without_a_sign_in(night, open_page: Callable, server: str):
    desk = sign_in(open_page(LAPTOP), night, night.organizer, server)
    desk.goto(f"/e/{night.event.slug}/desk/rounds/1/tables/1/")
    Session.objects.all().delete()

    with desk.expect_response(lambda answer: answer.request.method == "POST") as asked:
        report_time(desk, night)

    assert asked.value.status == 204
    expect(desk.get_by_role("group", name="SP left").get_by_role("textbox").last).to_have_value("56")


@pytest.mark.nightly
def test_a_page_that_is_older_than_the_sign_in_is_sent_all_the_same_once(night, open_page: Callable, server: str):
    sign_off.sign_all_on_paper(night.event, 1, by=BY)
    desk = sign_in(open_page(LAPTOP), night, night.organizer, server)
    desk.goto(f"/e/{night.event.slug}/desk/rounds/1/tables/1/")
    report_and_see_the_sum(desk, night)
    desk.context.clear_cookies(name="csrftoken")
    desk.context.new_page().goto(f"/e/{night.event.slug}/desk/")

    press(desk, desk.get_by_role("button", name="Save result"))

    expect(desk.get_by_role("status").filter(has_text="Table 1: ")).to_be_visible()
    assert results_of(night) == [1]


@pytest.mark.nightly
def test_a_browser_that_keeps_no_cookies_is_told_so_and_keeps_what_was_sent(night, open_page: Callable, server: str):
    me, other = seated(night)
    phone = give_card(open_page(PHONE), me, server)
    phone.goto(f"/e/{night.event.slug}/rounds/1/report/")
    report_and_see_the_sum(phone, night)
    phone.route("**/report/", forget_the_token)

    phone.get_by_role("button", name=f"Send to {other}").click()

    lacking = phone.locator(".outbox-lacking")
    expect(lacking).to_contain_text("Allow cookies for this address and reload the page to send what’s waiting.")
    look_at(phone)
    expect(phone.get_by_role("link", name="Reload page")).to_have_attribute("href", phone.url)
    phone.unroute_all()
    phone.reload()  # as the link does, which goes as soon as the page that is left sends it
    # The page that is left may send it just before the new one does, so what is said differs; what is shown does not
    expect(phone.locator("main")).to_contain_text("You reported")
    assert PlayerReport.objects.count() == 1


def forget_the_token(route: Route) -> None:
    """No token fits, as in a browser without cookies."""
    body = route.request.post_data
    route.continue_(post_data=body and re.sub("csrfmiddlewaretoken=[^&]*", "csrfmiddlewaretoken=none", body))


def hold_a_card(page: Page, entrant: Entrant, server: str) -> None:
    key = player_cards.issue(entrant.player, by=BY)
    page.context.add_cookies([{"name": access.card_cookie(entrant.player.store), "value": key, "url": server}])


@pytest.mark.nightly
def test_a_report_with_a_card_that_was_issued_anew_waits_for_the_new_one(night, open_page: Callable, server: str):
    me, other = seated(night)
    phone = give_card(open_page(PHONE), me, server)
    phone.goto(f"/e/{night.event.slug}/rounds/1/report/")
    report_and_see_the_sum(phone, night)
    new = player_cards.issue(me.player, by=BY)

    phone.get_by_role("button", name=f"Send to {other}").click()

    lacking = phone.locator(".outbox-lacking")
    expect(lacking).to_contain_text(NO_CARD)
    expect(lacking).to_contain_text("1 entry is kept on this device: your report for table 1 (")
    look_at(phone)
    phone.goto(f"/card/{new}/")
    press(phone, phone.get_by_role("button", name=f"Use {me.player}’s card"))

    expect(phone.locator(".outbox")).to_contain_text("Sent: your report for table 1.")
    assert [report.seat.entrant for report in PlayerReport.objects.all()] == [me]
    assert JournalEntry.objects.filter(event=night.event, did="report").count() == 1


def test_a_signature_is_never_sent_with_the_card_of_somebody_else(night, open_page: Callable, server: str):
    me, other = seated(night)
    stranger = next(one for one in night.event.entrants.all() if one not in (me, other))
    phone = give_card(open_page(PHONE), me, server)
    press(phone, phone.get_by_role("link", name="Check and sign"))
    hold_a_card(phone, stranger, server)

    phone.get_by_role("button", name="It matches: sign the fleet").click()
    expect(phone.locator(".outbox-lacking")).to_contain_text(NO_CARD)
    assert not SheetCheck.objects.exists()
    hold_a_card(phone, me, server)

    expect(phone.locator(".outbox")).to_contain_text("Sent: your signature on ")
    assert SheetCheck.objects.get().seat.entrant == me
