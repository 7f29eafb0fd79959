"""What happens at tables, for tests: results that are quick to write, and nights whose ties are known."""

from scoring.domain.points import Ending, Played, Side
from tests.support.copied import copied
from tests.support.nights import BY, Night, make_night
from tourney.actions import results
from tourney.models import Event
from tourney.queries.matches import MatchState
from tourney.queries.state import state_of


def eliminated(out: int = 1, left: int = 60, **more) -> Played:
    """One fleet is gone, the other has that much left: with 100 SP, 100 Fleet Points to 100 - left."""
    sides = [Side(), Side()]
    sides[1 - out] = Side(left)
    return Played(Ending.ELIMINATION, tuple(sides), out=out, **more)


def on_time(first: int, second: int, **more) -> Played:
    """Time is called with so many SP left."""
    return Played(Ending.TIME, (Side(first), Side(second)), **more)


def enter(event: Event, table: int, played: Played, *, number: int = 1, version: int = 0, **more) -> None:
    report = results.ResultInput(played, more.pop("ruling", ""))
    results.report_result(event, number, table, report, version=version, by=more.pop("by", BY), **more)


def match_at(event: Event, table: int, number: int = 1) -> MatchState:
    return state_of(event).round(number).match_at(table)


def names_at(event: Event, table: int, number: int = 1) -> tuple[str, ...]:
    return tuple(entrant.player.name for entrant in match_at(event, table, number).entrants)


@copied
def night_with_ties(**more) -> tuple[Night, tuple[int, ...], tuple[int, ...]]:
    """Six players after the tables of round 1: the three winners are tied, and so are the three losers."""
    night = make_night(players=6, open_round=True, **more)
    for table in (1, 2, 3):
        enter(night.event, table, eliminated())
    seated = [match_at(night.event, table).numbers for table in (1, 2, 3)]
    winners, losers = zip(*seated, strict=True)
    return night, tuple(sorted(winners)), tuple(sorted(losers))
