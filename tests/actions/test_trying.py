"""What an action would lead to is what it leads to, and asking changes nothing."""

import pytest

from tests.support.nights import BY, make_night
from tourney.actions import entrants, rounds
from tourney.actions.dry_run import tried
from tourney.actions.record import Refused
from tourney.queries.history import rows_at, stored_rows
from tourney.queries.state import EventState, state_of

pytestmark = pytest.mark.django_db


def tables(state: EventState) -> list[tuple[int, ...]]:
    return [match.numbers for match in state.last_round.matches]


def test_what_is_seen_is_what_happens_and_until_then_nothing_changes():
    event = make_night(players=7, rounds=1).event
    before = stored_rows(event)

    def leave_and_pair(event):
        entrants.drop(event, 3, by=BY, reason="must go")
        rounds.pair_round(event, seed=5, by=BY)

    seen = tried(event, leave_and_pair, tables)
    event.refresh_from_db()
    assert (stored_rows(event), rows_at(event)) == (before, before)
    leave_and_pair(event)
    assert tables(state_of(event)) == seen
    assert not any(3 in numbers for numbers in seen)


def test_what_is_refused_says_so_and_changes_nothing():
    event = make_night(players=4).event
    before = stored_rows(event)
    with pytest.raises(Refused, match="no longer registered"):
        tried(event, lambda event: entrants.drop(event, 99, by=BY), tables)
    assert stored_rows(event) == before
