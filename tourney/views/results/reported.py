"""What the two players of a table reported, side by side, for themselves and for the desk."""

from django.utils import timezone

from tourney.models import Entrant
from tourney.queries.matches import TableState, played_of
from tourney.queries.reports import TableReports, Word, reports_of
from tourney.queries.results import ResultInput
from tourney.queries.slices import EventSlice
from tourney.views.results.shown import side_by_side, stored_report, sums


def report_context(state: EventSlice, match: TableState, me: Entrant, told: TableReports) -> dict[str, object]:
    """What one of the two is told: how far it is (`report_status`), both words, the sum of what is to be read now."""
    mine, theirs = told.by(me.number), told.against(me.number)
    kind = told.kind_for(me.number)
    shown = match.score or next((word.score for word in (theirs, mine) if word), None)
    return {
        "told": told,
        "report_status": kind,
        "other": match.opponent_of(me.number),
        "my_word": mine,
        "their_word": theirs,
        "told_sums": sums(state, match, shown) if shown else None,
        "differs": kind == "decided" and mine is not None and not told.is_what_counts(mine),
        "both": _both(state, match, told, mine, theirs),
    }


def reported_context(state: EventSlice, match: TableState) -> dict[str, object]:
    """What the desk is told: what was reported at a table, and whether one word can be accepted alone by now."""
    told = reports_of(state, [match])[match.table]
    first, second = (*told.words, None, None)[:2]
    return {
        "told": told,
        "may_accept": told.accept_from is None or told.accept_from <= timezone.now(),
        "versions": [(word, sums(state, match, word.score)["verdict"]) for word in told.words],
        "reported": side_by_side(state, match, _facts(first), _facts(second)) if first else [],
    }


def _both(
    state: EventSlice, match: TableState, told: TableReports, mine: Word | None, theirs: Word | None
) -> list[tuple[str, str, str, bool]]:
    """What counts, or what the other says, beside what this side says."""
    if mine is None or told.kind not in ("decided", "disputed"):
        return []
    return side_by_side(state, match, stored_report(match) or _facts(theirs), _facts(mine))


def _facts(word: Word | None) -> ResultInput | None:
    return ResultInput(played_of(word.row)) if word else None
