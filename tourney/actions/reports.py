"""Two-sided results: one side's word, the other's, and the result that follows from both."""

from dataclasses import dataclass, field, replace
from functools import partial

from django.db import transaction

from scoring.domain.points import Ending, MatchScore, Played
from tourney.actions import results
from tourney.actions.missing import refuse_without_sheets
from tourney.actions.record import (
    Actor,
    Refused,
    Stale,
    claim_idempotency_key,
    locked_at_match,
    record,
    refuse_if_done_since,
)
from tourney.domain.verbs import Verb
from tourney.models import Entrant, Event, PlayerReport, ReportedBy, Round
from tourney.queries.matches import TableState, played_of
from tourney.queries.missing import COMPARED
from tourney.queries.reports import SideReport, TableReports, reports_of
from tourney.queries.results import ResultInput, needs_ruling, preview, why_not
from tourney.queries.slices import EventSlice, seat_slice
from tourney.queries.surviving import fleets_at
from tourney.runtime.messages import Param, in_a_row, message

REPORTABLE = COMPARED
"""How a match ended that its players may report; the rest is the desk's (rules 2.11, 2.12)."""
CHANGED = message("Not saved. This report was changed or withdrawn. Check it again.")


@dataclass(frozen=True, slots=True)
class ReportOutcome:
    """What became of something that a phone sent: how the table stands now for that player, as `kind_for` says it.

    `is_new` is False where nothing was done: the key came before, or the match was decided meanwhile. `state` and
    `match` are as they were loaded under the lock, before it was done; `score` is what counts now, if anything does.
    """

    kind: str
    is_new: bool
    state: EventSlice = field(compare=False)
    match: TableState = field(compare=False)
    score: MatchScore | None = field(default=None, compare=False)


@transaction.atomic
def report(
    event: Event,
    number: int,
    entrant: int,
    played: Played,
    *,
    by: Actor,
    words: str = "",
    key: str = "",
    players: tuple[int, ...] | None = None,
) -> ReportOutcome:
    """This side's word about its match of that round, in place of what it said before.

    If the other side says the same, that is the result; if not, the desk decides. `words` are for the other side and
    the desk. What the desk could not save without a ruling is refused. `players` are the two whose match was seen.
    Raises Refused.
    """
    state, table = _table(locked_at_match(event, number, entrant=entrant), number, entrant)
    results.check_same_players(table.match, players)
    if not _is_new(state, table, entrant, key, by):
        return _nothing_new(state, table, entrant)
    refuse_if_by_desk(state.event)
    theirs = table.against(entrant)
    wanted = ResultInput(played)
    if wrong := why_not(state, table.match, wanted, fleets_at(state, table.match)):
        raise Refused(*wrong)
    refuse_without_sheets(state, table.match, Ending(played.ending), seen=None)
    row = _row(state, table, entrant, played, words, by)
    if theirs and theirs.row.facts == row.facts:
        return _agree(state, table, row, played, by)
    if played.ending == Ending.CONCESSION and played.out is not None and table.match.numbers[played.out] == entrant:
        raise Refused(message("Not sent. To concede, send the desk a request from your card."))
    mine = table.by(entrant)
    if mine and mine.row.facts == row.facts and mine.row.words == words:
        return _nothing_new(state, table, entrant)
    _save(state, table, mine, row, played, by)
    return ReportOutcome("disputed" if theirs else "mine", True, state, table.match)


@transaction.atomic
def confirm(event: Event, number: int, entrant: int, report_pk: int, *, by: Actor, key: str = "") -> ReportOutcome:
    """This side says the same as the other's report, which it saw (its `pk`): that is the result. Raises Stale."""
    state, table = _table(locked_at_match(event, number, entrant=entrant), number, entrant)
    if not _is_new(state, table, entrant, key, by):
        return _nothing_new(state, table, entrant)
    refuse_if_by_desk(state.event)
    theirs, other = table.against(entrant), table.match.opponent_of(entrant)
    if theirs is None:
        raise Stale(message("Not confirmed. {player} withdrew the report.", player=str(other)))
    if theirs.row.pk != report_pk:
        raise Stale(message("Not confirmed. {player} changed the report. Check it again.", player=str(other)))
    played = played_of(theirs.row)
    return _agree(state, table, _row(state, table, entrant, played, "", by), played, by)


@transaction.atomic
def withdraw(event: Event, number: int, entrant: int, *, by: Actor, key: str = "") -> ReportOutcome:
    """This side takes its word back, as long as there is no result."""
    state, table = _table(locked_at_match(event, number, entrant=entrant), number, entrant)
    mine = table.by(entrant)
    if mine is None or not _is_new(state, table, entrant, key, by):
        return _nothing_new(state, table, entrant)
    mine.row.delete()
    what = message("Round {round}, table {table}: {player} withdrew the report.", **_where(table, mine.by))
    record(state.event, by=by, did=Verb.WITHDRAW_REPORT, what=what, before=_facts(table, mine.row))
    return ReportOutcome("theirs" if table.against(entrant) else "none", True, state, table.match)


@transaction.atomic
def take(
    event: Event, number: int, table: int, report_pk: int, *, by: Actor, signing: results.Signing = results.NOT_ASKED
) -> MatchScore:
    """The desk makes one side's report (its `pk`) the result: it decides a dispute, or accepts a word without answer.

    Raises Stale, also where the other side has reported since; Refused; SheetsMissing.
    """
    event = locked_at_match(event, number, table=table)
    state, match = results.at_table(event, number, table)
    found = reports_of(state, [match])[table]
    report = next((report for report in found.reports if report.row.pk == report_pk), None)
    told = report.row if report else found.match.result
    if told is None:
        raise Stale(CHANGED)
    if report and (other := found.match.opponent_of(report.by.number)):
        refuse_if_done_since(event, by, Verb.REPORT, after__round=number, after__entrant=other.number)
    how = results.REPORTED if report else results.ENTERED
    reporter = str(report.by) if report else ""
    facts = ResultInput(played_of(told))
    return results.save_result(state, found.match, facts, version=0, by=by, how=how, reporter=reporter, signing=signing)


@transaction.atomic
def enter(
    event: Event,
    number: int,
    table: int,
    result: ResultInput,
    *,
    seen: int,
    version: int,
    by: Actor,
    players: tuple[int, ...] | None = None,
    signing: results.Signing = results.NOT_ASKED,
) -> MatchScore:
    """The desk's result, where its form was filled in from an unconfirmed report (its `pk`).

    Left as it was, that report is accepted. Raises Stale where the players say something else by now; Refused;
    SheetsMissing.
    """
    event = locked_at_match(event, number, table=table)
    state, match = results.at_table(event, number, table)
    results.check_same_players(match, players)
    found = reports_of(state, [match])[table]
    report = next((report for report in found.reports if report.row.pk == seen), None)
    if match.result is None and report is None:
        raise Stale(CHANGED)
    if match.result is None and len(found.reports) > 1:
        other = str(match.opponent_of(report.by.number) if report else "")
        raise Stale(message("Not saved. {player} reported a different result. Compare both.", player=other))
    save = partial(results.save_result, state, match, result, version=version, by=by, signing=signing)
    if report and _is_left_as_it_was(report.row, result):
        return save(how=results.REPORTED, reporter=str(report.by))
    return save()


def _is_left_as_it_was(row: PlayerReport, result: ResultInput) -> bool:
    now = PlayerReport()
    results.fill_in(now, result.played)
    return now.facts == row.facts and not needs_ruling(result.played)


def _table(event: Event, number: int, entrant: int) -> tuple[EventSlice, TableReports]:
    """Where that player sits in that round, with the reports there."""
    found = seat_slice(event, number, entrant)
    if found is None or found[1].round.state == Round.State.DRAFT:
        raise Refused(message("Not saved. You’re not at a table in round {round}.", round=number))
    state, match = found
    if not isinstance(match, TableState):
        raise Refused(message("You have the bye in round {round}, so there’s nothing to report.", round=number))
    return state, reports_of(state, [match])[match.table]


def _nothing_new(state: EventSlice, table: TableReports, entrant: int) -> ReportOutcome:
    return ReportOutcome(table.kind_for(entrant), False, state, table.match, table.match.score)


def _is_new(state: EventSlice, table: TableReports, entrant: int, key: str, by: Actor) -> bool:
    return table.match.result is None and claim_idempotency_key(state.by_number[entrant], key, by=by)


def refuse_if_by_desk(event: Event) -> None:
    """Where only the desk enters results, players decide none on their phones, nor by dice. Raises Refused."""
    if event.reported_by == ReportedBy.DESK:
        raise Refused(message("The desk enters results at this event. Tell them how your match ended."))


def _row(state: EventSlice, table: TableReports, entrant: int, played: Played, words: str, by: Actor) -> PlayerReport:
    """This side's report, not saved yet."""
    if played.ending not in REPORTABLE:
        raise Refused(message("Only the desk can enter this kind of result. Tell them what happened."))
    seat = table.match.row.seats.get(entrant=state.by_number[entrant])
    seat.entrant = state.by_number[entrant]
    row = PlayerReport(seat=seat, words=words, at=by.at)
    results.fill_in(row, played)
    return row


def _save(
    state: EventSlice, table: TableReports, mine: SideReport | None, row: PlayerReport, played: Played, by: Actor
) -> None:
    entrant = row.seat.entrant
    why = preview(state, table.match, ResultInput(played)).why
    if mine:
        mine.row.delete()
    row.save()
    where = _where(table, entrant)
    what = message("Round {round}, table {table}: {player} reported a result.", **where)
    if table.against(entrant.number):
        what = message("Round {round}, table {table}: {player} reported a different result.", **where)
    before = _facts(table, mine.row) if mine else None
    record(
        state.event,
        by=by,
        did=Verb.REPORT,
        what=in_a_row([what, why]),
        before=before,
        after=_facts(table, row),
        reason=row.words,
    )


def _agree(state: EventSlice, table: TableReports, row: PlayerReport, played: Played, by: Actor) -> ReportOutcome:
    """Both sides say the same: it is saved as their word, and as the result, as if the desk had entered it."""
    PlayerReport.objects.filter(seat=row.seat).delete()
    row.save()
    facts, both = ResultInput(played), replace(by, name="both players")
    score = results.save_result(state, table.match, facts, version=0, by=both, how=results.AGREED)
    return ReportOutcome("decided", True, state, table.match, score)


def _where(table: TableReports, player: Entrant) -> dict[str, Param]:
    return {"round": table.match.round.number, "table": table.match.table, "player": str(player)}


def _facts(table: TableReports, row: PlayerReport) -> dict[str, object]:
    number = row.seat.entrant.number
    return {"round": table.match.round.number, "entrant": number, **row.facts}
