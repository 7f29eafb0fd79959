"""Nights with a result that is to be corrected, and the correction as the pages make it."""

from tests.support.copied import copied
from tests.support.nights import BY, Night, make_night
from tests.support.tables import enter, on_time
from tourney.actions import results, rounds
from tourney.actions.corrections import Correction, do_if_still_as_shown, foreseen
from tourney.models import Event
from tourney.queries.repairs import BYE, Repair, RepairMode
from tourney.queries.state import state_of


@copied
def night_in_round(number: int, players: int = 8, *, publish: bool = True, **more) -> Night:
    """The rounds before are closed without a tie: at table t the first player has won by 60 + t to 20 + 5t SP left."""
    night = make_night(players=players, **more)
    for round in range(1, number + 1):
        rounds.pair_round(night.event, seed=5, by=BY)
        if publish or round < number:
            rounds.publish_round(night.event, round, by=BY)
        if round < number:
            for table in range(1, players // 2 + 1):
                enter(night.event, table, on_time(60 + table, 20 + 5 * table + round), number=round)
            rounds.close_round(night.event, round, by=BY)
    return night


def turned(number: int = 1, table: int = 1, *, version: int = 1, reason: str = "the slip was misread") -> Correction:
    """The other one has won that table."""
    return Correction(number, table, results.ResultInput(on_time(5, 80)), version, reason)


def do(event: Event, doing, repair: Repair = Repair(), *, seen: int | None = None) -> None:  # noqa: B008
    """As the pages do it: look first."""
    seen = foreseen(state_of(event), doing, repair, by=BY).fingerprint if seen is None else seen
    do_if_still_as_shown(event, doing, repair, expected=seen, by=BY)


def tables(event: Event, number: int = 2) -> dict[int, frozenset[int]]:
    """Who sits where; table 0 is the bye."""
    return {match.table or BYE: frozenset(match.numbers) for match in state_of(event).round(number).matches}


FEWEST, ALL = Repair(RepairMode.FEWEST), Repair(RepairMode.ALL)
