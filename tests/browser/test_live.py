"""News on open pages, from the real server: at once while the stream is heard, soon while it is not."""

import re
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, expect

from tests.support.browsing import LAPTOP, PHONE
from tests.support.nights import BY, Night
from tests.support.serving import Running, night_of_its_own
from tests.support.tables import eliminated, enter
from tourney import access
from tourney.actions import announcements, player_cards, rounds
from tourney.models import User
from tourney.queries.state import state_of

DEAF_TO_PARTS = """
    const miss = () => { document.documentElement.dataset.missed = "part"; };
    const listen = EventSource.prototype.addEventListener;
    EventSource.prototype.addEventListener = function (kind, heard) {
        return listen.call(this, kind, kind === "part" ? miss : heard);
    };
"""

QUICK_CLOCK = """
    const later = window.setTimeout;
    window.setTimeout = (what, pause, ...more) => later(what, pause === 60000 ? 100 : pause, ...more);
    window.wanted = [];  // what the clock of htmx wanted to ask: whether it did
    document.addEventListener("htmx:confirm", (event) => {
        if (!event.detail.triggeringEvent) later(() => window.wanted.push(event.defaultPrevented ? "kept" : "asked"));
    });
"""
WANTED = """
    (many) => new Promise((done) => {
        const look = () => window.wanted.length < many ? requestAnimationFrame(look) : done(window.wanted.splice(0));
        look();
    })
"""
NEXT_HEARD = "() => new Promise((heard) => document.addEventListener('heard', () => heard(true), { once: true }))"

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def server(running: Running) -> str:
    """Here the site is the real server with its two processes."""
    return f"http://localhost:{running.port}"


def watch(page: Page, path: str) -> None:
    """Open a page and wait until it holds the stream."""
    with page.expect_response("**/live/**") as stream:
        page.goto(path)
    assert stream.value.status == 200


def sign_in(page: Page, server: str, user: User) -> None:
    client = Client()
    client.force_login(user)
    name = settings.SESSION_COOKIE_NAME
    page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": server}])


def give_card(page: Page, server: str, night: Night, number: int) -> None:
    key = player_cards.issue(night.event.entrants.get(number=number).player, by=BY)
    page.context.add_cookies([{"name": access.card_cookie(night.store), "value": key, "url": server}])


def test_two_phones_show_the_table_as_soon_as_the_round_is_published(open_page, server: str):
    night = night_of_its_own(players=4)
    rounds.pair_round(night.event, seed=1, by=BY)
    phones = [open_page(PHONE, only_told=True), open_page(PHONE, only_told=True)]
    match = state_of(night.event).last_round.match_at(2)
    for phone, number in zip(phones, match.numbers, strict=True):
        give_card(phone, server, night, number)
        watch(phone, f"/e/{night.event.slug}/me/")

    rounds.publish_round(night.event, 1, by=BY)

    for phone, opponent in zip(phones, reversed(match.entrants), strict=True):
        table = phone.get_by_role("heading", name=f"Table 2 against {opponent.player.name}")
        expect(table).to_be_visible()


@pytest.mark.nightly
def test_a_phone_learns_at_once_that_its_card_was_issued_again(open_page, server: str):
    night, phone = night_of_its_own(players=4, open_round=True), open_page(PHONE, only_told=True)
    give_card(phone, server, night, 1)
    watch(phone, f"/e/{night.event.slug}/me/")

    player_cards.issue(night.event.entrants.get(number=1).player, by=BY)

    expect(phone.get_by_role("heading", name="No player card on this phone yet")).to_be_visible()


@pytest.mark.nightly
def test_the_desk_and_the_standings_show_a_result_at_once(open_page, server: str):
    night = night_of_its_own(players=4, open_round=True, tables=1)
    desk, wall = open_page(LAPTOP, only_told=True), open_page(LAPTOP, only_told=True)
    sign_in(desk, server, night.organizer)
    watch(desk, f"/e/{night.event.slug}/desk/")
    watch(wall, f"/e/{night.event.slug}/standings/")
    table = next(match.table for match in state_of(night.event).last_round.missing)

    enter(night.event, table, eliminated())

    expect(desk.locator("#pairings")).not_to_contain_text("Playing")
    expect(wall.get_by_role("heading", name="Standings after round 1")).to_be_visible()


@pytest.mark.parametrize(("page", "current"), [("", "Overview"), ("players/", "Players")])
def test_the_tabs_and_buttons_of_the_desk_follow_the_event(open_page, server: str, page: str, current: str):
    night, desk = night_of_its_own(players=4), open_page(LAPTOP, only_told=True)
    sign_in(desk, server, night.organizer)
    watch(desk, f"/e/{night.event.slug}/desk/{page}")
    tabs, buttons = desk.get_by_role("navigation", name="Desk").get_by_role("link"), desk.locator("#page-actions")
    expect(tabs.filter(has_text="Round 1")).to_have_count(0)
    buttons.get_by_role("link", name="QR code").focus()
    desk.evaluate("window.isSamePage = true")

    rounds.pair_round(night.event, seed=1, by=BY)
    rounds.publish_round(night.event, 1, by=BY)

    expect(tabs.filter(has_text=re.compile("Round 1|Results"))).to_have_count(2)
    expect(tabs.and_(desk.locator("[aria-current]"))).to_have_text(current)
    expect(buttons.get_by_role("link", name="Rehearse event")).to_have_count(0)
    expect(buttons.get_by_role("link", name="Late arrivals & drops")).to_be_visible()
    expect(desk.get_by_label("Tonight’s schedule").get_by_role("link", name="Round 1")).to_be_visible()
    expect(buttons.get_by_role("link", name="QR code")).to_be_focused()
    assert desk.evaluate("window.isSamePage")


def test_a_link_of_the_desk_that_stays_as_it_is_is_not_put_there_anew(open_page, server: str):
    """A press whose finger is down while news come is a press."""
    night, desk = night_of_its_own(players=4, open_round=True), open_page(LAPTOP, only_told=True)
    sign_in(desk, server, night.organizer)
    watch(desk, f"/e/{night.event.slug}/desk/")
    desk.evaluate("document.getElementById('tab-results').isSameLink = true")

    enter(night.event, 1, eliminated())

    expect(desk.locator("#now")).to_contain_text("2 tables, 1 still without a result.")
    assert desk.evaluate("document.getElementById('tab-results').isSameLink")


@pytest.mark.nightly
def test_a_page_whose_stream_is_blocked_asks_every_few_seconds(open_page):
    night, phone = night_of_its_own(players=4, open_round=True), open_page(PHONE, patient=True)
    phone.route("**/live/**", lambda route: route.abort())
    phone.goto(f"/e/{night.event.slug}/")

    enter(night.event, 1, eliminated())

    expect(phone.get_by_text("1 of 2 tables still playing.")).to_be_visible()


def asked_by(phone: Page) -> list[str]:
    """The pages that it asks for from now on, but for streams."""
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(urlsplit(request.url).path))
    return asked


def pages(asked: list[str]) -> list[str]:
    return [path for path in asked if path.startswith("/e/") and not path.endswith("/live/")]


def expect_now(phone: Page, night: Night) -> None:
    """The page shows the version that the event has."""
    night.event.refresh_from_db()
    expect(phone.locator("[data-live]")).to_have_attribute("data-version", str(night.event.version))


@pytest.mark.parametrize("path", ["", "me/", "standings/", "rounds/1/", "wall/"])
def test_a_page_is_brought_what_changed_without_asking(open_page, server: str, path: str):
    night, phone = night_of_its_own(players=4, open_round=True), open_page(PHONE, only_told=True)
    give_card(phone, server, night, 1)
    watch(phone, f"/e/{night.event.slug}/{path}")
    announcements.announce(night.event, "Pizza is here", by=BY)
    expect_now(phone, night)  # it may have been asked for: the stream may have begun later
    asked = asked_by(phone)

    enter(night.event, 1, eliminated())

    expect_now(phone, night)
    assert pages(asked) == []


def test_what_is_read_and_focused_on_a_card_stays_while_the_stream_brings_it_anew(open_page, server: str):
    night, phone = night_of_its_own(players=4, open_round=True), open_page(PHONE, only_told=True)
    give_card(phone, server, night, 1)
    watch(phone, f"/e/{night.event.slug}/me/")
    phone.get_by_text("Drop or concede").click()
    phone.locator("#report").focus()

    other = next(one for one in state_of(night.event).last_round.tables if 1 not in one.numbers)
    enter(night.event, other.table, eliminated())

    expect(phone.get_by_text("1 of 2 tables still playing.")).to_be_visible()
    expect(phone.locator("#report")).to_be_focused()
    expect(phone.get_by_role("button", name="Ask to concede this match")).to_be_visible()


def test_a_page_whose_stream_tells_only_the_version_asks_once_for_each_change(open_page):
    night, phone = night_of_its_own(players=4, open_round=True), open_page(PHONE, only_told=True)
    phone.route("**/live/**", lambda route: route.continue_(url=route.request.url.partition("?")[0]))
    watch(phone, f"/e/{night.event.slug}/")
    asked = asked_by(phone)

    enter(night.event, 1, eliminated())
    expect(phone.get_by_text("1 of 2 tables still playing.")).to_be_visible()

    assert pages(asked) == [f"/e/{night.event.slug}/"]


def test_a_page_that_missed_what_the_stream_brought_asks_for_it(open_page):
    night, phone = night_of_its_own(players=4, open_round=True), open_page(PHONE, only_told=True)
    phone.add_init_script(DEAF_TO_PARTS)
    watch(phone, f"/e/{night.event.slug}/")
    asked = asked_by(phone)
    enter(night.event, 1, eliminated())
    expect(phone.locator("html")).to_have_attribute("data-missed", "part")
    before = pages(asked)

    phone.evaluate("window.dispatchEvent(new Event('online'))")  # the stream begins again, and says the version
    expect(phone.get_by_text("1 of 2 tables still playing.")).to_be_visible()

    assert (before, pages(asked)) == ([], [f"/e/{night.event.slug}/"])


def test_who_searched_a_name_is_brought_the_part_with_that_answer(open_page):
    night, phone = night_of_its_own(players=4, open_round=True), open_page(PHONE, only_told=True)
    watch(phone, f"/e/{night.event.slug}/")
    match = state_of(night.event).last_round.match_at(2)
    with phone.expect_response("**/e/*/?q=*"):
        phone.get_by_label("Find my table").fill(match.a.player.name)
    answer = phone.get_by_role("heading", name=f"Table 2 against {match.b.player.name}")
    expect(answer).to_be_visible()

    with phone.expect_response("**/live/?of=*q%3D*"):  # the first news leads to the stream of what is shown now
        enter(night.event, 1, eliminated())
    expect(phone.get_by_text("1 of 2 tables still playing.")).to_be_visible()
    asked = asked_by(phone)
    enter(night.event, 2, eliminated())

    expect(phone.get_by_text("All results are in.")).to_be_visible()
    assert pages(asked) == []
    expect(phone.get_by_role("heading", name="Table 2")).to_be_visible()


def test_a_page_asks_by_the_clock_only_while_it_hears_no_stream(open_page, server: str):
    night, page = night_of_its_own(players=4), open_page(PHONE, only_told=True)
    page.add_init_script(QUICK_CLOCK)
    page.route("**/live/**", lambda route: route.fulfill(status=204))
    page.goto(f"/e/{night.event.slug}/")
    without = page.evaluate(WANTED, 3)

    page.unroute("**/live/**")
    watch(page, f"/e/{night.event.slug}/")
    page.evaluate(NEXT_HEARD)
    page.evaluate("window.wanted = []")
    heard = page.evaluate(WANTED, 6)

    assert (set(without), set(heard)) == ({"asked"}, {"kept"})
