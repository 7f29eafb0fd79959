"""Bad Wi-Fi: pages stay readable with the time they are of, and what was sent is kept, sent later, and counted once."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browser.test_at_the_table import SMALL, give_card, seated, sign_in
from tests.support.browsing import LAPTOP, PHONE, assert_accessible
from tests.support.built_fleets import bring_all
from tests.support.clicking import press
from tests.support.nights import BY, Night, make_night
from tests.support.tables import enter, on_time
from tourney.actions import player_cards, reports, sign_off
from tourney.models import JournalEntry, JudgeCall, PlayerReport, Result, Round, SheetCheck
from tourney.queries.matches import played_of

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


UNCOVERED = """one => {
  const { left, top, width } = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(left + width / 2, top + 2));
}"""
"""Nothing that sticks to the top of the page stands on it."""


def test_a_judge_called_offline_is_called_once_the_network_is_back(night, open_page: Callable[..., Page], server: str):
    me, _ = seated(night)
    phone = give_card(open_page(SMALL), me, server)
    phone.locator("#call-judge > summary").click()
    phone.get_by_role("radio", name="Time").check()
    phone.get_by_label("Note for the judge").fill("Was that after time?")

    phone.context.set_offline(True)
    expect(phone.locator(".network:visible")).to_contain_text("Not connected")
    phone.get_by_role("button", name="Call a judge").click()
    expect(phone.locator(".outbox-waiting")).to_contain_text("Waiting for the network: your call for a judge")
    expect(phone.locator(".outbox-waiting")).to_be_in_viewport(ratio=1)
    assert phone.locator(".outbox-waiting").evaluate(UNCOVERED)
    phone.get_by_role("button", name="Call a judge").click()
    expect(phone.locator("#call-judge form")).not_to_have_attribute("aria-busy", "true")
    assert len(kept_in_outbox(phone)) == 1
    assert not JudgeCall.objects.exists()
    phone.context.set_offline(False)

    expect(phone.locator("#my-call")).to_contain_text("You called a judge. Time: Was that after time?")
    assert JudgeCall.objects.get().words == "Was that after time?"


def test_dice_typed_offline_are_whole_kept_and_sent_once(night, open_page: Callable[..., Page], server: str):
    enter(night.event, 1, on_time(42, 42))
    me, other = seated(night)
    phone = give_card(open_page(PHONE), me, server)
    press(phone, phone.get_by_role("link", name="Roll off"))

    phone.context.set_offline(True)
    phone.get_by_role("group", name="Your Battle Stations").get_by_role("radio", name="3").check()
    phone.get_by_role("button", name="Send to").click()
    expect(phone.locator("#roll")).to_contain_text(f"Enter how many Battle Stations {other} rolled.")
    expect(phone.locator(".outbox-waiting")).to_have_count(0)
    phone.get_by_role("group", name=f"{other}’s Battle Stations").get_by_role("radio", name="1").check()
    phone.get_by_role("button", name="Send to").click()
    expect(phone.locator(".outbox-waiting")).to_contain_text("Waiting for the network: your dice for table 1")
    phone.context.set_offline(False)

    expect(phone.locator("#roll")).to_contain_text(f"You entered: {me} 3, {other} 1.")
    assert JournalEntry.objects.filter(did="say_dice").count() == 1


@pytest.mark.nightly
def test_a_report_made_offline_arrives_once_and_the_opponent_confirms_it(
    night, open_page: Callable[..., Page], server: str
):
    me, other = seated(night)
    phone = give_card(open_page(PHONE), me, server)
    phone.goto(f"/e/{night.event.slug}/rounds/1/report/")
    phone.get_by_role("radio", name="Time", exact=True).check()
    for whose, left in (("Your", 46), (f"{other}’s", 56)):
        phone.get_by_role("group", name="SP left").get_by_label(f"{whose} SP left").fill(str(left))

    phone.context.set_offline(True)
    phone.get_by_role("button", name="Send to the desk").click()
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
    expect(phone.locator("main")).to_contain_text(f"You’re at table 1 against {other}")
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


def kept_in_outbox(phone: Page) -> list[dict]:
    return phone.evaluate("JSON.parse(localStorage.getItem('outbox') || '[]')")


@pytest.mark.parametrize(("where", "form"), [("me/", "form.next-actions"), ("rounds/1/report/", "form.confirm-bar")])
def test_yes_that_is_tapped_twice_without_a_network_waits_once(
    night, open_page: Callable[..., Page], server: str, where: str, form: str
):
    me, other = seated(night)
    sign_off.sign_all_on_paper(night.event, 1, by=BY)
    reports.report(night.event, 1, other.number, on_time(46, 56), by=BY)
    phone = give_card(open_page(PHONE), me, server)
    phone.goto(f"/e/{night.event.slug}/{where}")
    yes = phone.get_by_role("button", name="Yes, that’s right")

    phone.context.set_offline(True)
    for _ in range(2):
        yes.click()
        expect(phone.locator(form)).not_to_have_attribute("aria-busy", "true")
        expect(phone.locator(".outbox-waiting")).to_have_text(re.compile(f"your confirmation of {other}’s report"))

    assert len(kept_in_outbox(phone)) == 1
    phone.context.set_offline(False)
    expect(phone.locator(".outbox")).to_contain_text(f"Sent: your confirmation of {other}’s report.")
    assert Result.objects.count() == 1


def test_a_report_that_is_put_right_before_it_is_sent_is_the_one_that_is_sent(
    night, open_page: Callable[..., Page], server: str
):
    me, other = seated(night)
    sign_off.sign_all_on_paper(night.event, 1, by=BY)
    phone = give_card(open_page(PHONE), me, server)
    phone.goto(f"/e/{night.event.slug}/rounds/1/report/")
    phone.get_by_role("radio", name="Time", exact=True).check()
    left = phone.get_by_role("group", name="SP left")
    left.get_by_label(f"{other}’s SP left").fill("56")

    phone.context.set_offline(True)
    for sp in ("46", "56"):
        left.get_by_label("Your SP left").fill(sp)
        phone.get_by_role("button", name="Send to the desk").click()
        expect(phone.locator("#own")).not_to_have_attribute("aria-busy", "true")
        expect(phone.locator(".outbox-waiting")).to_have_count(1)
    phone.context.set_offline(False)

    expect(phone.locator(".outbox")).to_contain_text("Sent: your report for table 1.")
    assert [side.sp_left for side in played_of(PlayerReport.objects.get()).sides] == [56, 56]


def test_an_incomplete_report_is_not_kept_and_says_what_it_needs(night, open_page: Callable[..., Page], server: str):
    Round.objects.filter(event=night.event).update(ends_at=timezone.now() + timedelta(minutes=20))
    me, other = seated(night)
    phone = give_card(open_page(PHONE), me, server)
    phone.goto(f"/e/{night.event.slug}/rounds/1/report/")
    send, errors = phone.get_by_role("button", name="Send to the desk"), phone.locator("#own .field-error")

    phone.context.set_offline(True)
    for ending in (None, "I lost", "Time"):
        if ending:
            phone.get_by_role("radio", name=ending, exact=True).check()
        send.click()
        expect(errors.first).to_have_text(NEEDS[ending].format(other=other))
        expect(phone.locator("#own :focus")).to_have_attribute("data-needs", errors.first.inner_text())
        assert_accessible(phone)
    for whose in ("Your", f"{other}’s"):
        phone.get_by_role("group", name="SP left").get_by_label(f"{whose} SP left").fill("46")
    assert kept_in_outbox(phone) == []
    send.click()

    expect(phone.locator(".outbox-waiting")).to_contain_text("your report for table 1")
    expect(errors).to_have_count(0)


NEEDS = {
    None: "Choose how the match ended.",
    "I lost": "Enter {other}’s SP left.",
    "Time": "Enter your SP left.",
}


def with_worker(open_page: Callable[..., Page], night: Night, server: str, **more) -> Page:
    """A phone that has opened my card and keeps it, and knows what to show in place of other pages."""
    me, _ = seated(night)
    phone = give_card(open_page(PHONE | more, worker=True), me, server)
    phone.evaluate("navigator.serviceWorker.ready.then(() => true)")
    for path in (f"/e/{night.event.slug}/standings/", f"/e/{night.event.slug}/me/"):
        phone.goto(path)
        phone.wait_for_function(KEEPS, arg="/offline/")
        phone.wait_for_function(KEEPS, arg=path)
    return phone


KEEPS = """
path => caches.keys().then(names => Promise.all(names.map(name => caches.open(name).then(one => one.keys()))))
    .then(all => all.flat().some(request => new URL(request.url).pathname === path))
"""


@pytest.mark.parametrize("path", ["/s/{store}/players/", "/e/{event}/roll-offs/", "/e/{event}/desk/"])
def test_a_page_never_visited_is_our_own_with_what_is_kept(night, open_page: Callable[..., Page], server: str, path):
    phone = with_worker(open_page, night, server)
    kept_at = phone.evaluate(KEPT_AT, f"/e/{night.event.slug}/standings/")

    phone.context.set_offline(True)
    phone.goto(path.format(store=night.store.slug, event=night.event.slug))

    expect(phone.get_by_role("heading", name="Not connected")).to_be_visible()
    expect(phone.get_by_text("This page isn’t kept on this device.")).to_be_visible()
    kept = phone.get_by_role("region", name="Kept on this device")
    row = kept.get_by_role("listitem").filter(has_text="Standings")
    expect(row).to_contain_text(f"{datetime.fromtimestamp(kept_at / 1000, ZoneInfo(night.store.time_zone)):%H:%M}")
    expect(kept.get_by_role("listitem").filter(has_text="Not connected")).to_have_count(0)
    assert_accessible(phone)
    press(phone, kept.get_by_role("link", name="My table"))
    expect(phone.locator(".network").first).to_contain_text("Not connected. This page is from ")


def test_who_gets_a_card_back_keeps_no_page_of_who_held_the_phone_before(night, open_page: Callable, server: str):
    phone = with_worker(open_page, night, server)
    other = next(one.player for one in night.event.entrants.all() if one not in seated(night))
    words = player_cards.issue_with_words(other, by=BY).words

    phone.goto(f"/s/{night.store.slug}/me/lost/")
    phone.get_by_label("Your four recovery words").fill(words)
    press(phone, phone.get_by_role("button", name="Get my card back"))

    expect(phone.get_by_text("This device now holds")).to_be_visible()
    assert not phone.evaluate(KEEPS, f"/e/{night.event.slug}/me/")


FORGETS_ALL = "() => caches.keys().then(names => Promise.all(names.map(name => caches.delete(name))))"
GIVES_NOTHING = """
Object.defineProperty(self, "caches", {get: () => ({open: () => Promise.reject(new Error("full"))})})
"""


@pytest.mark.parametrize("path", ["/s/{store}/players/", "/e/{event}/roll-offs/"])
@pytest.mark.parametrize("lost", ["deleted", "refused"])
def test_a_device_that_lost_what_it_kept_shows_our_own_page_all_the_same(
    night, open_page: Callable[..., Page], server: str, path, lost
):
    phone = with_worker(open_page, night, server)
    if lost == "deleted":
        phone.evaluate(FORGETS_ALL)
    else:
        phone.context.service_workers[0].evaluate(GIVES_NOTHING)

    phone.context.set_offline(True)
    phone.goto(path.format(store=night.store.slug, event=night.event.slug))

    expect(phone.get_by_role("heading", level=1)).to_have_text("Not connected")
    again = phone.get_by_role("link", name="Try again now")
    expect(again).to_be_visible()
    assert_accessible(phone)
    phone.context.set_offline(False)
    again.click()
    expect(phone.get_by_role("banner")).to_be_visible()
    expect(again).to_have_count(0)


def test_a_worker_has_its_own_page_as_soon_as_it_is_there(night, open_page: Callable[..., Page], server: str):
    phone = open_page(PHONE, worker=True)
    phone.goto(f"/e/{night.event.slug}/")

    kept = phone.evaluate(
        "navigator.serviceWorker.ready.then(() => caches.match('/offline/')).then(one => one && one.text())"
    )

    assert "This page isn’t kept on this device." in kept


KEPT_AT = """
path => caches.keys().then(names => caches.open(names.find(name => name.startsWith("pages"))))
    .then(cache => cache.match(path, {ignoreVary: true})).then(kept => Number(kept.headers.get("X-Kept-At")))
"""


def test_what_is_kept_is_said_in_the_readers_language(night, open_page: Callable[..., Page], server: str):
    phone = with_worker(open_page, night, server, locale="de-DE")

    phone.context.set_offline(True)
    phone.goto(f"/s/{night.store.slug}/players/")

    expect(phone.locator("html")).to_have_attribute("lang", "de")
    expect(phone.get_by_role("link", name="Mein Tisch")).to_be_visible()


def test_a_page_never_visited_opens_when_the_network_is_back(night, open_page: Callable[..., Page], server: str):
    phone = with_worker(open_page, night, server)
    phone.context.set_offline(True)
    phone.goto(f"/e/{night.event.slug}/rounds/1/")
    expect(phone.get_by_role("heading", name="Not connected")).to_be_visible()

    phone.context.set_offline(False)

    expect(phone.get_by_role("heading", name="Round 1")).to_be_visible()


@pytest.mark.parametrize("path", ["/judge/dice/", "/e/{event}/me/"])
def test_a_page_says_at_once_that_the_network_is_gone_and_no_longer_when_it_is_back(
    night, open_page: Callable[..., Page], server: str, path
):
    phone = give_card(open_page(PHONE, patient=True), seated(night)[0], server)
    phone.goto(path.format(event=night.event.slug))
    phone.clock.install()
    phone.clock.pause_at(datetime.now() + timedelta(hours=1))

    with phone.expect_event("requestfailed", lambda request: request.url.endswith("/health/")):
        phone.context.set_offline(True)  # and the page knows that nobody answers: only then its clock has a next try
    expect(phone.locator(".network")).to_contain_text("Not connected.")
    phone.context.set_offline(False)
    phone.clock.run_for(5_000)

    expect(phone.locator(".network")).to_have_count(0)
