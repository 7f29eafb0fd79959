"""How many presses the tasks of a night take, counted on the real pages: who makes one longer has to say so here.

A press is a click, a tap or Enter. To type a value is none, nor is Tab on the way to the next field; to click into a
field before typing is one, as is a choice in a list; the "next" of a phone's keys is its Tab. Each task begins where
the one before it has ended: mostly on the Overview of the desk.
"""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.test_at_the_table import give_card, sign_in
from tests.browser.test_regulars import hold
from tests.pages.test_regulars import regular
from tests.support.browsing import PHONE
from tests.support.copied import copied
from tests.support.nights import BY, Night, make_night
from tests.support.tables import eliminated, enter, match_at, on_time
from tourney.actions import entrants, reports
from tourney.models import Event, PlayerReport, Result, Round
from tourney.queries.matches import played_of
from tourney.queries.short_addresses import short_code_of
from tourney.queries.state import EventState, state_of

pytestmark = pytest.mark.django_db(transaction=True)

SMALL = PHONE | {"viewport": {"width": 360, "height": 640}}

MOST_TABS = 3


class Hand:
    """Who presses on that page, and how often so far."""

    def __init__(self, page: Page):
        self.page, self.presses = page, 0

    def click(self, target: Locator) -> None:
        target.click()
        self.presses += 1

    def follow(self, target: Locator) -> None:
        """Click what leads to another page."""
        with self.page.expect_event("load"):
            self.click(target)

    def choose(self, target: Locator, label: str) -> None:
        target.select_option(label=label)
        self.presses += 1

    def type(self, field: Locator, value: str) -> None:
        """Into a field that the mouse goes to, unless the cursor is there already."""
        if not field.evaluate("field => field === document.activeElement"):
            self.click(field)
        self.page.keyboard.type(value)

    def next_field(self, field: Locator) -> None:
        """To that one, past the buttons of the one before."""
        for _ in range(MOST_TABS):
            self.page.keyboard.press("Tab")
            if field.evaluate("field => field === document.activeElement"):
                return
        pytest.fail("It is not reached.")

    def enter(self, key: str = "Enter") -> None:
        self.page.keyboard.press(key)
        self.presses += 1

    def button(self, name: str | re.Pattern) -> Locator:
        return self.page.get_by_role("button", name=name)

    def link(self, name: str | re.Pattern) -> Locator:
        return self.page.get_by_role("link", name=name)

    @property
    def next(self) -> Locator:
        return self.page.locator("#next-action")


@pytest.fixture
def hand_at(laptop: Page, server: str):
    """At the desk of a night."""
    return lambda night: Hand(sign_in(laptop, night, night.organizer, server))


@copied
def nine_registered() -> Night:
    night = make_night(players=0)
    names = ("Cinder", "Kestrel", "Lark", "Marrow", "Onyx", "Quill", "Tern", "Vor", "Zephyr")
    entrants.register(night.event, [(name, "Klingon") for name in names], by=BY)
    return night


def now(event: Event) -> EventState:
    return state_of(Event.objects.get(pk=event.pk))


# before round 1


@pytest.mark.nightly
@pytest.mark.parametrize("how", ["each", "all"])
def test_nine_players_are_checked_in(hand_at, how: str):
    hand = hand_at(night := nine_registered())

    if how == "all":
        hand.click(hand.button("Check in all 9"))
    else:
        for left in range(9, 0, -1):
            hand.click(hand.page.locator(".check-row").get_by_role("button", name="Check in").first)
            expect(hand.page.locator(".check-row").get_by_role("button", name="Check in")).to_have_count(left - 1)
    expect(hand.next).to_have_text("Pair round 1")

    assert night.event.entrants.filter(checked_in=True).count() == 9
    assert hand.presses == {"each": 9, "all": 1}[how]


def test_round_1_is_paired_published_and_started(hand_at):
    hand = hand_at(night := make_night(players=8))

    hand.follow(hand.button("Pair round 1"))
    hand.follow(hand.button("Publish round 1"))
    expect(hand.next).to_contain_text("Start the clock")
    hand.click(hand.next)
    expect(hand.page.locator("#clock-pause")).to_be_visible()

    assert now(night.event).last_round.row.state == Round.State.PUBLISHED
    assert hand.presses == 3


# four results


LEFT = ((60, 20), (30, 70), (55, 10), (15, 45))


def assert_entered(night: Night) -> None:
    matches = now(night.event).last_round.matches
    assert [one.played for one in matches] == [on_time(*left) for left in LEFT]


def test_four_results_are_entered_by_mouse(hand_at):
    hand = hand_at(night := make_night(players=8, open_round=True))

    hand.follow(hand.next)
    for table, left in enumerate(LEFT, start=1):
        hand.choose(hand.page.locator(f"[name=t{table}-ending]"), "Time")
        for side, sp in zip("ab", left, strict=True):
            hand.type(hand.page.locator(f"[name=t{table}-sp_left_{side}]"), str(sp))
    hand.follow(hand.button("Save all results"))
    expect(hand.next).to_have_text("Close round 1")

    assert_entered(night)
    assert hand.presses == 14


@pytest.mark.nightly
def test_four_results_are_entered_by_keyboard(hand_at):
    hand = hand_at(night := make_night(players=8, open_round=True))

    hand.follow(hand.next)
    for table, left in enumerate(LEFT, start=1):
        expect(hand.page.locator(f"[name=t{table}-ending]")).to_be_focused()
        hand.page.keyboard.type("T")
        for field, sp in zip(("Tab", "Tab Tab"), left, strict=True):
            for key in field.split():
                hand.page.keyboard.press(key)
            hand.page.keyboard.type(str(sp))
        if table < len(LEFT):
            hand.enter()
    with hand.page.expect_event("load"):
        hand.enter("Control+Enter")
    expect(hand.next).to_have_text("Close round 1")

    assert_entered(night)
    assert hand.presses == 5


@pytest.mark.nightly
def test_a_dispute_is_resolved(hand_at):
    night = make_night(players=8, open_round=True)
    first, second = match_at(night.event, 1).entrants
    reports.report(night.event, 1, first.number, eliminated(left=56), by=BY)
    reports.report(night.event, 1, second.number, on_time(82, 46), by=BY)
    hand = hand_at(night)

    hand.follow(hand.link(re.compile("disputed")))
    hand.follow(hand.button(f"Accept {second}’s report"))

    assert now(night.event).round(1).match_at(1).played == on_time(82, 46)
    assert hand.presses == 2


# a late arrival


def test_somebody_comes_late_and_plays_from_the_next_round(hand_at):
    hand = hand_at(night := make_night(players=8, open_round=True))

    hand.follow(hand.link("Late arrivals & drops"))
    hand.type(hand.page.get_by_label("Name", exact=True), "Ash")
    with hand.page.expect_event("load"):
        hand.enter()
    hand.follow(hand.page.locator(".way-out").get_by_role("link").first)
    hand.follow(hand.button("Save change"))

    expect(hand.page.locator(".messages")).to_contain_text("You can undo it.")
    assert night.event.entrants.get(player__name="Ash").checked_in
    assert hand.presses == 5


# ties


@pytest.mark.nightly
def test_six_ties_are_rolled(hand_at):
    night = make_night(players=12, open_round=True)
    for table in range(1, 7):
        enter(night.event, table, on_time(10 * table, 10 * table))
    hand = hand_at(night)

    hand.follow(hand.next)
    hand.follow(hand.button("Roll all for me"))

    assert now(night.event).last_round.missing == []
    assert hand.presses == 2


# the end


def test_an_event_is_finished_shared_and_followed_by_the_next_month(hand_at, server: str):
    hand = hand_at(night := make_night(players=6, rounds=3, pack="dominion-war-5"))
    hand.page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server)

    hand.follow(hand.next)
    hand.follow(hand.button("Finish event"))
    assert now(night.event).is_finished
    assert hand.presses == 2
    desk = hand.page.url

    hand.follow(hand.link("Share results"))
    hand.click(hand.button("Copy text").first)
    expect(hand.button("Copied").first).to_be_visible()
    assert hand.presses == 4

    hand.page.goto(desk)
    hand.follow(hand.link("Schedule next month").first)
    hand.type(hand.page.get_by_label("SP limit", exact=True), "100")
    hand.follow(hand.button("Schedule event"))
    assert Event.objects.exclude(pk=night.event.pk).get().rules.slug == "dominion-war-6"
    assert hand.presses == 7


# on a player's phone


@pytest.fixture
def thumb(open_page: Callable[..., Page]) -> Hand:
    return Hand(open_page(SMALL))


def test_a_stranger_joins_with_three_taps_and_a_name(thumb: Hand):
    night = make_night(players=0)
    thumb.page.goto(f"/{short_code_of(night.event)}")

    thumb.type(thumb.page.get_by_label("Your name"), "Vor")
    thumb.click(thumb.page.get_by_role("radio", name="Klingon"))
    thumb.follow(thumb.button("Join"))

    expect(thumb.page.get_by_role("heading", name="Vor")).to_be_visible()
    entrant = night.event.entrants.get()
    assert (entrant.player.name, entrant.faction) == ("Vor", "Klingon")
    assert thumb.presses == 3


def test_a_regular_joins_with_one_tap(thumb: Hand, server: str):
    night, player, _ = regular()
    hold(thumb.page, player, server)
    thumb.page.goto(f"/s/{night.store.slug}/me/")

    thumb.follow(thumb.button("I’m coming"))

    entrant = night.event.entrants.get()
    assert (entrant.player, entrant.faction) == (player, "Klingon")
    assert thumb.presses == 1


@pytest.mark.parametrize("way", ["I won", "Time"])
def test_a_result_is_reported_with_three_taps_beside_its_numbers(thumb: Hand, server: str, way: str):
    night = make_night(players=4, open_round=True)
    me, other = match_at(night.event, 1).entrants
    give_card(thumb.page, me, server)

    thumb.follow(thumb.link("Enter result"))
    thumb.click(thumb.page.get_by_role("radio", name=way, exact=True))
    thumb.type(thumb.page.get_by_role("textbox", name="Your SP left"), "46")
    if way == "Time":
        theirs = thumb.page.get_by_role("textbox", name=f"{other}’s SP left")
        thumb.next_field(theirs)
        thumb.type(theirs, "20")
    thumb.follow(thumb.button(re.compile("^Send to|^Send")))

    told = played_of(PlayerReport.objects.get())
    assert [side.sp_left for side in told.sides] == [46, 20 if way == "Time" else 0]
    assert thumb.presses == 3


def test_a_report_is_confirmed_with_one_tap_that_says_before_what_it_confirms(thumb: Hand, server: str):
    night = make_night(players=4, open_round=True)
    me, other = match_at(night.event, 1).entrants
    reports.report(night.event, 1, other.number, eliminated(left=56), by=BY)
    give_card(thumb.page, me, server)

    waits = thumb.page.get_by_role("region", name="Your opponent’s report")
    expect(waits).to_contain_text(f"{other} reported: You win 100–44. Is that right?")
    for one in (waits, yes := thumb.button("Yes, that’s right")):
        expect(one).to_be_in_viewport(ratio=1)
    thumb.follow(yes)

    assert Result.objects.get().ending == "elimination"
    assert thumb.presses == 1
