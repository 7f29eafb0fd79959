"""Battle Points and Fleet Points (rules 2.1–2.12)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import ceil

from scoring.domain.bonuses import BonusTerm, Problem, bonus_parts
from scoring.domain.pack import MonthPack
from scoring.domain.plausible import endings, problems
from scoring.domain.played import NAMES, NOT_PLAYED, Ending, Name, Played, Side, capital
from scoring.domain.winner import is_tied, why, winner
from tourney.runtime.messages import Message, message, nmessage

__all__ = [
    "NOT_PLAYED",
    "BonusTerm",
    "Ending",
    "InvalidResult",
    "MatchScore",
    "Played",
    "PointsPenalty",
    "Problem",
    "Score",
    "ScoredTable",
    "Side",
    "bye_fleet_points",
    "endings",
    "problems",
    "score_checked",
    "score_match",
    "score_round",
    "sides_with_sp",
]

SHORT_SUM = 8
"""Up to so many others the sum of a bye's mean is written out."""


@dataclass(frozen=True, slots=True)
class Score:
    """What one player gets for one round; fleet_points is the sum of the parts.

    outcome is "win", "loss", "bye", "no-show win", "no-show", or "undecided" while the table must roll off.
    fleet_points is None while it depends on matches of the round that are not over.
    """

    battle_points: int
    fleet_points: int | None
    parts: tuple[BonusTerm, ...]
    outcome: str


@dataclass(frozen=True, slots=True)
class MatchScore:
    """The winner (0, 1, or None), why in a sentence, and both scores."""

    winner: int | None
    why: Message
    scores: tuple[Score, Score]
    needs_roll_off: bool


@dataclass(frozen=True, slots=True)
class ScoredTable:
    """One entrant has a bye, two play a match; score is None until the result is there."""

    entrants: tuple[int, ...]
    score: MatchScore | None = None


@dataclass(frozen=True, slots=True)
class PointsPenalty:
    """Rule 2.12: points that a ruling gives an entrant beside the result of a round; below zero it takes them."""

    entrant: int
    battle_points: int = 0
    fleet_points: int = 0
    reason: str = ""


class InvalidResult(Exception):
    """The result cannot be right; `problems` holds every reason."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__(" ".join(str(problem.message) for problem in problems))
        self.problems = problems


SP_LIMIT, BASE = message("SP limit"), message("Base")


def score_match(rules: MonthPack, played: Played, names: tuple[Name, Name] = NAMES) -> MatchScore:
    """Rules 2.1–2.9, 2.11, 2.12: both scores of a match. Raises InvalidResult.

    Level without a roll-off: needs_roll_off is true, nobody has won and nobody has Battle Points yet.
    After a no-show the Fleet Points of the player present are None, unless the pack fixes them.
    """
    if found := problems(rules, played, names):
        raise InvalidResult(found)
    return score_checked(rules, played, names)


def score_checked(rules: MonthPack, played: Played, names: tuple[Name, Name] = NAMES) -> MatchScore:
    """The same for a match of which `score_match` did not complain before, with these rules."""
    won = winner(rules, played)
    must_roll = won is None and is_tied(rules, played)
    if played.ending in NOT_PLAYED:
        scores = (_no_show_score(rules, played, 0), _no_show_score(rules, played, 1))
    else:
        outcomes = ["undecided" if must_roll else "win" if side == won else "loss" for side in (0, 1)]
        first, second = (_fleet_points_parts(rules, played, side, won, names) for side in (0, 1))
        scores = (_score(rules, outcomes[0], first), _score(rules, outcomes[1], second))
    sheets = (scores[0].fleet_points, scores[1].fleet_points)
    return MatchScore(won, why(rules, played, names, sheets), scores, must_roll)


def score_round(
    rules: MonthPack, tables: Sequence[ScoredTable], penalties: Sequence[PointsPenalty] = ()
) -> dict[int, Score]:
    """Rules 2.10 and 2.12: the scores of a round that are known, by entrant, penalties included.

    Matches without a result or with a roll-off to come are left out. The Fleet Points of a bye, and of a
    player whose opponent did not come, are None until every match of the round has its result; then they
    are the mean of all players whose match was played, rounded up. A pack can fix them instead.
    """
    byes = [table for table in tables if len(table.entrants) == 1]
    matches = [table for table in tables if len(table.entrants) == 2]
    known = [(table.entrants, score) for table in matches if (score := table.score) and not score.needs_roll_off]
    scores = {table.entrants[0]: _like_a_bye(rules, "bye", ()) for table in byes}
    for entrants, match in known:
        scores |= zip(entrants, match.scores, strict=True)
    for penalty in penalties:
        if penalty.entrant in scores:
            scores[penalty.entrant] = _penalized(scores[penalty.entrant], penalty)
    if len(known) == len(matches):
        counted = [
            points
            for score in scores.values()
            if score.outcome in ("win", "loss") and (points := score.fleet_points) is not None
        ]
        mean = _mean_part(counted)
        scores = {entrant: _with_mean(score, mean) for entrant, score in scores.items()}
    return scores


def sides_with_sp(rules: MonthPack, ending: Ending, out: int | None) -> tuple[int, ...]:
    """Whose SP left count (rules 2.2, 2.6, 2.9): not an eliminated fleet's, and nobody's after a no-show."""
    if ending in (Ending.BOTH_ELIMINATED, *NOT_PLAYED):
        return ()
    if ending is Ending.ELIMINATION or (ending is Ending.CONCESSION and rules.concession == "eliminated"):
        return () if out is None else (1 - out,)
    return (0, 1)


def bye_fleet_points(others: Sequence[int]) -> int:
    """Rule 2.10: the mean of the others' Fleet Points of the round, rounded up; 0 if nobody else played."""
    return ceil(Fraction(sum(others), len(others))) if others else 0


def _fleet_points_parts(
    rules: MonthPack, played: Played, side: int, won: int | None, names: tuple[Name, Name]
) -> tuple[BonusTerm, ...]:
    """Rule 2.2: base, what the opponent has left, bonuses and penalties, rulings."""
    return (
        BonusTerm(SP_LIMIT if rules.base == rules.sp_limit else BASE, rules.base),
        _left_part(rules, played, 1 - side, names[1 - side]),
        *bonus_parts(rules.bonuses, played.counts, side, won),
        *_ruling_parts(played.sides[side]),
    )


def _left_part(rules: MonthPack, played: Played, side: int, name: Name) -> BonusTerm:
    """Rules 2.2, 2.6, 2.9: what that side has left counts against the other."""
    conceded = played.ending is Ending.CONCESSION and side == played.out
    if conceded and rules.concession == "eliminated":
        return BonusTerm(message("{name} conceded, so nothing counts as left", name=capital(name)), 0)
    return BonusTerm(_left_with(name), -played.sides[side].sp_left)


@lru_cache(maxsize=5_000)
def _left_with(name: Name) -> Message:
    """The same for all rounds of a player."""
    return message("SP left in {name}’s surviving fleet", name=name)


def _ruling_parts(side: Side) -> tuple[BonusTerm, ...]:
    return (BonusTerm(message("Ruling"), side.adjustment),) if side.adjustment else ()


def _score(rules: MonthPack, outcome: str, parts: tuple[BonusTerm, ...]) -> Score:
    battle_points = {"win": rules.win, "loss": rules.loss, "no-show": rules.no_show, "undecided": 0}
    return Score(battle_points[outcome], sum(part.points for part in parts), parts, outcome)


def _no_show_score(rules: MonthPack, played: Played, side: int) -> Score:
    """Rule 2.11: the player present scores like a bye; who is absent has nothing but rulings."""
    rulings = _ruling_parts(played.sides[side])
    if side == played.out or played.ending is Ending.BOTH_NO_SHOWS:
        return _score(rules, "no-show", rulings)
    return _like_a_bye(rules, "no-show win", rulings)


def _like_a_bye(rules: MonthPack, outcome: str, rulings: tuple[BonusTerm, ...]) -> Score:
    score = Score(rules.bye, None, rulings, outcome)
    if rules.bye_fleet_points is None:
        return score
    return _with_mean(score, BonusTerm(message("Fixed for a bye"), rules.bye_fleet_points))


def _penalized(score: Score, penalty: PointsPenalty) -> Score:
    """Rule 2.12: whoever won stays the winner; there is no floor (rule 2.2)."""
    fleet_points = None if score.fleet_points is None else score.fleet_points + penalty.fleet_points
    parts = (*score.parts, _penalty_part(penalty)) if penalty.fleet_points else score.parts
    return replace(
        score, battle_points=score.battle_points + penalty.battle_points, fleet_points=fleet_points, parts=parts
    )


def _penalty_part(penalty: PointsPenalty) -> BonusTerm:
    if penalty.fleet_points < 0:
        label = message("Penalty: {reason}", reason=penalty.reason) if penalty.reason else message("Penalty")
    else:
        label = message("Ruling: {reason}", reason=penalty.reason) if penalty.reason else message("Ruling")
    return BonusTerm(label, penalty.fleet_points)


def _with_mean(score: Score, part: BonusTerm) -> Score:
    """The score, completed by that part if its Fleet Points were still open."""
    if score.fleet_points is not None:
        return score
    parts = (part, *score.parts)
    return replace(score, fleet_points=sum(part.points for part in parts), parts=parts)


def _mean_part(others: Sequence[int]) -> BonusTerm:
    """Rule 2.10, as the sum that it is: "Average of 4 others: (120+40+90+75) / 4 = 81.25, rounded up"."""
    if not others:
        return BonusTerm(message("No one else played this round"), 0)
    mean = Fraction(sum(others), len(others))
    total = sum(others) if len(others) > SHORT_SUM else _sum(others)
    if mean.denominator == 1:
        label = nmessage(
            "Average of {count} other: {total} / {count} = {average}",
            "Average of {count} others: {total} / {count} = {average}",
            len(others),
            total=total,
            average=_decimal(mean),
        )
    else:
        label = nmessage(
            "Average of {count} other: {total} / {count} = {average}, rounded up",
            "Average of {count} others: {total} / {count} = {average}, rounded up",
            len(others),
            total=total,
            average=_decimal(mean),
        )
    return BonusTerm(label, bye_fleet_points(others))


def _sum(numbers: Sequence[int]) -> str:
    return "(" + "".join(f"{number:+}" for number in numbers).removeprefix("+").replace("-", "−") + ")"


def _decimal(value: Fraction) -> str:
    """At most two decimals, cut off, with an ellipsis where the number goes on: 81.25, 81.33…"""
    hundredths = abs(value) * 100
    whole, rest = divmod(int(hundredths), 100)
    decimals = f".{rest:02}".rstrip("0").rstrip(".") if hundredths.denominator == 1 else f".{rest:02}…"
    return f"{'−' if value < 0 else ''}{whole}{decimals}"
