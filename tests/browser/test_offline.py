"""Bad Wi-Fi: pages stay readable with the time they are of, and what was sent is kept, sent later, and counted once."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_at_the_table import give_card, seated, sign_in
from tests.support.browsing import LAPTOP, PHONE
from tests.support.built_fleets import bring_all
from tests.support.clicking import press
from tests.support.nights import Night, make_night
from tests.support.tables import enter, on_time
from tourney.models import JournalEntry, PlayerReport, Result, SheetCheck

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def night() -> Night:
    night = make_night(players=4, open_round=True)
    bring_all(night.event)
    return night


def test_a_signature_made_offline_is_kept_and_counts_once_when_the_network_is_back(
    night, open_page: Callable[..., Page], server: str
):
    me, other = seated(night)
    phone = give_card(open_page(PHONE), me, server)
    press(phone, phone.get_by_role("link", name="Check and sign"))

    phone.context.set_offline(True)
    phone.get_by_role("button", name="It matches: sign the fleet").click()
    waiting = phone.locator(".outbox-waiting")
    expect(waiting).to_contain_text(f"Waiting for the network: your signature on {other}’s fleet")
    assert not SheetCheck.objects.exists()
    phone.context.set_offline(False)

    expect(phone.locator(".outbox")).to_contain_text(f"Sent: your signature on {other}’s fleet.")
    assert SheetCheck.objects.get().seat.entrant == me
    assert JournalEntry.objects.filter(did="sign_fleet").count() == 1


@pytest.mark.nightly
def test_a_report_made_offline_arrives_once_and_the_opponent_confirms_it(
    night, open_page: Callable[..., Page], server: str
):
    me, other = seated(night)
    phone = give_card(open_page(PHONE), me, server)
    phone.goto(f"/e/{night.event.slug}/rounds/1/report/")
    phone.get_by_role("radio", name="Time", exact=True).check()
    for entrant, left in ((me, 46), (other, 56)):
        phone.get_by_role("group", name="SP left").get_by_label(str(entrant)).fill(str(left))

    phone.context.set_offline(True)
    phone.get_by_role("button", name=f"Send to {other}").click()
    expect(phone.locator(".outbox-waiting")).to_contain_text("Waiting for the network: your report for table 1")
    phone.context.set_offline(False)
    expect(phone.locator(".outbox")).to_contain_text("Sent: your report for table 1.")
    opposite = give_card(open_page(PHONE), other, server)
    opposite.goto(f"/e/{night.event.slug}/rounds/1/report/")
    press(opposite, opposite.get_by_role("button", name="Yes, that’s right"))

    assert PlayerReport.objects.filter(seat__entrant=me).count() == 1
    assert Result.objects.get().match.table == 1
    assert JournalEntry.objects.filter(did="report_result").count() == 1


@pytest.mark.nightly
def test_what_came_too_slowly_is_kept_and_sent_again(night, open_page: Callable[..., Page], server: str):
    me, other = seated(night)
    phone = give_card(open_page(PHONE), me, server)
    press(phone, phone.get_by_role("link", name="Check and sign"))
    phone.route(
        "**/fleets/**",
        lambda route: route.fulfill(status=408) if route.request.method == "POST" else route.continue_(),
    )

    phone.get_by_role("button", name="It matches: sign the fleet").click()
    expect(phone.locator(".outbox-waiting")).to_contain_text("your signature on")
    assert not SheetCheck.objects.exists()
    phone.unroute_all()
    phone.evaluate("dispatchEvent(new Event('online'))")

    expect(phone.locator(".outbox")).to_contain_text(f"Sent: your signature on {other}’s fleet.")
    assert SheetCheck.objects.count() == 1


@pytest.mark.nightly
def test_what_waits_survives_a_closed_page(night, open_page: Callable[..., Page], server: str):
    me, _ = seated(night)
    phone = give_card(open_page(PHONE), me, server)
    press(phone, phone.get_by_role("link", name="Check and sign"))
    phone.context.set_offline(True)
    phone.get_by_role("button", name="It matches: sign the fleet").click()
    expect(phone.locator(".outbox-waiting")).to_be_visible()

    again = phone.context.new_page()
    phone.close()
    again.context.set_offline(False)
    again.goto(f"/e/{night.event.slug}/me/")

    expect(again.locator(".outbox")).to_contain_text("Sent: ")
    assert SheetCheck.objects.get().state == SheetCheck.State.SIGNED


def test_a_result_that_was_entered_meanwhile_is_not_overwritten_and_both_are_shown(
    night, open_page: Callable[..., Page], server: str
):
    desk = sign_in(open_page(LAPTOP), night, night.organizer, server)
    desk.goto(f"/e/{night.event.slug}/desk/rounds/1/tables/1/")
    desk.get_by_role("radio", name="Time", exact=True).check()
    for entrant, left in zip(seated(night), (46, 56), strict=True):
        desk.get_by_role("group", name="SP left").get_by_label(str(entrant)).fill(str(left))
    desk.context.set_offline(True)
    desk.get_by_role("button", name="Save result").click()
    expect(desk.locator(".outbox-waiting")).to_contain_text("the result of round 1, table 1")
    enter(night.event, 1, on_time(56, 46))
    desk.context.set_offline(False)

    refused = desk.locator(".outbox-refused")
    expect(refused).to_contain_text("Not saved: the result of round 1, table 1")
    expect(refused).to_contain_text("Round 1, table 1, Onyx against Vor: result entered.")
    assert (Result.objects.get().sp_left_a, Result.objects.get().sp_left_b) == (56, 46)
    press(desk, desk.get_by_role("button", name="Show saved result"))
    meanwhile = desk.get_by_role("region", name="While this page was open")
    expect(meanwhile).to_contain_text("Round 1, table 1, Onyx against Vor: result entered.")
    both = desk.get_by_role("region", name="Compare both versions", exact=True)
    expect(both.get_by_role("row", name="Onyx’s SP left")).to_contain_text("56 46 differs")


@pytest.mark.nightly
def test_the_card_and_the_fleet_open_without_a_network_as_of_the_time_they_are_of(
    night, open_page: Callable[..., Page], server: str
):
    me, other = seated(night)
    phone = give_card(open_page(PHONE, worker=True), me, server)
    phone.evaluate("navigator.serviceWorker.ready.then(() => true)")
    for path in (f"/e/{night.event.slug}/", f"/e/{night.event.slug}/fleets/{me.number}/", f"/e/{night.event.slug}/me/"):
        phone.goto(path)

    phone.context.set_offline(True)
    phone.reload()
    expect(phone.get_by_role("heading", name=f"Table 1 against {other}")).to_be_visible()
    expect(phone.locator(".network").first).to_contain_text("Not connected. This page is from ")
    phone.goto(f"/e/{night.event.slug}/fleets/{me.number}/")
    expect(phone.get_by_role("heading", name="My fleet")).to_be_visible()


@pytest.mark.nightly
def test_what_was_said_of_something_just_done_is_not_said_again_by_the_kept_page(
    night, open_page: Callable[..., Page], server: str
):
    me, other = seated(night)
    phone = give_card(open_page(PHONE, worker=True), me, server)
    phone.evaluate("navigator.serviceWorker.ready.then(() => true)")
    press(phone, phone.get_by_role("link", name="Check and sign"))
    press(phone, phone.get_by_role("button", name="It matches: sign the fleet"))
    expect(phone.locator(".messages")).to_have_text(f"You signed {other}’s fleet.")

    phone.context.set_offline(True)
    phone.reload()

    expect(phone.locator(".network").first).to_contain_text("Not connected. This page is from ")
    expect(phone.locator("main")).to_contain_text(f"Table 1 against {other}")
    expect(phone.locator(".messages")).to_have_count(0)


@pytest.mark.nightly
def test_the_desk_is_never_kept_on_a_device(night, open_page: Callable[..., Page], server: str):
    page = sign_in(open_page(LAPTOP, worker=True), night, night.organizer, server)
    page.goto(f"/e/{night.event.slug}/")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.goto(f"/e/{night.event.slug}/")
    page.goto(f"/e/{night.event.slug}/desk/")

    kept = page.evaluate(
        "caches.keys().then(names => Promise.all(names.map(name => caches.open(name).then(one => one.keys()))))"
        ".then(all => all.flat().map(request => new URL(request.url).pathname))"
    )
    assert f"/e/{night.event.slug}/" in kept
    assert [path for path in kept if "/desk/" in path] == []
