"""What is stored of a result, and a night with some."""

from tests.support.copied import copied
from tests.support.nights import AT, BY, make_night
from tests.support.tables import eliminated, enter, match_at, on_time
from tourney.actions import results, rounds
from tourney.actions.record import Actor
from tourney.models import Event, JournalEntry

VOR = Actor(user=None, name="Vor's desk", at=AT)
EMPTY = {
    "ending": "time",
    "out": "",
    "condition": None,
    "condition_side": "",
    "sp_left_a": 0,
    "sp_left_b": 0,
    "tallies_a": {},
    "tallies_b": {},
    "adjustment_a": 0,
    "adjustment_b": 0,
    "ruling": "",
    "sp_ruling": "",
}


def stored(event: Event, table: int) -> dict:
    return results.facts_of(match_at(event, table).result)


def last_entry(event: Event) -> JournalEntry:
    return JournalEntry.objects.filter(event=event).last()


@copied
def closed_night(**more):
    """Five players, round 1 closed: 100 to 40 at table 1, 70 to 50 at table 2, and one has a bye."""
    night = make_night(players=5, open_round=True, **more)
    enter(night.event, 1, eliminated(left=60))
    enter(night.event, 2, on_time(50, 30))
    rounds.close_round(night.event, 1, by=BY)
    return night
