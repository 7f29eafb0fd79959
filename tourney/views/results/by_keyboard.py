"""A whole round's results by keyboard: a row per table, each saved on its own, alone (Enter) or with the others."""

import re
from collections.abc import Container
from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from tourney import access
from tourney.actions.missing import SheetsMissing
from tourney.actions.record import Refused
from tourney.forms.results import RARE, RowForm, endings_by_letter, in_field, row_values, signing_in
from tourney.models import Event, Round
from tourney.queries.fleets import fleets_of
from tourney.queries.matches import RoundState, TableState
from tourney.queries.missing import MissingSheets
from tourney.queries.reports import SideReport, TableReports, reports_in, reports_of
from tourney.queries.results import names_at
from tourney.queries.shared import staff_state
from tourney.queries.slices import EventSlice, table_slice
from tourney.queries.state import EventState, state_of
from tourney.queries.surviving import Fleets, fleets_at, of_sides
from tourney.runtime.locales import written
from tourney.runtime.messages import Message, message, nmessage
from tourney.views import frame, parts, responses
from tourney.views.results.reported import save_as_entered
from tourney.views.results.shown import (
    may_organize,
    preview,
    side_by_side,
    stored_report,
    verdict,
    why_read_only,
)

TABLE = re.compile(r"[1-9][0-9]{0,4}")


@dataclass(slots=True)
class ResultRow:
    """A table of the page; `locked` says why nothing is typed here, `told` what its players report, each a verdict.

    What stands in its fields is in `values`, and the page writes them from those; only a row that was sent has a form.
    Beside a row that was refused stands what is stored: `both` compares it with what was typed, where somebody else was
    first; else `saved` says it in a line. `missing` are sheets that the result waits for, or that the desk has not seen
    to be missing yet (rule 7.2).
    """

    match: TableState
    form: RowForm | None
    stored: dict[str, object]
    fleets: Fleets
    locked: Message | str
    preview: dict[str, object]
    reports: TableReports
    told: tuple[tuple[SideReport, Message], ...] = ()
    reasons: tuple[str, ...] = ()
    missing: MissingSheets | None = None
    both: tuple[tuple[str, str, str, bool], ...] = ()
    saved: Message | str = ""
    has_focus: bool = False

    @property
    def is_typed(self) -> bool:
        """Whether this row was sent."""
        return self.form is not None

    @property
    def values(self) -> dict[str, object]:
        """What stands in each field: as it was typed, or else as it is stored."""
        return {field.name: field.value() for field in self.form} if self.form else self.stored

    @property
    def filled_from(self) -> SideReport | None:
        """The report that fills in the row, while nobody has confirmed it."""
        return None if self.locked else self.reports.unconfirmed

    @property
    def invalid(self) -> Container[str]:
        """The names of the fields that something is wrong with."""
        return self.form.errors if self.form else ()

    @property
    def first_field(self) -> str:
        """The name of the field that gets the cursor: the first that is wrong, or else how it ended."""
        wrong = (field.name for field in self.form or () if field.name in self.invalid and not field.is_hidden)
        return next(wrong, "ending")

    @property
    def stored_by(self) -> Message:
        """What stands over the stored version."""
        result = self.match.result
        if result is None:
            return message("Saved now")
        return message("Saved by {person} at {time}", person=result.entered_by, time=written(result.entered_at, "time"))

    @property
    def why(self) -> str:
        """Why it could not be saved, in sentences; empty for a row that was not sent."""
        missing = self.missing.sentences if self.missing else ()
        return " ".join(map(str, self.reasons or missing or (self.form.sentences if self.form else ())))

    @property
    def is_wrong(self) -> bool:
        """Whether this row was sent and could not be saved."""
        return bool(self.reasons or self.missing) or (self.form is not None and not self.form.is_valid())

    @property
    def names(self) -> tuple[str, ...]:
        """Who sits here, side a first."""
        return tuple(entrant.player.name for entrant in self.match.entrants)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def results(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The results of a round; only rows that say something new are saved, and a wrong row holds up no other."""
    event = access.event_for(request, slug, *access.DESK)
    if request.method != "POST":
        state = staff_state(event)
        round = access.found(state.round(number))
        key = ("result_rows", number, may_organize(request, state))
        return _show(request, state, round, state.memoized(key, lambda: _with_focus(_rows(request, state, round))))
    if alone := _row_alone(request, event, number):
        part, row = alone
        return _show_sum(request, part, row) if "preview" in request.POST else _save_alone(request, part, row)
    state = state_of(event)
    round = access.found(state.round(number))
    rows = _rows(request, state, round, request.POST)
    if "preview" in request.POST:
        return _show(request, state, round, _with_focus(rows), status=422 if any(row.is_wrong for row in rows) else 200)
    return _save(request, state, round, rows)


def _row_alone(request: HttpRequest, event: Event, number: int) -> tuple[EventSlice, ResultRow] | None:
    """The row that htmx sends alone, to be saved or for its sum, with no more of the event than its match."""
    htmx = access.htmx_of(request)
    asked = htmx and TABLE.fullmatch(request.POST.get("preview", (htmx.target or "").removeprefix("row-")))
    return _one_row(request, event, number, int(asked[0]), request.POST) if asked else None


def _one_row(
    request: HttpRequest, event: Event, number: int, table: int, data: QueryDict | None = None
) -> tuple[EventSlice, ResultRow] | None:
    found = table_slice(event, number, table)
    if found is None:
        return None
    part, match = found
    return part, _row(request, part, match, fleets_at(part, match), reports_of(part, [match])[table], data)


def _rows(request: HttpRequest, state: EventState, round: RoundState, data: QueryDict | None = None) -> list[ResultRow]:
    fleets, reports = fleets_of(state), reports_in(state, round)
    return [_row(request, state, match, of_sides(match, fleets), reports[match.table], data) for match in round.tables]


def _row(
    request: HttpRequest,
    state: EventSlice,
    match: TableState,
    fleets: Fleets,
    reports: TableReports,
    data: QueryDict | None = None,
) -> ResultRow:
    locked = why_read_only(request, state, match) or _why_not_here(match)
    is_kept = data is not None and data.get("keep") == str(match.table)
    form = None if locked or is_kept or data is None else _form(state, match, fleets, reports, data)
    if form and not form.is_filled and not (form.is_reported and _is_accepted(request, reports)):
        form = None
    values = {} if locked else _values(state, match, fleets, reports)
    told = tuple((report, verdict(state, match, report.score)) for report in reports.reports)
    return ResultRow(match, form, values, fleets, locked, preview(state, match, form), reports, told)


def _is_accepted(request: HttpRequest, reports: TableReports) -> bool:
    """Whether a report is saved as it stands in its row: by Enter or its button there, or with all, once it may be."""
    table = str(reports.match.table)
    if "accept" in request.POST or access.htmx_of(request):
        return request.POST.get("accept", table) == table
    is_with_all = request.POST.keys().isdisjoint(("preview", "replace", "keep"))
    return is_with_all and reports.accept_from is not None and reports.accept_from <= timezone.now()


def _form(state: EventSlice, match: TableState, fleets: Fleets, reports: TableReports, data: QueryDict) -> RowForm:
    seen = data.get(f"t{match.table}-reported")
    return RowForm(
        data,
        table=match.table,
        rules=state.rules,
        numbers=match.numbers,
        names=names_at(state, match),
        result=match.result,
        played=match.played,
        fleets=fleets,
        marked=match.destroyed,
        told=next((report for report in reports.reports if str(report.row.pk) == seen), None),
    )


def _values(state: EventSlice, match: TableState, fleets: Fleets, reports: TableReports) -> dict[str, object]:
    return row_values(
        state.rules,
        numbers=match.numbers,
        result=match.result,
        played=match.played,
        fleets=fleets,
        marked=match.destroyed,
        told=reports.unconfirmed,
    )


def _why_not_here(match: TableState) -> Message | str:
    if match.round.state == Round.State.CLOSED:
        return message(
            "Round {number} is closed: open the table to correct its result, with a reason.", number=match.round.number
        )
    if match.result and match.result.ending in RARE:
        return message("This ending can’t be entered here: open the table to change it.")
    return ""


def _save(request: HttpRequest, state: EventState, round: RoundState, rows: list[ResultRow]) -> HttpResponse:
    typed = [row for row in rows if row.is_typed]
    saved = [row.match.table for row in typed if _is_saved(request, state, row)]
    state = state_of(state.event)
    round = state.rounds[round.number - 1]
    _say(request, round, saved, typed)
    wrong = {row.match.table: row for row in typed if row.is_wrong}
    if not wrong:
        slug = state.event.slug
        if round.missing:
            return redirect("results", slug, round.number)
        return redirect(reverse("desk", args=[slug]) + "#next-action")
    rows = [_again(request, state, row, wrong.get(row.match.table)) for row in _rows(request, state, round)]
    only_conflicts = all(row.form.is_valid() for row in wrong.values() if row.form)
    return _show(request, state, round, _with_focus(rows), status=409 if only_conflicts else 422)


def _save_alone(request: HttpRequest, part: EventSlice, row: ResultRow) -> HttpResponse:
    """The row as it is now: saved; or as it was typed, with what is wrong with it (422) or what is stored (409)."""
    if row.is_typed:
        _is_saved(request, part, row)
    elif row.locked and "keep" not in request.POST:
        row.reasons = (str(row.locked),)
    part, now = access.found(_one_row(request, part.event, row.match.round.number, row.match.table))
    status = (409 if row.reasons or row.missing else 422) if row.is_wrong else 200
    context = {"row": _again(request, part, now, row if row.is_wrong else None), "event": part.event, "alone": True}
    context |= {"endings": endings_by_letter(part.rules)}
    return render(request, "desk/parts/result_row.html", context, status=status)


def _is_saved(request: HttpRequest, state: EventSlice, row: ResultRow) -> bool:
    """Save a row that can be; if it cannot be after all, it has the reasons from now on."""
    match, form = row.match, row.form
    if form is None or row.is_wrong:
        return False
    number, by = match.round.number, responses.actor_of_request(request)
    signing = signing_in(request.POST, f"{form.prefix}-")
    try:
        save_as_entered(state.event, number, match.table, form, by=by, signing=signing)
    except SheetsMissing as error:
        row.missing = error.missing
    except Refused as error:
        row.reasons = error.reasons
    return not row.is_wrong


def _again(request: HttpRequest, state: EventSlice, row: ResultRow, wrong: ResultRow | None) -> ResultRow:
    """The row as it is stored now; or as it was typed, if it could not be saved, with what is stored beside it.

    Saved again, it replaces that, and nothing that came since.
    """
    if wrong is None:
        return row
    row.reasons, row.missing, match = wrong.reasons, wrong.missing, row.match
    if row.locked or wrong.form is None:
        return row
    data = request.POST.copy()
    data[wrong.form.add_prefix("version")] = str(match.version)
    data[wrong.form.add_prefix("reported")] = str(row.filled_from.row.pk) if row.filled_from else ""
    if wrong.reasons:
        data[wrong.form.add_prefix("players")] = in_field(match.numbers)
        is_of_reports = wrong.form.report_seen and match.result is None
        row.form = _form(state, match, row.fleets, row.reports, data)
        typed = wrong.form.report()
        row.both = () if is_of_reports else tuple(side_by_side(state, match, stored_report(match), typed))
    else:
        row.form, row.form.data = wrong.form, data
        row.saved = verdict(state, match, match.score) if match.score else ""
    row.preview = preview(state, match, row.form)
    return row


def _say(request: HttpRequest, round: RoundState, saved: list[int], typed: list[ResultRow]) -> None:
    if saved:
        messages.success(
            request, str(nmessage("Saved: table {tables}.", "Saved: tables {tables}.", len(saved), tables=saved))
        )
    if tied := [match.table for match in round.tied if match.table in saved]:
        messages.warning(
            request,
            str(
                nmessage(
                    "Tied, so roll off: table {tables}.",
                    "Tied, so roll off: tables {tables}.",
                    len(tied),
                    tables=tied,
                )
            ),
        )
    if not typed and round.missing:
        messages.info(request, str(message("Nothing to save: no new results were entered.")))


def _show_sum(request: HttpRequest, part: EventSlice, row: ResultRow) -> HttpResponse:
    """What was typed in the row comes to; nothing is saved."""
    return render(request, "desk/parts/row_preview.html", {"row": row, "event": part.event, "alone": True})


def _show(
    request: HttpRequest, state: EventState, round: RoundState, rows: list[ResultRow], status: int = 200
) -> HttpResponse:
    """The page with the rows that it is asked for: those as far as the first that waits for somebody, and the last that
    was sent, are always among them."""
    wrong = [row for row in rows if row.is_wrong]
    last = max((place for place, row in enumerate(rows) if row.has_focus or _comes_back(row)), default=0)
    key = ("results", round.number, may_organize(request, state))
    listed = parts.parts_of(request, state, key, rows, _fits, least=last // parts.SIZE + 1)
    context = frame.desk_context(
        request,
        state,
        "results",
        listed=listed,
        added=parts.added(request, listed),
        more=parts.is_more(request),
        round=round,
        may_type=any(not row.locked for row in rows),
        locked=rows[0].locked if rows else "",
        wrong=wrong,
        rules=state.rules,
        endings=state.memoized("endings", lambda: endings_by_letter(state.rules)),
        letters=[(label[0], label) for _, label in endings_by_letter(state.rules)],
    )
    return responses.show(request, "desk/results.html", context, parts=("more",), status=status)


def _with_focus(rows: list[ResultRow]) -> list[ResultRow]:
    """The same rows; the cursor is in the first that is wrong, or else in the first without a result."""
    wrong, empty = [row for row in rows if row.is_wrong], [row for row in rows if row.match.result is None]
    if focus := next((row for row in (*wrong, *empty) if not row.locked), None):
        focus.has_focus = True
    return rows


def _comes_back(row: ResultRow) -> bool:
    """Whether the row was sent, or could not be saved: what was typed in it is on the page again."""
    return row.is_typed or row.is_wrong


def _fits(row: ResultRow, text: str) -> bool:
    """Whether a search for that text finds the row; one that comes back is always shown."""
    return _comes_back(row) or parts.fits_match(row.match, text)
