"""Results: entered, corrected, taken back."""

from dataclasses import dataclass

from django.db import transaction

from scoring.domain.points import Ending, MatchScore, Played, problems
from tourney.actions.record import Refused, Stale, Stamp, locked, record
from tourney.models import Event, Result, Round
from tourney.queries.matches import MatchState
from tourney.queries.state import EventState, state_of

FACTS = (
    *("ending", "out", "condition", "condition_side"),
    *("sp_left_a", "sp_left_b", "tallies_a", "tallies_b"),
    *("adjustment_a", "adjustment_b", "ruling"),
)


@dataclass(frozen=True, slots=True)
class Report:
    """The facts of one match as entered, and the reason of a ruling in it (rule 2.12)."""

    played: Played
    ruling: str = ""


def preview(state: EventState, match: MatchState, report: Report) -> MatchScore:
    """What these facts would score, before anything is saved; dice thrown at this table count. Raises InvalidResult."""
    return state.scored(match, report.played)[1]


@transaction.atomic
def report_result(
    event: Event, number: int, table: int, report: Report, *, version: int, by: Stamp, reason: str = ""
) -> None:
    """Save a match's result. `version` is the one the person saw (0: none yet); another one is Stale.

    In the round in play a correction is one step; in an earlier round it needs a reason. The same facts again
    change nothing.
    """
    event = locked(event)
    state = state_of(event)
    match = _match(state, number, table)
    _may_change(state, match, reason)
    _same_version(match, version)
    if wrong := problems(state.rules, report.played, _names(state, match)):
        raise Refused(*(problem.message for problem in wrong))
    if needs_ruling(report.played) and not report.ruling:
        raise Refused("A ruling needs its reason; it stays in the journal (rule 2.12).")
    before = facts_of(match.result) if match.result else None
    row = match.result or Result(match=match.row, version=0)
    _fill(row, report)
    if before == facts_of(row):
        return
    match.row.savings += 1
    match.row.save()
    row.version, row.entered_by, row.entered_at = match.row.savings, by.name, by.at
    row.save()
    verb = "corrected" if before else "entered"
    names, why = " against ".join(_names(state, match)), preview(state, match, report).why
    what = f"Round {number}, table {table}, {names}: result {verb}. {why}"
    record(
        event,
        by=by,
        did="correct_result" if before else "report_result",
        what=what,
        before=before and {"round": number, "table": table, **before},
        after={"round": number, "table": table, **facts_of(row)},
        reason=reason or report.ruling,
    )


@transaction.atomic
def take_back_result(event: Event, number: int, table: int, *, version: int, by: Stamp, reason: str = "") -> None:
    """Remove a result of the round in play, as if it had not been entered."""
    event = locked(event)
    state = state_of(event)
    match = _match(state, number, table)
    if match.result is None:
        raise Refused(f"Table {table} has no result (any more). Nothing was changed.")
    if match.round.state != Round.State.PUBLISHED:
        raise Refused(f"Round {number} is closed: its results can be corrected, not taken back.")
    _same_version(match, version)
    before = {"round": number, "table": table, **facts_of(match.result)}
    match.result.delete()
    what = f"Round {number}, table {table}: result taken back."
    record(event, by=by, did="take_back_result", what=what, before=before, reason=reason)


def needs_ruling(played: Played) -> bool:
    """Rule 2.12: an adjusted score or a double loss is a ruling."""
    return played.ending == Ending.DOUBLE_LOSS or any(side.adjustment for side in played.sides)


def facts_of(row: Result) -> dict:
    """A result's facts as data, for the journal and the archive."""
    return {name: getattr(row, name) for name in FACTS}


def _match(state: EventState, number: int, table: int) -> MatchState:
    round = state.round(number)
    match = round and round.match_at(table)
    if match is None:
        raise Refused(f"There is no table {table} in round {number} any more. Nothing was saved.")
    return match


def _names(state: EventState, match: MatchState) -> tuple[str, ...]:
    return tuple(state.names[number] for number in match.numbers)


def _may_change(state: EventState, match: MatchState, reason: str) -> None:
    if state.is_finished:
        raise Refused("The event is finished. Re-open it before you correct a result.")
    if match.round.state == Round.State.DRAFT:
        raise Refused(f"Round {match.round.number} is still a draft. Publish it first.")
    drawn = state.last_round
    if match.round.state == Round.State.CLOSED and drawn.state == Round.State.DRAFT:
        raise Refused(
            f"Round {drawn.number} is drafted from the results as they are. "
            "Throw the draft away first, correct, then pair again."
        )
    if match.round.state == Round.State.CLOSED and not reason:
        raise Refused(f"Round {match.round.number} is closed: say why its result is corrected.")


def _same_version(match: MatchState, version: int) -> None:
    if match.version == version:
        return
    if match.result is None:
        raise Stale("Meanwhile this result was taken back. Nothing of yours was saved; check it and save again.")
    raise Stale(
        f"Meanwhile {match.result.entered_by} entered a result for table {match.table}: {match.score.why} "
        "Nothing of yours was saved; compare, and save again to correct it."
    )


def _fill(row: Result, report: Report) -> None:
    played = report.played
    a, b = played.sides
    row.ending, row.ruling = Ending(played.ending).value, report.ruling
    row.out = "" if played.out is None else "ab"[played.out]
    side, condition = played.condition or (None, None)
    row.condition, row.condition_side = condition, "" if side is None else "ab"[side]
    row.sp_left_a, row.sp_left_b = a.sp_left, b.sp_left
    row.tallies_a, row.tallies_b = ({key: count for key, count in side.tallies if count} for side in (a, b))
    row.adjustment_a, row.adjustment_b = a.adjustment, b.adjustment
