"""The rounds of one player at an event: against whom, how each ended, and what became of the rank."""

from dataclasses import dataclass

from tourney.models import Entrant, Round
from tourney.queries.finding import standing_after
from tourney.queries.matches import MatchState, RoundState, SeatScore
from tourney.queries.state import EventState


@dataclass(frozen=True, slots=True)
class MyRound:
    """A published round as a player has it on their card.

    `kind` is missed (no table), bye, playing, level, won, lost or drawn, no-show or no-show win; `own` and `other` are
    the sides of the match, `rank` and `before` the ranks after this round and after the one before, as far as known.
    """

    number: int
    kind: str
    is_closed: bool
    match: MatchState | None = None
    own: SeatScore | None = None
    other: SeatScore | None = None
    rank: int | None = None
    before: int | None = None

    @property
    def fleet_points(self) -> tuple[int, int] | None:
        """Own and other Fleet Points; None as long as one of them is open."""
        scores = [side.score for side in (self.own, self.other) if side and side.score]
        points = [score.fleet_points for score in scores if score.fleet_points is not None]
        return (points[0], points[1]) if len(points) == 2 else None


def my_rounds(state: EventState, entrant: Entrant) -> list[MyRound]:
    """The published rounds of that entrant from the first in which they sit, the latest first; nothing is asked."""
    lines: list[MyRound] = []
    for round in state.public_rounds:
        match = round.match_of(entrant.number)
        if match or (lines and entrant.dropped_from is None):
            lines.append(_line(state, round, match, entrant))
    return lines[::-1]


def _line(state: EventState, round: RoundState, match: MatchState | None, entrant: Entrant) -> MyRound:
    sides = round.lines(match) if match else []
    own = next((side for side in sides if side.entrant is entrant), None)
    now, before = (standing_after(state, entrant, number) for number in (round.number, round.number - 1))
    return MyRound(
        round.number,
        _kind(match, own),
        round.state == Round.State.CLOSED,
        match,
        own,
        next((side for side in sides if side.entrant is not entrant), None),
        now.rank if now else None,
        before.rank if before else None,
    )


def _kind(match: MatchState | None, own: SeatScore | None) -> str:
    if match is None or own is None:
        return "missed"
    if match.state != "done" or own.score is None:
        return match.state
    if own.score.outcome in ("no-show", "no-show win"):
        return own.score.outcome
    if own.won:
        return "won"
    return "lost" if match.winner else "drawn"
