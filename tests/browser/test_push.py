"""A device asks to be told while Flagship is closed: where it can, only when it is pressed, and what comes then."""

from collections.abc import Callable, Iterator

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, Worker, expect

from tests.support.browsing import LAPTOP, PHONE, assert_accessible
from tests.support.nights import BY, Night, make_night, now
from tests.support.push_browsers import PushBrowser
from tests.support.receiving import Receiver, receiver
from tourney import access
from tourney.actions import judge_calls, player_cards, rounds
from tourney.models import PushSubscription, User
from tourney.runtime.task_worker import run_next

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SUMMARY = "Notifications while Flagship is closed"
# What the browser's maker does for it, which a test can't reach: an endpoint, and keys.
SUBSCRIBES = """
(facts) => {
  const keys = { p256dh: facts.public_key, auth: facts.secret };
  Object.defineProperty(Notification, "permission", { value: "granted" }); // it says no where it has no screen
  PushManager.prototype.subscribe = async () => ({ toJSON: () => ({ endpoint: facts.endpoint, keys }) });
}
"""
# What the worker shows, and which page it opens: the browser of a test has no place for either.
WATCHED = """
() => {
  const notice = (one, name) => new Promise((done) => { one[name] = async (...said) => done(said); });
  self.shown = notice(registration, "showNotification");
  self.opened = notice(clients, "openWindow");
}
"""
PRESSED = """
([kind, event]) => {
  const notification = { data: { kind, event }, close() {} };
  dispatchEvent(Object.assign(new Event("notificationclick"), { notification, waitUntil() {} }));
  return self.opened;
}
"""


@pytest.fixture
def service(settings) -> Iterator[Receiver]:
    settings.WEBHOOKS_TO_LOOPBACK = True
    with receiver() as found:
        yield found


@pytest.fixture
def night() -> Night:
    return make_night(players=4)


def my_card(page: Page, server: str, night: Night) -> None:
    key = player_cards.issue(night.event.entrants.get(number=1).player, by=BY)
    page.context.add_cookies([{"name": access.card_cookie(night.store), "value": key, "url": server}])
    page.goto(f"/e/{night.event.slug}/me/")


def can_subscribe(page: Page, browser: PushBrowser) -> None:
    page.context.grant_permissions(["notifications"])
    page.evaluate(SUBSCRIBES, browser.sent())


def worker_of(page: Page, night: Night) -> Worker:
    """The worker of the site, watched."""
    if not page.context.service_workers:
        with page.context.expect_event("serviceworker"):
            page.goto(f"/e/{night.event.slug}/")
    (worker,) = page.context.service_workers
    worker.evaluate(WATCHED)
    return worker


def deliver(context: BrowserContext, page: Page, server: str, data: str) -> None:
    """The push service of the browser's maker hands it to the worker."""
    devtools = context.new_cdp_session(page)
    found: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(one["registrationId"] for one in event["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    while not found:
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")  # events are heard while something is asked
    devtools.send("ServiceWorker.deliverPushMessage", {"origin": server, "registrationId": found[0], "data": data})


def test_it_is_offered_closed_and_off_and_loads_nothing_before(
    open_page: Callable[..., Page], server: str, night: Night
):
    page = open_page(PHONE, worker=True)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    my_card(page, server, night)
    page.wait_for_load_state("load")

    offer = page.locator("details[data-push]")
    expect(offer).to_be_visible()
    assert not [url for url in asked if "push" in url or "/notifications/" in url]

    page.get_by_text(SUMMARY).click()
    for title in ("Your table is ready", "You have a place"):
        expect(page.get_by_role("checkbox", name=title)).to_be_visible()
        expect(page.get_by_role("checkbox", name=title)).not_to_be_checked()
    assert_accessible(page)


def test_where_the_browser_cannot_it_is_not_offered(open_page: Callable[..., Page], server: str, night: Night):
    page = open_page(PHONE)
    page.add_init_script("delete window.PushManager")
    my_card(page, server, night)
    expect(page.locator("[data-notice]")).to_be_visible()  # scripts have run

    expect(page.locator("details[data-push]")).to_be_hidden()
    page.goto(f"/s/{night.store.slug}/me/notifications/")
    expect(page.get_by_text("This browser can’t show notifications here.")).to_be_visible()
    assert page.get_by_role("checkbox").count() == 0
    assert_accessible(page)


def test_a_page_without_https_does_not_offer_it(open_page: Callable[..., Page], server: str, night: Night):
    page = open_page(PHONE)
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false })")
    my_card(page, server, night)
    expect(page.locator("[data-notice]")).to_be_visible()

    expect(page.locator("details[data-push]")).to_be_hidden()


def test_what_the_browser_refuses_is_said_and_the_switch_stays_off(open_page: Callable[..., Page], server: str, night):
    page = open_page(PHONE, worker=True)
    page.add_init_script("Notification.requestPermission = async () => 'denied'")
    my_card(page, server, night)
    page.get_by_text(SUMMARY).click()

    page.get_by_text("Your table is ready").click()

    expect(page.get_by_text("This browser blocks notifications from here.")).to_be_visible()
    expect(page.get_by_role("checkbox", name="Your table is ready")).not_to_be_checked()
    assert not PushSubscription.objects.exists()


def test_an_address_that_cannot_be_told_is_refused_in_words(
    open_page: Callable[..., Page], server: str, night, settings
):
    page = open_page(PHONE, worker=True)
    my_card(page, server, night)
    can_subscribe(page, PushBrowser(Receiver(0)))
    page.get_by_text(SUMMARY).click()

    page.get_by_text("Your table is ready").click()

    expect(page.get_by_text("the address it gave isn’t on the internet")).to_be_visible()
    expect(page.get_by_role("checkbox", name="Your table is ready")).not_to_be_checked()


def test_a_player_presses_and_is_told_of_the_table(open_page: Callable[..., Page], server: str, night: Night, service):
    page = open_page(PHONE, worker=True)
    phone = PushBrowser(service)
    my_card(page, server, night)
    can_subscribe(page, phone)
    page.get_by_text(SUMMARY).click()

    page.get_by_text("Your table is ready").click()
    expect(page.get_by_text("On for this device.")).to_be_visible()
    assert PushSubscription.objects.get().kinds == ["table"]

    row = rounds.pair_round(night.event, seed=1, by=now())
    rounds.publish_round(night.event, row.number, by=now())
    assert run_next(timezone.now())
    worker = worker_of(page, night)
    deliver(page.context, page, server, phone.read(phone.requests[0]).decode())
    title, options = worker.evaluate("() => self.shown")
    assert (title, options["body"]) == ("Your table is ready", night.event.name)
    assert options["tag"] == f"table {night.event.slug}"


@pytest.mark.parametrize(("kind", "page_of"), [("table", "me"), ("place", "me"), ("judge", "desk")])
def test_a_press_on_it_opens_my_card_or_the_desk(kind: str, page_of: str, open_page, server: str, night: Night):
    page = open_page(PHONE, worker=True)
    worker = worker_of(page, night)

    assert worker.evaluate(PRESSED, [kind, night.event.slug]) == [f"/e/{night.event.slug}/{page_of}/"]


def test_it_is_remembered_and_turned_off_again(open_page: Callable[..., Page], server: str, night: Night, service):
    page = open_page(PHONE, worker=True)
    phone = PushBrowser(service)
    my_card(page, server, night)
    for is_on in (False, True):
        can_subscribe(page, phone)
        page.get_by_text(SUMMARY).click()
        expect(page.get_by_role("checkbox", name="You have a place")).to_be_checked(checked=is_on)
        page.get_by_text("You have a place").click()
        expect(page.get_by_text("Off for this device." if is_on else "On for this device.")).to_be_visible()
        assert PushSubscription.objects.exists() is not is_on
        page.reload()

    page.get_by_text(SUMMARY).click()
    expect(page.get_by_role("checkbox", name="You have a place")).not_to_be_checked()


def test_who_signs_in_next_on_a_device_has_the_switch_off(open_page: Callable[..., Page], server: str, night, service):
    page = open_page(LAPTOP, worker=True)
    device = PushBrowser(service)
    owner = night.store.memberships.get(role="owner").user

    offered_to(night.judge, page, server, night, device)
    page.get_by_text("A judge was called").click()
    expect(page.get_by_text("On for this device.")).to_be_visible()
    assert PushSubscription.objects.get().membership.user == night.judge
    page.request.post("/sign-out/", form=token_of(page), headers={"Referer": page.url})
    assert not PushSubscription.objects.exists()

    offered_to(owner, page, server, night, device)
    expect(page.get_by_role("checkbox", name="A judge was called")).not_to_be_checked()

    offered_to(night.judge, page, server, night, device)
    expect(page.get_by_role("checkbox", name="A judge was called")).to_be_checked()


def offered_to(user: User, page: Page, server: str, night: Night, device: PushBrowser) -> None:
    """The switch as it is when that user signs in on the device; whatever is restored, is by then."""
    page.context.add_cookies([{"name": "sessionid", "value": session_of(user), "url": server}])
    page.goto(f"/e/{night.event.slug}/desk/")
    can_subscribe(page, device)
    page.get_by_text(SUMMARY).click()
    expect(page.get_by_role("checkbox", name="A judge was called")).to_be_visible()


def session_of(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.session.session_key


def token_of(page: Page) -> dict[str, str]:
    """What a form of the page sends to show where it is from."""
    name = "csrfmiddlewaretoken"
    return {name: page.locator(f"[name={name}]").first.input_value()}


def test_a_judge_presses_at_the_desk_and_is_told_of_a_call(
    open_page: Callable[..., Page], server, night: Night, service, client
):
    page = open_page(LAPTOP, worker=True)
    device = PushBrowser(service)
    client.force_login(night.judge)
    page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": server}])
    page.goto(f"/e/{night.event.slug}/desk/")
    can_subscribe(page, device)
    page.get_by_text(SUMMARY).click()
    page.get_by_text("A judge was called").click()
    expect(page.get_by_text("On for this device.")).to_be_visible()
    assert_accessible(page)

    judge_calls.call(night.event, 1, "rules", by=now())
    assert run_next(timezone.now())
    assert [one["title"] for one in device.told] == ["A judge was called"]
