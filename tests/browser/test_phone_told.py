"""What a player's phone says as it happens: the clock that runs out, notices that go, news to see, hear and read."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browser.test_cards_of_players import give_card
from tests.support.browsing import PHONE
from tests.support.nights import BY, Night, make_night, now
from tourney.actions import rounds

pytestmark = pytest.mark.django_db(transaction=True)


def with_a_clock(*, minutes_left: int) -> Night:
    """Four players in round 1, whose clock ends in so many minutes."""
    night = make_night(players=4)
    rounds.pair_round(night.event, seed=1, by=BY)
    rounds.publish_round(night.event, 1, by=BY)
    begun = timezone.now() - timedelta(minutes=night.event.minutes - minutes_left)
    rounds.start_clock(night.event, 1, by=replace(BY, at=begun))
    return night


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
