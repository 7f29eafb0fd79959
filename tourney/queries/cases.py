"""What can be decided at a table beside the play, each with the points it gives, before anybody presses anything."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from scoring.domain.points import (
    NOT_PLAYED,
    Ending,
    MatchScore,
    Played,
    PointsPenalty,
    Score,
    ScoredTable,
    Side,
    problems,
    score_round,
    sides_with_sp,
)
from tourney.models import Entrant
from tourney.models.play import SIDES
from tourney.queries.matches import MatchState, RoundState, TableState
from tourney.queries.rulings import penalty_in_words
from tourney.queries.state import EventState
from tourney.queries.surviving import fleets_at, marked_sheet
from tourney.runtime.messages import Message, in_a_row, message

type ScoredEntrant = tuple[Entrant, Score | None]
"""A player with the score of the round; None while it is not known."""


@dataclass(frozen=True, slots=True)
class CaseOption:
    """One button: what is decided, and what both get by it; or why it cannot be, in sentences."""

    key: str
    label: Message
    played: Played
    lines: tuple[ScoredEntrant, ...] = ()
    why_not: tuple[str | Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """A kind of thing that goes wrong, its rule, the reason that is most often right, and its buttons."""

    key: str
    name: Message
    rule: str
    reason: Message
    options: tuple[CaseOption, ...]


@dataclass(frozen=True, slots=True)
class PenaltyEffect:
    """A player's score of the round before and after a penalty; what its button says, and what is asked then."""

    entrant: Entrant
    before: Score | None
    after: Score | None
    label: Message
    question: Message


NO_SHOW = message("Not at the table in time")
CONCEDED = message("Conceded at the table")
BOTH_LOSE = message("Neither player followed the rules")
DECIDED = message("Decided by the judge at the table")


def cases_of(state: EventState, round: RoundState, match: TableState) -> tuple[Case, ...]:
    """Rules 2.9, 2.11, 2.12: the ways to decide this match beside the play."""
    first, second = (state.names[number] for number in match.numbers)
    sides = _so_far(state, match)

    def options(ending: Ending, labels: Sequence[tuple[int | None, Message]]) -> tuple[CaseOption, ...]:
        return tuple(_option(state, round, match, sides, ending, out, label) for out, label in labels)

    def each(say: Callable[[str], Message]) -> tuple[Message, Message]:
        return say(first), say(second)

    came = enumerate(each(lambda player: message("{player} is a no-show", player=player)))
    neither = [(None, message("Both are no-shows"))]
    absent = (*options(Ending.NO_SHOW, [*came]), *options(Ending.BOTH_NO_SHOWS, neither))
    concedes = options(
        Ending.CONCESSION, [*enumerate(each(lambda player: message("{player} concedes", player=player)))]
    )
    first_wins, second_wins = each(lambda player: message("{player} wins", player=player))
    wins = options(Ending.RULING, [(1, first_wins), (0, second_wins)])
    lose = options(Ending.DOUBLE_LOSS, [(None, message("Both lose"))])
    return (
        Case("no-show", message("No-show"), "2.11", NO_SHOW, absent),
        Case("concession", message("Concession"), "2.9", CONCEDED, concedes),
        Case("ruling", message("Win by a ruling"), "2.12", DECIDED, wins),
        Case("double-loss", message("Double loss"), "2.12", BOTH_LOSE, lose),
    )


def concession_of(state: EventState, match: TableState, side: str) -> CaseOption:
    """Rule 2.9: that side of a match of a published round concedes; the same as the button of `cases_of`."""
    out = SIDES.index(side)
    label = message("{player} concedes", player=state.names[match.numbers[out]])
    round = state.rounds[match.round.number - 1]
    return _option(state, round, match, _so_far(state, match), Ending.CONCESSION, out, label)


def effects_of(
    state: EventState, round: RoundState, match: MatchState, points: tuple[int, int]
) -> tuple[PenaltyEffect, ...]:
    """Rule 2.12: what a penalty of (Battle, Fleet) Points would make of the score of each of these players."""
    return tuple(_effect(state, round, entrant, points) for entrant in match.entrants)


def _effect(state: EventState, round: RoundState, entrant: Entrant, points: tuple[int, int]) -> PenaltyEffect:
    before = round.scores.get(entrant.number)
    after = _scores_if(state, round, {}, [PointsPenalty(entrant.number, *points)]).get(entrant.number)
    label = penalty_in_words(str(entrant), *points)
    follows = message("It counts on top of the result.")
    if before and after and None not in (before.fleet_points, after.fleet_points):
        follows = message(
            "Round {number}: {before} now, {after} then.", number=round.number, before=_sum(before), after=_sum(after)
        )
    told = message("Everyone can read it, with its reason. You can undo it.")
    question = in_a_row([message("{action}?", action=label), follows, told])
    return PenaltyEffect(entrant, before, after, label, question)


def _sum(score: Score) -> Message:
    return message(
        "{battle_points} BP, {fleet_points} FP",
        battle_points=score.battle_points,
        fleet_points=score.fleet_points or 0,
    )


def _option(
    state: EventState,
    round: RoundState,
    match: TableState,
    sides: tuple[Side, Side],
    ending: Ending,
    out: int | None,
    label: Message,
) -> CaseOption:
    key = ending.value if out is None else f"{ending.value} {SIDES[out]}"
    played = _only_what_counts(state, ending, out, sides)
    names = state.names[match.a.number], state.names[match.b.number]
    if wrong := problems(state.rules, played, names):
        return CaseOption(key, label, played, why_not=tuple(problem.message for problem in wrong))
    played, score = state.scored(match, played)
    scores = _scores_if(state, round, {match.table: score})
    return CaseOption(key, label, played, tuple((entrant, scores.get(entrant.number)) for entrant in match.entrants))


def _scores_if(
    state: EventState, round: RoundState, scored: Mapping[int, MatchScore], penalties: Sequence[PointsPenalty] = ()
) -> dict[int, Score]:
    """The round's scores with these at those tables, and these penalties beside those that are given."""
    tables = [ScoredTable(match.numbers, scored.get(match.table or 0, match.score)) for match in round.matches]
    return score_round(state.rules, tables, [*(one.facts for one in round.penalties), *penalties])


def _only_what_counts(state: EventState, ending: Ending, out: int | None, sides: tuple[Side, Side]) -> Played:
    """The match with that ending: of the two sides what the ending asks for."""
    if ending in NOT_PLAYED:
        return Played(ending, (Side(), Side()), out)
    counted = sides_with_sp(state.rules, ending, out)
    a, b = (side if index in counted else replace(side, sp_left=0) for index, side in enumerate(sides))
    return Played(ending, (a, b), out)


def _so_far(state: EventState, match: TableState) -> tuple[Side, Side]:
    """What each side has left and counted as far as anybody knows.

    Of a result that is there, what it says; else what was marked on phones leaves; else the fleet, or the month's
    limit where no fleet is known, is whole.
    """
    fleets, played = fleets_at(state, match), match.played
    counted = sides_with_sp(state.rules, played.ending, played.out) if played else ()
    sides = played.sides if played else (Side(), Side())
    found = []
    for index, side in enumerate(sides):
        left = side.sp_left
        if index not in counted:
            fleet = fleets[index]
            left = marked_sheet(fleet, match.destroyed[index]).sp_left if fleet else state.event.sp_limit
        found.append(replace(side, sp_left=left, adjustment=0))
    return found[0], found[1]
