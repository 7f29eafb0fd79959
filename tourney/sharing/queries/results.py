"""The results of an event in the shapes that others ask for: a publisher's form, and List Fortress."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.timezone import localdate

from scoring.domain.standings import Standing
from tourney.models import Entrant
from tourney.queries.matches import MatchState, RoundState
from tourney.queries.state import EventState
from tourney.runtime.spreadsheets import uncalculated

WON = ("win", "no-show win", "bye")
"""The outcomes that such a form counts as a win."""


@dataclass(frozen=True, slots=True)
class ReentryLine:
    """A player as a form asks for them: rank, name, wins, points."""

    standing: Standing
    name: str
    wins: int


def reentry_lines(state: EventState) -> list[ReentryLine]:
    """Everybody in rank order after the complete rounds; byes are wins."""
    lines = state.standings(len(state.complete_rounds))
    return [ReentryLine(line, state.names[line.id], _wins(line)) for line in lines]


def _wins(line: Standing) -> int:
    return sum(score is not None and score.outcome in WON for score in line.rounds)


def as_text(lines: Sequence[ReentryLine]) -> str:
    """The lines to paste into a spreadsheet: rank, name, wins, Battle Points, Fleet Points, a tab between them."""
    rows = (
        (one.standing.rank, uncalculated(one.name), one.wins, one.standing.battle_points, one.standing.fleet_points)
        for one in lines
    )
    return "\n".join("\t".join(map(str, row)) for row in rows)


def list_fortress(state: EventState) -> dict[str, object]:
    """The players with their ranks and the complete rounds, as List Fortress reads them from Cryodex.

    `score` is Battle Points, `mov` Fleet Points; the points of a match are its Fleet Points. `dropped` is the last
    round that somebody played.
    """
    complete = state.complete_rounds
    return {
        "name": state.event.name,
        "date": localdate(state.event.starts_at).isoformat(),
        "players": [_player(line, state.by_number[line.id]) for line in state.standings(len(complete))],
        "rounds": [
            {
                "round-type": "swiss",
                "round-number": round.number,
                "matches": [_match(round, match) for match in round.matches],
            }
            for round in complete
        ],
    }


def _player(line: Standing, entrant: Entrant) -> dict[str, object]:
    facts: dict[str, object] = {
        "name": entrant.player.name,
        "score": line.battle_points,
        "mov": line.fleet_points,
        "sos": 0,
        "rank": {"swiss": line.rank},
    }
    return facts | ({} if entrant.dropped_from is None else {"dropped": entrant.dropped_from - 1})


def _match(round: RoundState, match: MatchState) -> dict[str, object]:
    """The winner first, as Cryodex writes a match; without a winner it is a draw there."""
    sides = sorted(round.lines(match), key=lambda side: not side.won)
    facts: dict[str, object] = {}
    for number, side in enumerate(sides, start=1):
        facts[f"player{number}"] = side.entrant.player.name
        facts[f"player{number}points"] = round.scores[side.entrant.number].fleet_points or 0
    return facts | {"result": "bye" if match.is_bye else "win" if match.winner else "draw"}
