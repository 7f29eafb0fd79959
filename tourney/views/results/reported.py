"""What the two players of a table reported, side by side, for themselves and for the desk, which saves it."""

from scoring.domain.points import MatchScore
from tourney.actions import reports, results
from tourney.actions.record import Actor
from tourney.actions.results import Signing
from tourney.forms.results import ResultForm
from tourney.models import Entrant, Event
from tourney.queries.matches import TableState, played_of
from tourney.queries.reports import SideReport, TableReports
from tourney.queries.results import ResultInput
from tourney.queries.slices import EventSlice
from tourney.views.results.shown import score_for, side_by_side, stored_report, sums, verdict_for


def report_context(state: EventSlice, match: TableState, me: Entrant, told: TableReports) -> dict[str, object]:
    """What one of the two is told: how far it is (`report_status`), both words, the sum of what is to be read now."""
    mine, theirs = told.by(me.number), told.against(me.number)
    kind = told.kind_for(me.number)
    shown = _read_now(state, match, me, theirs or mine)
    return {
        "told": told,
        "report_status": kind,
        "other": match.opponent_of(me.number),
        "my_report": mine,
        "their_report": theirs,
        "told_sums": sums(state, match, shown) | {"verdict": verdict_for(match, shown, me.number)} if shown else None,
        "differs": kind == "decided" and mine is not None and not told.is_what_counts(mine),
        "both": _both(state, match, told, mine, theirs),
    }


def reported_context(state: EventSlice, match: TableState, told: TableReports) -> dict[str, object]:
    """What the desk is told: what was reported at a table."""
    first, second = (*told.reports, None, None)[:2]
    return {
        "told": told,
        "versions": [(report, sums(state, match, report.score)["verdict"]) for report in told.reports],
        "reported": side_by_side(state, match, _facts(first), _facts(second)) if first else [],
    }


def save_as_entered(
    event: Event, number: int, table: int, form: ResultForm, *, by: Actor, signing: Signing, reason: str = ""
) -> MatchScore:
    """The result of a valid form is saved; one that began with a player's report, while that is what they say.

    Raises Refused.
    """
    result, version, players = form.report(), form.version_seen, form.players_seen
    if seen := form.report_seen:
        return reports.enter(
            event, number, table, result, seen=seen, version=version, by=by, players=players, signing=signing
        )
    return results.report_result(
        event, number, table, result, version=version, by=by, reason=reason, players=players, signing=signing
    )


def _both(
    state: EventSlice, match: TableState, told: TableReports, mine: SideReport | None, theirs: SideReport | None
) -> list[tuple[str, str, str, bool]]:
    """What counts, or what the other says, beside what this side says."""
    if mine is None or told.kind not in ("decided", "disputed"):
        return []
    return side_by_side(state, match, stored_report(match) or _facts(theirs), _facts(mine))


def _read_now(state: EventSlice, match: TableState, me: Entrant, report: SideReport | None) -> MatchScore | None:
    """What counts, or else what was reported, to one of the two."""
    if match.score and match.played:
        return score_for(state, match, match.played, match.score, me.number)
    return score_for(state, match, played_of(report.row), report.score, me.number) if report else None


def _facts(report: SideReport | None) -> ResultInput | None:
    return ResultInput(played_of(report.row)) if report else None
