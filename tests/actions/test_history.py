"""Undo and redo over the real actions: a step back leads to the state before, and the history adds up."""

import pytest

from tests.nights import BY, make_night
from tests.tables import eliminated, enter
from tourney.actions import history
from tourney.actions.record import Stale
from tourney.models import Event, Result
from tourney.queries.history import differences, history_of, stored_rows

pytestmark = pytest.mark.django_db


def undo(event: Event) -> str:
    """What was undone."""
    last = history_of(event).last
    history.undo(event, last.pk, by=BY)
    return last.did


def redo(event: Event) -> str:
    found = history_of(event).next
    history.redo(event, found.pk, by=BY)
    return found.did


def test_every_step_of_a_night_can_be_taken_back_and_done_again():
    event = make_night(players=5, rounds=2, finish=True).event
    there, undone = [stored_rows(event)], []
    while history_of(event).last:
        undone.append(undo(event))
        there.append(stored_rows(event))

    back, again = there[-1:], []
    while history_of(event).next:
        again.append(redo(event))
        back.append(stored_rows(event))

    assert (again, back) == (undone[::-1], there[::-1])
    assert differences(event) == []


def test_what_is_done_anew_ends_doing_again():
    event = make_night(players=4, open_round=True).event
    enter(event, 1, eliminated())
    undo(event)

    enter(event, 2, eliminated())

    assert history_of(event).next is None


def test_only_the_step_that_was_seen_is_taken_back():
    event = make_night(players=4, open_round=True).event
    seen = history_of(event).last
    enter(event, 1, eliminated())

    with pytest.raises(Stale, match="Meanwhile something else was done last: Round 1, table 1"):
        history.undo(event, seen.pk, by=BY)

    assert Result.objects.filter(match__round__event=event).count() == 1
