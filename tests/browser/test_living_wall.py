"""The screens in the room are alive: pages turn, the podium rises, the clock runs, news come, a network may go."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_wall import DWELL, FULL_HD, NAMES_IN_SIGHT, SCREENS, night_of, open_wall
from tests.support.browsing import assert_accessible
from tests.support.nights import BY, make_night
from tests.support.tables import eliminated, enter
from tourney.actions import announcements, events, rounds
from tourney.actions.record import bump_version_and_notify
from tourney.models import Event

pytestmark = pytest.mark.django_db(transaction=True)


# pages


@pytest.mark.many
@SCREENS
@pytest.mark.parametrize("players", [8, 33, 64])
def test_every_player_is_shown_once_in_a_round_of_pages_that_stay_equally_long(open_page, screen, players):
    night, page = night_of(players), open_page(screen)
    page.clock.install()
    open_wall(page, night)
    # no question is on its way while the clock is wound on: seconds would pass without its answer
    page.locator("[data-live]").evaluate("part => part.removeAttribute('data-live')")
    page.clock.pause_at(page.evaluate(f"(Math.floor(Date.now() / {DWELL}) + 2) * {DWELL} + 500"))
    pages = page.locator(".wall-dot").count() or 1

    seen = []
    for _ in range(pages):
        page.clock.run_for(300)
        seen += page.evaluate(NAMES_IN_SIGHT)
        page.clock.run_for(DWELL - 300)

    names = page.locator(".wall-whole").all_text_contents()
    assert sorted(seen) == sorted(names)
    assert len(names) == players


@pytest.mark.nightly
def test_announcements_take_turns(open_page: Callable[..., Page]):
    night, page = night_of(4), open_page(FULL_HD)
    texts = ["Pizza is here.", "A blue car has its lights on."]
    for text in texts:
        announcements.announce(night.event, text, by=BY)
    page.clock.install()
    open_wall(page, night)

    seen = []
    for _ in texts:
        page.clock.run_for(DWELL)
        seen += [one.text_content() for one in page.locator(".wall-announcement").all() if one.is_visible()]

    assert sorted(seen) == sorted(texts)


@pytest.mark.nightly
def test_who_wants_to_read_holds_the_page(open_page: Callable[..., Page]):
    night, page = night_of(64), open_page(FULL_HD)
    page.clock.install()
    open_wall(page, night)
    page.mouse.move(100, 100)
    page.get_by_role("button", name="Hold this page").click()
    held = page.evaluate(NAMES_IN_SIGHT)

    page.clock.run_for(3 * DWELL // 2)
    assert page.evaluate(NAMES_IN_SIGHT) == held
    page.get_by_role("button", name="Turn pages again").click()

    assert page.evaluate(NAMES_IN_SIGHT) != held


# the podium

APPEARING = """
() => document.getAnimations().filter(one => one.animationName === "wall-appears").map(one => {
    const { delay, duration } = one.effect.getTiming();
    return [one.effect.target.className.split(" ").at(-1), delay, delay + duration];
})
"""


"""What appears, after how many ms, and when it is there."""


def with_motion(page: Page) -> Page:
    page.emulate_media(reduced_motion="no-preference")
    return page


def test_third_second_and_first_appear_one_after_another_and_then_the_rest(open_page: Callable[..., Page]):
    night, page = make_night(players=8, rounds=3, finish=True), with_motion(open_page(FULL_HD))
    open_wall(page, night)

    appearing = sorted(page.evaluate(APPEARING), key=lambda one: one[1])

    names = [name for name, _, _ in appearing]
    assert names[:4] == ["wall-place-3", "wall-place-2", "wall-place-1", "wall-victors"]
    assert set(names[4:]) == {"wall-token", "wall-list"}
    ends = [end for _, _, end in appearing]
    assert all(after[1] >= end for end, after in zip(ends[:3], appearing[1:4], strict=True))


def test_where_motion_is_not_welcome_the_podium_is_there_at_once(open_page: Callable[..., Page]):
    page = open_wall(open_page(FULL_HD), make_night(players=8, rounds=3, finish=True))

    assert page.evaluate("document.getAnimations().length") == 0
    for name in (".wall-place-1", ".wall-place-2", ".wall-place-3", ".wall-victors", ".wall-token", ".wall-list"):
        assert page.locator(name).evaluate("one => getComputedStyle(one).opacity") == "1"


def test_the_podium_appears_when_the_event_is_finished_and_not_with_each_refresh(open_page: Callable[..., Page]):
    night, page = make_night(players=8, rounds=3), with_motion(open_page(FULL_HD))
    page.clock.install()
    open_wall(page, night)
    assert page.evaluate(APPEARING) == []

    events.finish_event(night.event, by=BY, reason="the shop closes")
    expect(page.locator(".wall-podium")).to_be_visible()
    begun = page.evaluate(APPEARING)
    page.clock.fast_forward(60_000)
    bump_version_and_notify(night.event)
    version = str(Event.objects.get(pk=night.event.pk).version)
    expect(page.locator("#wall")).to_have_attribute("data-version", version)

    assert len(begun) == 6
    assert page.evaluate(APPEARING) == []
    assert page.locator(".wall-place-1").evaluate("one => getComputedStyle(one).opacity") == "1"


# the clock


@pytest.mark.nightly
@pytest.mark.many
@pytest.mark.parametrize(
    ("seconds", "phase", "text"),
    [
        (42 * 60, "running", r"4[12]:\d\d"),
        (9 * 60, "last-ten", r"[89]:\d\d"),
        (50, "last-minute", r"0:\d\d"),
        (-5, "over", "Time"),
    ],
)
def test_the_clock_has_a_look_for_each_phase(open_page: Callable[..., Page], seconds, phase, text):
    page = open_wall(open_page(FULL_HD), night_of(4, minutes=seconds / 60))

    clock = page.locator(".clock")
    expect(clock).to_have_attribute("data-phase", phase)
    expect(clock).to_have_text(re.compile(f"^{text}$"))
    assert_accessible(page)


def test_the_clock_goes_through_its_phases_without_asking_anybody(open_page: Callable[..., Page]):
    night, page = night_of(4, minutes=11), open_page(FULL_HD)
    page.clock.install()
    open_wall(page, night)
    page.context.set_offline(True)

    phases = []
    for _ in range(13):
        phases.append(page.locator(".clock").get_attribute("data-phase"))
        page.clock.fast_forward(60_000)

    assert list(dict.fromkeys(phases)) == ["running", "last-ten", "last-minute", "over"]


# news


def test_a_published_round_a_pause_and_an_announcement_arrive_without_a_touch(open_page: Callable[..., Page]):
    night = make_night(players=4)
    page = open_wall(open_page(FULL_HD), night)
    expect(page.get_by_role("region", name="Registered")).to_be_visible()

    rounds.pair_round(night.event, seed=1, by=BY)
    rounds.publish_round(night.event, 1, by=BY)
    expect(page.get_by_role("region", name="Tables, A–Z").locator(".wall-table")).to_have_count(4)
    rounds.start_clock(night.event, 1, by=BY)
    rounds.pause_clock(night.event, 1, by=BY)
    announcements.announce(night.event, "Pizza is here.", by=BY)

    expect(page.locator(".clock")).to_have_attribute("data-phase", "paused")
    expect(page.get_by_text("Pizza is here.")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollHeight") == 1080


def test_without_a_network_it_says_since_when_keeps_the_clock_running_and_recovers(open_page: Callable[..., Page]):
    night = night_of(4)
    page = open_wall(open_page(FULL_HD), night)
    line = page.locator(".network")

    page.context.set_offline(True)
    expect(line).to_have_text(re.compile(r"^No connection since \d?\d:\d\d; the clock keeps running\.$"))
    assert page.evaluate("document.documentElement.scrollHeight") == 1080
    assert_accessible(page)
    before = page.locator(".clock").text_content()
    expect(page.locator(".clock")).not_to_have_text(before)
    enter(night.event, 1, eliminated())
    page.context.set_offline(False)

    expect(line).to_have_count(0)
    expect(page.get_by_text("1 of 2 tables still playing")).to_be_visible()


@pytest.mark.nightly
def test_loaded_again_without_a_network_it_shows_its_last_state_and_the_right_time(open_page: Callable[..., Page]):
    night = night_of(4)
    page = open_wall(open_page(FULL_HD, worker=True), night, "?show=clock")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    page.evaluate("sessionStorage.clear()")

    page.context.set_offline(True)
    page.reload()

    expect(page.locator(".network").first).to_contain_text("Not connected. This page is from ")
    expect(page.locator(".clock")).to_have_text(re.compile(r"^41:\d\d$"))
    expect(page.locator(".network")).to_contain_text("No connection since ")
