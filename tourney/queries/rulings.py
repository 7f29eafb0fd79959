"""What was decided beside the play: no-shows, concessions, double losses, rulings, penalties; for everybody to read."""

from dataclasses import dataclass

from scoring.domain.points import Ending, Played
from tourney.models import Penalty
from tourney.queries.matches import MatchState, PenaltyState, RoundState
from tourney.queries.state import EventState

WORDS = {
    Ending.NO_SHOW: ("No-show", "2.11"),
    Ending.NEITHER_CAME: ("No-show", "2.11"),
    Ending.CONCESSION: ("Conceded", "2.9"),
    Ending.DOUBLE_LOSS: ("Double loss", "2.12"),
    Ending.RULING: ("Ruling", "2.12"),
}
"""The endings that are marked: the mark, and the rule."""


@dataclass(frozen=True, slots=True)
class RulingNote:
    """A mark of one word, and the sentence that says who, what, by which rule and why.

    `about` are the entrants who carry the mark, `table` who sat there; `penalty` is the row it stands for, if any.
    """

    round: int
    about: tuple[int, ...]
    table: tuple[int, ...]
    word: str
    sentence: str
    penalty: Penalty | None = None


def rulings_in(round: RoundState) -> tuple[RulingNote, ...]:
    """All of a round, in table order, penalties last."""
    return (
        *(ruling for match in round.tables if match.result for ruling in _of_match(match)),
        *(_of_penalty(round, penalty) for penalty in round.penalties),
    )


def rulings_at(round: RoundState, match: MatchState) -> tuple[RulingNote, ...]:
    """Those of one match: both of its players read them."""
    penalties = (_of_penalty(round, one) for one in round.penalties if one.entrant.number in match.numbers)
    return (*_of_match(match), *penalties)


def is_ruled(round: RoundState, match: MatchState) -> bool:
    """Whether there is any of `rulings_at`."""
    result, played = match.result, match.played
    if any(one.entrant.number in match.numbers for one in round.penalties):
        return True
    if result is None or played is None or match.score is None:
        return False
    return bool(played.ending in WORDS or result.adjustment_a or result.adjustment_b or result.ruling)


def rulings_about(state: EventState, after: int) -> dict[int, list[RulingNote]]:
    """Those of the first `after` rounds, by the entrant who carries the mark."""
    found: dict[int, list[RulingNote]] = {}
    for ruling in rulings_until(state, after):
        for number in ruling.about:
            found.setdefault(number, []).append(ruling)
    return found


def rulings_until(state: EventState, after: int) -> list[RulingNote]:
    """Those of the first `after` rounds, in order."""
    return [ruling for round in state.rounds[:after] for ruling in rulings_in(round)]


def _of_match(match: MatchState) -> list[RulingNote]:
    found: list[RulingNote] = []
    result, played, score = match.result, match.played, match.score
    if result is None or played is None or score is None:
        return found
    if played.ending in WORDS:
        word, rule = WORDS[played.ending]
        sentence = _sentence(score.why.rstrip("."), rule, result.ruling)
        found.append(RulingNote(match.round.number, _marked(match, played), match.numbers, word, sentence))
    for entrant, points in zip(match.entrants, (result.adjustment_a, result.adjustment_b), strict=True):
        if points:
            what = f"{entrant} gets {_points(points, 'Fleet Point')} by a ruling"
            sentence = _sentence(what, "2.12", result.ruling)
            found.append(RulingNote(match.round.number, (entrant.number,), match.numbers, "Ruling", sentence))
    if result.ruling and not found:
        sentence = _sentence("A judge ruled at this table", "2.12", result.ruling)
        found.append(RulingNote(match.round.number, match.numbers, match.numbers, "Ruling", sentence))
    return found


def _marked(match: MatchState, played: Played) -> tuple[int, ...]:
    """Who carries the mark: whoever did not come or conceded; both of a double loss or a ruling."""
    if played.out is None or played.ending is Ending.RULING:
        return match.numbers
    return (match.numbers[played.out],)


def _of_penalty(round: RoundState, penalty: PenaltyState) -> RulingNote:
    row, number = penalty.row, penalty.entrant.number
    is_less = row.battle_points < 0 or row.fleet_points < 0
    sentence = _sentence(f"{penalty.entrant} gets {points_of(row)}", "2.12", row.reason)
    match = round.match_of(number)
    at = match.numbers if match else (number,)
    return RulingNote(round.number, (number,), at, "Penalty" if is_less else "Ruling", sentence, row)


def _sentence(what: str, rule: str, why: str) -> str:
    return f"{what} (rule {rule}){': ' if why else ''}{why.rstrip('.')}."


def points_of(row: Penalty) -> str:
    """The points of a penalty in words: "−1 Battle Point and −10 Fleet Points"."""
    given = ((row.battle_points, "Battle Point"), (row.fleet_points, "Fleet Point"))
    return " and ".join(_points(points, unit) for points, unit in given if points)


def points_in_short(battle_points: int, fleet_points: int) -> str:
    """ "−1 BP, −10 FP"; what is 0 is left out."""
    given = ((battle_points, "BP"), (fleet_points, "FP"))
    return ", ".join(f"{points:+} {unit}" for points, unit in given if points).replace("-", "−")


def _points(points: int, unit: str) -> str:
    return f"{points:+} {unit}{'' if abs(points) == 1 else 's'}".replace("-", "−")
