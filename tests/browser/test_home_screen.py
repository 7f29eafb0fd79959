"""The offer to put the card on the home screen: over HTTPS, from the second visit on, until it is dismissed."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.support.browsing import PHONE, assert_accessible
from tests.support.nights import BY, Night, make_night
from tourney import access
from tourney.actions import player_cards

pytestmark = pytest.mark.django_db(transaction=True)

SECURE = "https://flagship.example"
ASKS = """
() => {
  const event = new Event("beforeinstallprompt", { cancelable: true });
  event.prompt = async () => { window.asked = true; return { outcome: "accepted" }; };
  return dispatchEvent(event);
}
"""
IPHONE = "Object.defineProperty(navigator, 'standalone', { value: false })"


@pytest.fixture
def night() -> Night:
    return make_night(players=4, rounds=1)


@pytest.fixture
def https(browser: Browser, server: str, night: Night) -> Iterator[Page]:
    """A phone with a card, for which the site is at an address of HTTPS."""
    context = browser.new_context(**PHONE, base_url=SECURE, service_workers="block", reduced_motion="reduce")
    name = access.card_cookie(night.store)
    key = player_cards.issue(night.event.entrants.get(number=1).player, by=BY)

    def answer(route: Route) -> None:
        if "/live/" in route.request.url:
            return route.abort()
        to = server + route.request.url.removeprefix(SECURE)
        return route.fulfill(response=route.fetch(url=to, headers={"Cookie": f"{name}={key}"}))

    context.route(f"{SECURE}/**", answer)
    yield context.new_page()
    context.unroute_all(behavior="ignoreErrors")
    context.close()


def visit(page: Page, night: Night) -> None:
    """As in a window that was opened for it."""
    page.goto(f"/e/{night.event.slug}/me/")
    page.wait_for_load_state("networkidle")


def close(page: Page) -> None:
    """What is of this window alone is forgotten."""
    page.evaluate("sessionStorage.clear()")


def ask(page: Page) -> bool:
    """Whether the browser's own question was left to the browser."""
    return page.evaluate(ASKS)


def test_nothing_is_offered_on_the_first_visit_and_something_on_the_second(https: Page, night: Night):
    offer = https.get_by_role("heading", name="Keep your card at hand")
    for _ in range(2):
        visit(https, night)
        ask(https)
        expect(offer).to_have_count(0)

    close(https)
    visit(https, night)
    expect(offer).to_have_count(0)
    ask(https)
    expect(offer).to_be_visible()
    assert_accessible(https)
    https.get_by_role("button", name="Add to home screen").click()

    expect(offer).to_have_count(0)
    assert https.evaluate("window.asked")


def test_whoever_says_no_is_not_asked_again(https: Page, night: Night):
    visit(https, night)
    close(https)
    visit(https, night)
    ask(https)
    https.get_by_role("button", name="Not now").click()

    close(https)
    visit(https, night)
    ask(https)
    expect(https.get_by_role("heading", name="Keep your card at hand")).to_have_count(0)


def test_an_iphone_is_told_how(https: Page, night: Night):
    https.add_init_script(IPHONE)
    visit(https, night)
    expect(https.locator("[data-install]")).to_have_count(0)

    close(https)
    visit(https, night)

    expect(https.locator("[data-install]")).to_contain_text("In Safari, tap Share, then “Add to Home Screen”")
    expect(https.get_by_role("button", name="Add to home screen")).to_have_count(0)


def test_on_plain_http_nothing_is_ever_offered_nor_loaded(phone: Page, server: str, night: Night):
    asked = []
    phone.on("request", lambda request: asked.append(request.url))
    phone.add_init_script(IPHONE)
    key = player_cards.issue(night.event.entrants.get(number=1).player, by=BY)
    phone.context.add_cookies([{"name": access.card_cookie(night.store), "value": key, "url": server}])
    for _ in range(3):
        phone.goto(f"/e/{night.event.slug}/me/")
        close(phone)
        ask(phone)

    phone.goto(f"/e/{night.event.slug}/standings/")
    assert any("/js/notice" in url for url in asked)
    assert [url for url in asked if "install" in url] == []
