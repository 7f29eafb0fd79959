"""What the desk tells everybody."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.support.nights import AT, BY, make_night
from tests.support.refusing import refused
from tourney.actions import announcements
from tourney.models import Announcement, Event, JournalEntry

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    return make_night(players=2).event


def announced(event: Event, *, minutes: int = 0) -> list[Announcement]:
    """What is announced so many minutes after AT."""
    return Event.objects.get(pk=event.pk).announced(AT + timedelta(minutes=minutes))


def last_entry(event: Event) -> tuple:
    entry = JournalEntry.objects.filter(event=event).last()
    return entry.did, entry.what, entry.before, entry.after


def test_what_is_announced_stays_until_it_is_taken_down(event):
    announcements.announce(event, "Pizza is here.", by=BY)

    assert announced(event, minutes=600) == [Announcement("Pizza is here.")]
    facts = {"announcement": "Pizza is here.", "shown_until": None}
    assert last_entry(event) == ("announce", "Announced: “Pizza is here.”", None, facts)
    announcements.take_down(event, "Pizza is here.", by=BY)
    assert announced(event) == []
    assert last_entry(event) == ("take_down", "Announcement removed: “Pizza is here.”", facts, None)


def test_what_is_announced_for_some_minutes_goes_by_itself(event):
    announcements.announce(event, "Break", by=BY, minutes=10)

    assert announced(event, minutes=9) == [Announcement("Break", AT + timedelta(minutes=10))]
    assert announced(event, minutes=10) == []


def test_the_same_words_again_only_change_until_when_they_are_shown(event):
    announcements.announce(event, "Break", by=BY, minutes=10)
    announcements.announce(event, "Last orders", by=BY)

    announcements.announce(event, "Break", by=BY, minutes=15)

    assert announced(event) == [Announcement("Break", AT + timedelta(minutes=15)), Announcement("Last orders")]


def test_three_are_shown_at_a_time_and_one_that_went_by_itself_makes_room(event):
    for text, minutes in (("One", 5), ("Two", None), ("Three", None)):
        announcements.announce(event, text, by=BY, minutes=minutes)

    with refused("3 announcements are already showing. Remove one first."):
        announcements.announce(event, "Four", by=BY)
    announcements.announce(event, "Four", by=replace(BY, at=AT + timedelta(minutes=6)))

    assert [one.text for one in announced(event, minutes=6)] == ["Two", "Three", "Four"]


def test_taking_down_what_is_not_shown_changes_nothing(event):
    announcements.announce(event, "Break", by=BY)
    before = Event.objects.get(pk=event.pk).version, last_entry(event)

    announcements.take_down(event, "Brake", by=BY)

    assert (Event.objects.get(pk=event.pk).version, last_entry(event)) == before


def test_every_change_gives_the_event_its_next_version(event):
    first = Event.objects.get(pk=event.pk).version

    announcements.announce(event, "Break", by=BY)
    announcements.take_down(event, "Break", by=BY)

    assert Event.objects.get(pk=event.pk).version == first + 2
