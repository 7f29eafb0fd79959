"""Results: entered, corrected, taken back."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from fleets.domain.surviving import left
from scoring.domain.pack import MonthPack
from scoring.domain.points import Ending, MatchScore, Played, problems, sides_with_sp
from tourney.actions.new_points import locked_for_points, record_new_points
from tourney.actions.record import Faster, Refused, Stale, Stamp, locked, record
from tourney.domain.verbs import Verb
from tourney.models import Event, Result, Round
from tourney.models import Report as Row
from tourney.models.play import SIDES, TableFacts
from tourney.queries.matches import MatchState
from tourney.queries.repairs import AS_IT_IS, Repair
from tourney.queries.state import EventState, state_of
from tourney.queries.surviving import Fleets, fleets_at, known_lines, why_not_left

FACTS = (*TableFacts.SEEN, "adjustment_a", "adjustment_b", "ruling", "sp_ruling")
NOTHING_MARKED = (None, None)


@dataclass(frozen=True, slots=True)
class Report:
    """The facts of one match as entered, and the reason of a ruling in it (rule 2.12).

    `destroyed` are the lines of each side's own fleet that are gone (rule 2.3); None leaves what is marked there
    as it is. `sp_ruling` says why SP left stand that the fleet cannot leave. `seen` are the marks that were there when
    the person began, None where they do not matter.
    """

    played: Played
    ruling: str = ""
    destroyed: tuple[frozenset[int] | None, ...] = NOTHING_MARKED
    sp_ruling: str = ""
    seen: tuple[frozenset[int] | None, ...] = NOTHING_MARKED


def preview(state: EventState, match: MatchState, report: Report) -> MatchScore:
    """What these facts would score, before anything is saved; dice thrown at this table count. Raises InvalidResult."""
    return state.scored(match, report.played)[1]


@transaction.atomic
def report_result(
    event: Event,
    number: int,
    table: int,
    report: Report,
    *,
    version: int,
    by: Stamp,
    reason: str = "",
    how: str = "entered",
    repair: Repair = AS_IT_IS,
    players: tuple[int, ...] | None = None,
) -> None:
    """Save a match's result. `version` is the one the person saw (0: none yet); another one is Stale.

    In the round in play a correction is one step; in an earlier round, and of a finished event, it needs a reason, and
    `repair` says in the same step what becomes of a round that was drawn since. The same facts again change nothing,
    whatever was seen. `how` is what the journal says of a first result. `players` are those whom the person saw there.
    """
    event = locked_for_points(event)
    state = state_of(event)
    match = _match(state, number, table)
    same_players(match, players)
    if _is_there(match, report):
        return
    _may_change(state, match, reason)
    _same_version(match, version)
    _same_marks(match, report)
    fleets = fleets_at(state, match)
    if wrong := why_not(state, match, report, fleets):
        raise Refused(*wrong)
    before = facts_of(match.result) if match.result else None
    row = match.result or Result(match=match.row, version=0)
    _fill(row, report)
    row.sp_ruling = _sp_ruling(state, match, report, fleets)
    marked = _marked(match, report, fleets)
    if before == facts_of(row) and marked == match.destroyed:
        return
    _save_marks(match, marked)
    match.row.savings += 1
    match.row.save()
    row.version, row.entered_by, row.entered_at = match.row.savings, by.name, by.at
    row.save()
    facts = (
        before and {"round": number, "table": table, **before, **_marks(match.destroyed)},
        {"round": number, "table": table, **facts_of(row), **_marks(marked)},
    )
    verb = "corrected" if before else how
    names, why = " against ".join(_names(state, match)), preview(state, match, report).why
    what = f"Round {number}, table {table}, {names}: result {verb}. {why}"
    why = "; ".join(filter(None, (reason, report.ruling, report.sp_ruling)))
    record_new_points(
        state,
        repair,
        by=by,
        did=Verb.CORRECT_RESULT if before else Verb.REPORT_RESULT,
        what=what,
        reason=reason,
        before=facts[0],
        after=facts[1],
        why=why,
    )


def same_players(match: MatchState, players: tuple[int, ...] | None) -> None:
    """Stale where others sit at the table since somebody saw these two there."""
    if players not in (None, match.numbers):
        who = " and ".join(str(entrant) for entrant in match.entrants)
        raise Stale(f"Meanwhile {who} sit at table {match.table}; you had others before you. Nothing was saved.")


def _is_there(match: MatchState, report: Report) -> bool:
    """Whether exactly that is stored: it was sent twice, or two people entered the same."""
    row = match.result
    if row is None or report.sp_ruling not in ("", row.sp_ruling):
        return False
    wanted = Result(sp_ruling=row.sp_ruling)
    _fill(wanted, report)
    marks = zip(report.destroyed, match.destroyed, strict=True)
    return facts_of(wanted) == facts_of(row) and all(new is None or new == old for new, old in marks)


def _same_marks(match: MatchState, report: Report) -> None:
    """Stale where somebody marked something else on a phone since the person saw the table."""
    for entrant, seen, now in zip(match.entrants, report.seen, match.destroyed, strict=True):
        if seen is not None and seen != now:
            said = f"On a phone the fleet of {entrant} was marked otherwise meanwhile."
            raise Stale(f"{said} Look at it, and save again.")


@transaction.atomic
def take_back_result(
    event: Event,
    number: int,
    table: int,
    *,
    version: int,
    by: Stamp,
    reason: str = "",
    players: tuple[int, ...] | None = None,
) -> None:
    """Remove a result of the round in play, and what its players reported: the table is open again.

    `players` are those whom the person saw there.
    """
    event = locked(event)
    state = state_of(event)
    match = _match(state, number, table)
    same_players(match, players)
    if match.result is None:
        raise Refused(f"Table {table} has no result (any more). Nothing was changed.")
    if match.round.state != Round.State.PUBLISHED:
        raise Refused(f"Round {number} is closed: its results can be corrected, not taken back.")
    _same_version(match, version)
    before = {"round": number, "table": table, **facts_of(match.result)}
    match.result.delete()
    Row.objects.filter(seat__match=match.row).delete()
    what = f"Round {number}, table {table}: result taken back."
    record(event, by=by, did=Verb.TAKE_BACK_RESULT, what=what, before=before, reason=reason)


def why_not(state: EventState, match: MatchState, report: Report, fleets: Fleets) -> list[str]:
    """Why these facts cannot be the result of that match, all reasons as sentences; empty if they can."""
    if wrong := problems(state.rules, report.played, _names(state, match)):
        return [problem.message for problem in wrong]
    if needs_ruling(report.played) and not report.ruling:
        return ["A ruling needs its reason; it stays in the journal (rule 2.12)."]
    return _wrong_sp_left(state, match, report, fleets)


def unreachable(
    rules: MonthPack, played: Played, names: Sequence[str], fleets: Fleets, stored: Played | None = None
) -> dict[int, str]:
    """Rule 2.3: why the SP left of a side cannot be, by side, where they count.

    What is stored already for that side is not questioned again.
    """
    sentences = {
        side: why_not_left(fleets[side], played.sides[side].sp_left, names[side])
        for side in sides_with_sp(rules, Ending(played.ending), played.out)
        if stored is None or stored.sides[side].sp_left != played.sides[side].sp_left
    }
    return {side: sentence for side, sentence in sentences.items() if sentence}


def needs_ruling(played: Played) -> bool:
    """Rule 2.12: an adjusted score, a double loss, or a win that a judge gave is a ruling."""
    return played.ending in (Ending.DOUBLE_LOSS, Ending.RULING) or any(side.adjustment for side in played.sides)


def facts_of(row: Result) -> dict:
    """A result's facts as data, for the journal and the archive."""
    return {name: getattr(row, name) for name in FACTS}


def fill_in(row: TableFacts, played: Played) -> None:
    """Put what happened into a result or a report."""
    row.ending = Ending(played.ending).value
    row.out = "" if played.out is None else "ab"[played.out]
    side, row.condition = played.condition or (None, None)
    row.condition_side = "" if side is None else "ab"[side]
    row.sp_left_a, row.sp_left_b = (side.sp_left for side in played.sides)
    row.tallies_a, row.tallies_b = ({key: count for key, count in side.tallies if count} for side in played.sides)


def _match(state: EventState, number: int, table: int) -> MatchState:
    round = state.round(number)
    match = round and round.match_at(table)
    if match is None:
        raise Refused(f"There is no table {table} in round {number} any more. Nothing was saved.")
    return match


def _names(state: EventState, match: MatchState) -> tuple[str, ...]:
    return tuple(state.names[number] for number in match.numbers)


def _may_change(state: EventState, match: MatchState, reason: str) -> None:
    if state.is_finished and not reason:
        raise Refused("The event is finished: say why its result is corrected.")
    if match.round.state == Round.State.DRAFT:
        raise Refused(f"Round {match.round.number} is still a draft. Publish it first.")
    if match.round.state == Round.State.CLOSED and not reason:
        raise Refused(f"Round {match.round.number} is closed: say why its result is corrected.")


def _wrong_sp_left(state: EventState, match: MatchState, report: Report, fleets: Fleets) -> list[str]:
    """Why SP left do not fit the fleets as they are now: another number than the marks leave, or one nobody can."""
    rules, played, names = state.rules, report.played, _names(state, match)
    wrong = []
    for side in sides_with_sp(rules, Ending(played.ending), played.out):
        marked, fleet, typed = report.destroyed[side], fleets[side], played.sides[side].sp_left
        if marked and fleet and (counted := left(fleet.sheet, marked).sp) != typed:
            wrong.append(f"What is marked of the fleet of {names[side]} leaves {counted} SP, not {typed}. Look again.")
    if not report.sp_ruling:
        wrong += unreachable(rules, played, names, fleets, match.played).values()
    return wrong


def _sp_ruling(state: EventState, match: MatchState, report: Report, fleets: Fleets) -> str:
    """The reason of numbers that no fleet leaves; what was given for one that stays, stays."""
    if not unreachable(state.rules, report.played, _names(state, match), fleets):
        return ""
    return report.sp_ruling or (match.result.sp_ruling if match.result else "")


def _marked(match: MatchState, report: Report, fleets: Fleets) -> tuple[frozenset[int], ...]:
    """What is marked on each side from now on."""
    return tuple(
        old if new is None or fleet is None else new & known_lines(fleet)
        for old, new, fleet in zip(match.destroyed, report.destroyed, fleets, strict=True)
    )


def _save_marks(match: MatchState, marked: tuple[frozenset[int], ...]) -> None:
    for entrant, lines in zip(match.entrants, marked, strict=True):
        match.row.seats.filter(entrant=entrant).update(destroyed=sorted(lines))


def _marks(destroyed: tuple[frozenset[int], ...]) -> dict:
    """What is marked, for the journal: nothing where nothing is."""
    marked = {f"destroyed_{side}": sorted(lines) for side, lines in zip(SIDES, destroyed, strict=True)}
    return marked if any(destroyed) else {}


def _same_version(match: MatchState, version: int) -> None:
    if match.version == version:
        return
    if match.result is None:
        raise Faster("Meanwhile this result was taken back. Nothing of yours was saved; check it and save again.")
    raise Faster(
        f"Meanwhile {match.result.entered_by} entered a result for table {match.table}: {match.score.why} "
        "Nothing of yours was saved; compare, and save again to correct it."
    )


def _fill(row: Result, report: Report) -> None:
    fill_in(row, report.played)
    row.ruling = report.ruling
    row.adjustment_a, row.adjustment_b = (side.adjustment for side in report.played.sides)
