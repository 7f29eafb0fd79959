"""Who is there to be paired, with what the pairing asks of each: places so far, opponents met, byes, float downs."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from tourney.domain import swiss

if TYPE_CHECKING:
    from tourney.queries.state import EventState


def contenders_of(state: "EventState", round_number: int, numbers: Iterable[int]) -> dict[int, swiss.Contender]:
    """These entrants as the pairing of that round sees them, by number; who has no place yet comes last."""
    table = {line.id: line for line in state.standings(round_number - 1)}
    met, byes = _meetings(state, round_number)
    floated = _floated_down(state, round_number - 1)
    last = len(table) + 1
    return {
        number: swiss.Contender(
            id=number,
            battle_points=table[number].battle_points if number in table else 0,
            fleet_points=table[number].fleet_points if number in table else 0,
            place=table[number].rank if number in table else last,
            met=tuple(met[number]),
            byes=byes[number],
            floated_down=number in floated,
            faction=state.by_number[number].faction,
        )
        for number in numbers
    }


def _meetings(state: "EventState", before: int) -> tuple[Mapping[int, list[int]], Counter[int]]:
    """Opponents met and byes had before a round. A no-show is neither a meeting nor a bye (rule 3.6)."""
    met: defaultdict[int, list[int]] = defaultdict(list)
    byes: Counter[int] = Counter()
    for match in (match for round in state.rounds[: before - 1] for match in round.matches):
        if match.b is None:
            byes[match.a.number] += 1
        elif match.is_meeting:
            met[match.a.number].append(match.b.number)
            met[match.b.number].append(match.a.number)
    return met, byes


def _floated_down(state: "EventState", round_number: int) -> set[int]:
    """Who met somebody with fewer points in that round."""
    if round_number < 2 or round_number > len(state.rounds):
        return set()
    points: Counter[int] = Counter()
    for scores in state.scores(round_number - 1):
        points.update({number: score.battle_points for number, score in scores.items()})
    floated = set()
    for match in state.rounds[round_number - 1].tables:
        first, second = (points[number] for number in match.numbers)
        if first != second:
            floated.add(match.numbers[first < second])
    return floated
