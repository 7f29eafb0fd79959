"""Results: entered, corrected, taken back."""

from dataclasses import dataclass

from django.db import transaction

from scoring.domain.points import Ending, MatchScore, Played
from tourney.actions import sign_off
from tourney.actions.missing import refuse_without_sheets
from tourney.actions.new_points import locked_for_result, record_new_points
from tourney.actions.record import NOTHING_CHANGED, Actor, AlreadyExplained, Refused, Stale, locked, record
from tourney.domain.progress import why_not_correct
from tourney.domain.verbs import Verb
from tourney.models import Event, PlayerReport, Result, Round
from tourney.models.play import SIDES, TableFacts
from tourney.queries.matches import MatchState, TableState
from tourney.queries.missing import missing_sheets
from tourney.queries.repairs import AS_IT_IS, Repair
from tourney.queries.results import ResultInput, facts_of, names_at, preview, unreachable, why_not
from tourney.queries.slices import EventSlice, table_slice
from tourney.queries.surviving import Fleets, fleets_at, known_lines
from tourney.runtime.messages import Message, Param, in_a_row, message, nmessage


@dataclass(frozen=True, slots=True)
class Signing:
    """What the desk says of the sheets of a table as it saves the first result there (rules 7.1, 7.2).

    `seen` is what it saw to be missing, as `MissingSheets.codes`; None for who is not asked. `on_paper`: what is
    recorded was signed by hand.
    """

    seen: frozenset[str] | None = None
    on_paper: bool = False


NOT_ASKED = Signing()
ENTERED = message("Round {round}, table {table}, {player} against {opponent}: result entered.")
CORRECTED = message("Round {round}, table {table}, {player} against {opponent}: result corrected.")
AGREED = message("Round {round}, table {table}, {player} against {opponent}: both players reported the same.")
REPORTED = message("Round {round}, table {table}, {player} against {opponent}: {reporter}’s report accepted.")


@transaction.atomic
def report_result(
    event: Event,
    number: int,
    table: int,
    report: ResultInput,
    *,
    version: int,
    by: Actor,
    reason: str = "",
    repair: Repair = AS_IT_IS,
    players: tuple[int, ...] | None = None,
    signing: Signing = NOT_ASKED,
) -> MatchScore:
    """Save a match's result; returns what counts now.

    `version` is the one the person saw (0: none yet); another one is Stale.

    In the round in play a correction is one step; in an earlier round, and of a finished event, it needs a reason, and
    `repair` says in the same step what becomes of a round that was drawn since. The same facts again change nothing,
    whatever was seen. `players` are those whom the person saw there.
    Raises Refused; SheetsMissing where the sheets of the table come first (rules 7.1, 7.2).
    """
    event = locked_for_result(event, number, table, reason)
    state, match = at_table(event, number, table)
    check_same_players(match, players)
    return save_result(state, match, report, version=version, by=by, reason=reason, repair=repair, signing=signing)


def save_result(
    state: EventSlice,
    match: TableState,
    report: ResultInput,
    *,
    version: int,
    by: Actor,
    reason: str = "",
    how: Message = ENTERED,
    reporter: str = "",
    repair: Repair = AS_IT_IS,
    signing: Signing = NOT_ASKED,
) -> MatchScore:
    """The same under the event's lock, with the state that was loaded there; returns what counts now.

    `how` is what the journal says of a first result, and `reporter` whose report it is. Raises Refused.
    """
    number, table = match.round.number, match.table
    if match.score and is_there(match, report):
        return match.score
    fleets = checked(state, match, report, version=version, reason=reason)
    ending = Ending(report.played.ending)
    if signing.on_paper and missing_sheets(state, match, ending).unsigned:
        sign_off.sign_table_on_paper(state.event, match, by=by)
    refuse_without_sheets(state, match, ending, signing.seen)
    before = facts_of(match.result) if match.result else None
    row = match.result or Result(match=match.row, version=0)
    fill_result(row, report)
    row.sp_ruling = _sp_ruling(state, match, report, fleets)
    marked = _marked(match, report, fleets)
    if match.score and before == facts_of(row) and marked == match.destroyed:
        return match.score
    _save_destroyed(match, marked)
    match.row.result_save_count += 1
    match.row.save(update_fields=["result_save_count"])
    row.version, row.entered_by, row.entered_at = match.row.result_save_count, by.name, by.at
    row.save()
    facts = (
        before and {"round": number, "table": table, **before, **_destroyed_facts(match.destroyed)},
        {"round": number, "table": table, **facts_of(row), **_destroyed_facts(marked)},
    )
    names, score = names_at(state, match), preview(state, match, report)
    where: dict[str, Param] = {"round": number, "table": table, "player": names[0], "opponent": names[1]}
    said = Message((CORRECTED if before else how).id, where | ({"reporter": reporter} if reporter else {}))
    what = in_a_row([said, score.why])
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
    return score


def checked(state: EventSlice, match: TableState, report: ResultInput, *, version: int, reason: str) -> Fleets:
    """The fleets at the table, if these facts can be its result now. Raises Refused."""
    _may_change(state, match, reason)
    _check_version(match, version)
    _check_destroyed(match, report)
    fleets = fleets_at(state, match)
    if wrong := why_not(state, match, report, fleets):
        raise Refused(*wrong)
    return fleets


def check_same_players(match: MatchState, players: tuple[int, ...] | None) -> None:
    """Stale where others sit at the table since somebody saw these two there."""
    if players not in (None, match.numbers):
        who = [str(entrant) for entrant in match.entrants]
        raise Stale(
            nmessage(
                "Not saved. The pairings changed: {players} is at table {table} now.",
                "Not saved. The pairings changed: {players} are at table {table} now.",
                len(who),
                players=who,
                table=match.table or 0,
            )
        )


def is_there(match: MatchState, report: ResultInput) -> bool:
    """Whether exactly that is stored: it was sent twice, or two people entered the same."""
    row = match.result
    if row is None or report.sp_ruling not in ("", row.sp_ruling):
        return False
    wanted = Result(sp_ruling=row.sp_ruling)
    fill_result(wanted, report)
    marks = zip(report.destroyed, match.destroyed, strict=True)
    return facts_of(wanted) == facts_of(row) and all(new is None or new == old for new, old in marks)


def _check_destroyed(match: MatchState, report: ResultInput) -> None:
    """Stale where somebody marked something else on a phone since the person saw the table."""
    for entrant, expected, now in zip(match.entrants, report.expected_destroyed, match.destroyed, strict=True):
        if expected is not None and expected != now:
            raise Stale(
                message(
                    "Not saved. {player}’s fleet was marked differently on a phone. Check it, then save again.",
                    player=str(entrant),
                )
            )


@transaction.atomic
def remove_result(
    event: Event,
    number: int,
    table: int,
    *,
    version: int,
    by: Actor,
    reason: str = "",
    players: tuple[int, ...] | None = None,
) -> None:
    """Remove a result of the round in play, and what its players reported: the table is open again.

    `players` are those whom the person saw there. Raises Refused.
    """
    event = locked(event)
    _, match = at_table(event, number, table)
    check_same_players(match, players)
    if match.result is None:
        raise Refused(NOTHING_CHANGED, message("Table {table} has no result.", table=table))
    if match.round.state != Round.State.PUBLISHED:
        raise Refused(message("Round {round} is closed. Edit the result instead of clearing it.", round=number))
    _check_version(match, version)
    before = {"round": number, "table": table, **facts_of(match.result)}
    match.result.delete()
    PlayerReport.objects.filter(seat__match=match.row).delete()
    what = message("Round {round}, table {table}: result cleared.", round=number, table=table)
    record(event, by=by, did=Verb.TAKE_BACK_RESULT, what=what, before=before, reason=reason)


def fill_in(row: TableFacts, played: Played) -> None:
    """Put what happened into a result or a report."""
    row.ending = Ending(played.ending).value
    row.out = "" if played.out is None else "ab"[played.out]
    side, row.condition = played.condition or (None, None)
    row.condition_side = "" if side is None else "ab"[side]
    row.sp_left_a, row.sp_left_b = (side.sp_left for side in played.sides)
    row.tallies_a, row.tallies_b = ({key: count for key, count in side.tallies if count} for side in played.sides)


def at_table(event: Event, number: int, table: int) -> tuple[EventSlice, TableState]:
    """The match at that table, with as much of the event as concerns it. Raises Refused where it is gone."""
    found = table_slice(event, number, table)
    if found is None:
        raise no_table(number, table)
    return found


def no_table(number: int, table: int) -> Refused:
    """What is said of a table that is gone."""
    return Refused(message("Not saved. There’s no table {table} in round {round}.", table=table, round=number))


def _may_change(state: EventSlice, match: MatchState, reason: str) -> None:
    if reasons := why_not_correct(state.is_finished, reason):
        raise Refused(*reasons)
    if match.round.state == Round.State.DRAFT:
        raise Refused(message("Round {round} is still a draft. Publish it first.", round=match.round.number))
    if match.round.state == Round.State.CLOSED and not reason:
        raise Refused(
            message("Round {round} is closed. Give a reason for editing the result.", round=match.round.number)
        )


def _sp_ruling(state: EventSlice, match: TableState, report: ResultInput, fleets: Fleets) -> str:
    """The reason of numbers that no fleet leaves; what was given for one that stays, stays."""
    if not unreachable(state.rules, report.played, names_at(state, match), fleets):
        return ""
    return report.sp_ruling or (match.result.sp_ruling if match.result else "")


def _marked(match: MatchState, report: ResultInput, fleets: Fleets) -> tuple[frozenset[int], ...]:
    """What is marked on each side from now on."""
    return tuple(
        old if new is None or fleet is None else new & known_lines(fleet)
        for old, new, fleet in zip(match.destroyed, report.destroyed, fleets, strict=True)
    )


def _save_destroyed(match: MatchState, marked: tuple[frozenset[int], ...]) -> None:
    for entrant, lines, before in zip(match.entrants, marked, match.destroyed, strict=True):
        if lines == before:
            continue
        match.row.seats.filter(entrant=entrant).update(destroyed=sorted(lines))


def _destroyed_facts(destroyed: tuple[frozenset[int], ...]) -> dict[str, object]:
    """What is marked, for the journal: nothing where nothing is."""
    marked: dict[str, object] = {
        f"destroyed_{side}": sorted(lines) for side, lines in zip(SIDES, destroyed, strict=True)
    }
    return marked if any(destroyed) else {}


def _check_version(match: MatchState, version: int) -> None:
    if match.version == version:
        return
    if match.result is None or match.score is None:
        raise AlreadyExplained(message("Not saved. This result was cleared. Check your entries, then save again."))
    raise AlreadyExplained(
        message(
            "Not saved. {name} entered a result for table {table}: {result} Compare it, then save again to replace it.",
            name=match.result.entered_by,
            table=match.table or 0,
            result=match.score.why,
        )
    )


def fill_result(row: Result, report: ResultInput) -> None:
    """Put what was entered at the desk into a result."""
    fill_in(row, report.played)
    row.ruling = report.ruling
    row.adjustment_a, row.adjustment_b = (side.adjustment for side in report.played.sides)
