"""What a player's phone says as it happens: the clock that runs out, notices that go, news to see, hear and read."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from scoring.domain.points import Ending, Played, Side
from tests.browser.test_cards_of_players import give_card
from tests.support.browsing import PHONE, assert_accessible
from tests.support.built_fleets import bring_all
from tests.support.clicking import press
from tests.support.nights import BY, Night, make_night, now
from tests.support.tables import eliminated, enter
from tourney.actions import announcements, player_cards, reports, rounds, sign_off
from tourney.models import Entrant
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db(transaction=True)


def with_a_clock(*, minutes_left: int) -> Night:
    """Four players in round 1, whose clock ends in so many minutes."""
    night = make_night(players=4)
    rounds.pair_round(night.event, seed=1, by=BY)
    rounds.publish_round(night.event, 1, by=BY)
    begun = timezone.now() - timedelta(minutes=night.event.minutes - minutes_left)
    rounds.start_clock(night.event, 1, by=replace(BY, at=begun))
    return night


def at_table_1() -> tuple[Night, Entrant, Entrant]:
    """Round 1 in play with fleets, and who sits at table 1."""
    night = make_night(players=4, open_round=True)
    bring_all(night.event)
    return night, *state_of(night.event).last_round.match_at(1).entrants


# the clock


def test_when_the_clock_runs_out_under_a_reader_the_page_does_not_say_when_it_will_end(phone: Page):
    night = with_a_clock(minutes_left=5)
    phone.clock.install(time=timezone.now())
    phone.goto(night.event.get_absolute_url())
    expect(phone.get_by_text("Ends at")).to_be_visible()

    phone.clock.fast_forward("06:00")

    expect(phone.get_by_role("timer")).to_have_text("Time")
    expect(phone.get_by_text("Ends at")).not_to_be_visible()
    expect(phone.get_by_text("No results yet.")).to_be_visible()


# notices


def test_the_greeting_of_a_card_is_shown_once(phone: Page):
    night = make_night(players=4, open_round=True)
    key = player_cards.issue(night.event.entrants.get(number=1).player, by=BY)
    phone.goto(f"/card/{key}/")
    press(phone, phone.get_by_role("button", name=re.compile("Use .* card")))
    greeting = phone.locator(".messages")
    expect(greeting).to_contain_text("This device now holds")
    page = phone.url
    phone.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")  # as phones go back
    expect(greeting).to_have_count(0)
    phone.goto(night.event.get_absolute_url())

    phone.go_back()
    expect(phone).to_have_url(page)
    expect(greeting).to_have_count(0)
    phone.reload()
    expect(greeting).to_have_count(0)


def test_a_notice_goes_when_the_card_it_is_about_changes_and_not_before(open_page: Callable[..., Page], server: str):
    night, me, other = at_table_1()
    phone = give_card(open_page(PHONE), me, server)
    phone.goto(f"/e/{night.event.slug}/fleets/{other.number}/")
    press(phone, phone.get_by_role("button", name="It matches: sign the fleet"))
    notice, card = phone.locator(".messages"), phone.locator("#card")
    expect(notice).to_have_text(f"You signed {other}’s fleet.")
    version = card.get_attribute("data-version")

    enter(night.event, 2, eliminated(left=56))
    expect(card).not_to_have_attribute("data-version", version)
    expect(notice).to_have_text(f"You signed {other}’s fleet.")
    enter(night.event, 1, eliminated(left=56))

    expect(card).to_contain_text("You won ")
    expect(notice).to_have_count(0)


# what is new


@pytest.fixture
def asked(open_page: Callable[..., Page], server: str) -> Callable[..., Page]:
    """`asked(night, 1)`: the card of that player on a phone that is to make a sound when something changes."""

    def asked(night: Night, number: int, *, clock: bool = False) -> Page:
        page = give_card(open_page(PHONE), night.event.entrants.get(number=number), server)
        if clock:
            page.clock.install(time=timezone.now())
        page.goto(f"/e/{night.event.slug}/me/")
        page.get_by_label("Play a sound and vibrate when something changes for me").check()
        page.evaluate("navigator.vibrate = () => (document.body.dataset.shaken = 'yes')")
        return page

    return asked


def expect_told(page: Page, sentence: str) -> None:
    """By title, by vibration, and to a screen reader; then the phone is picked up."""
    expect(page).to_have_title(f"● {sentence}")
    expect(page.locator("body")).to_have_attribute("data-shaken", "yes")
    expect(page.get_by_role("status").filter(has_text=sentence)).to_have_count(1)
    page.evaluate("delete document.body.dataset.shaken")
    page.locator("#answer").tap()
    expect(page).not_to_have_title(re.compile("●"))


def test_a_report_that_waits_for_my_yes_a_judge_and_an_announcement_are_told_with_what_to_do(
    asked: Callable[..., Page],
):
    night, me, other = at_table_1()
    phone = asked(night, me.number)

    announcements.announce(night.event, "Pizza is here", by=now())
    expect_told(phone, "Pizza is here")
    sign_off.call_judge(night.event, 1, other.number, line=4, words="only four", by=BY)
    expect_told(phone, "Judge called: stay at your table")
    played = Played(Ending.ELIMINATION, (Side(56), Side()), out=1)
    reports.report(night.event, 1, other.number, played, by=BY)

    expect_told(phone, f"Check and confirm {other}’s report")
    assert_accessible(phone)


def test_the_clock_is_told_at_10_minutes_1_minute_and_time_once_each(asked: Callable[..., Page]):
    phone = asked(with_a_clock(minutes_left=12), 1, clock=True)

    for forward, sentence in (
        ("02:30", "10 minutes left"),
        ("08:40", "1 minute left"),
        ("01:00", "Time’s up: enter your result"),
    ):
        phone.clock.fast_forward(forward)
        expect_told(phone, sentence)


def test_a_phone_that_was_not_asked_is_silent_and_a_screen_reader_hears_it(open_page: Callable[..., Page], server: str):
    night, me, _ = at_table_1()
    card, event = give_card(open_page(PHONE), me, server), open_page(PHONE)
    card.goto(f"/e/{night.event.slug}/me/")
    event.goto(night.event.get_absolute_url())
    titles = [page.title() for page in (card, event)]

    announcements.announce(night.event, "Pizza is here", by=now())

    for page in (card, event):
        expect(page.get_by_role("status").filter(has_text="Pizza is here")).to_have_count(1)
        assert_accessible(page)
    assert [page.title() for page in (card, event)] == titles
