"""The event as it would stand if something were otherwise: in memory, beside the state that it was loaded as."""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace

from tourney.models import Match, Result
from tourney.queries.matches import MatchState, PenaltyState, RoundState, TableState
from tourney.queries.repairs import Repaired, Reseating
from tourney.queries.state import EventState


def with_result(state: EventState, match: TableState, result: Result) -> EventState:
    """The event with this result at that table."""
    changed = replace(match, result=result, played=None, score=None)
    state.score_result(changed)
    return _with_matches(state, match.round.number, {match.table: changed})


def with_penalties(state: EventState, round: RoundState, penalties: Sequence[PenaltyState]) -> EventState:
    """The event with these penalties in that round, instead of those it has."""
    return state.with_round(RoundState(round.row, round.matches, round.rules, penalties))


def with_seats(state: EventState, done: Repaired) -> EventState:
    """The event with the players of the last round seated anew; why the others sit where they do is as it was."""
    round = state.rounds[-1]
    at = {match.table: match for match in round.matches}
    rolled = {one.group: one for one in state.roll_offs if one.row.kind == "table" and one.row.round_id == round.row.pk}
    changed = {one.table: _seated(state, at[one.table], one) for one in done.new}
    for match in changed.values():
        match.roll_off = rolled.get(tuple(sorted(match.numbers)))
    return _with_matches(state, round.number, changed)


def _with_matches(state: EventState, number: int, changed: dict[int | None, MatchState]) -> EventState:
    round = state.rounds[number - 1]
    matches = [changed.get(match.table, match) for match in round.matches]
    return state.with_round(RoundState(round.row, matches, round.rules, round.penalties))


def _seated(state: EventState, match: MatchState, sitting: Reseating) -> MatchState:
    row = copy(match.row)
    explain_seats(row, sitting)
    a, *others = (state.by_number[number] for number in sitting.numbers)
    return replace(match, row=row, a=a, b=others[0] if others else None)


def explain_seats(row: Match, sitting: Reseating) -> bool:
    """Put into the row why it is as it is now (rule 3.8); whether anything was put there.

    What a hand did where others sit now is gone, and who comes there knows no table before.
    """
    if not sitting.is_new and row.manual_reason:
        return False
    row.reason, row.manual_reason = sitting.reason.as_data(), sitting.by_hand
    row.moved_from = None if sitting.is_new else row.moved_from
    return True
