"""The result of one table: entered, corrected, taken back."""

from collections.abc import Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from scoring.domain.points import Ending, MatchScore
from tourney import access
from tourney.actions import results as actions
from tourney.actions.missing import SheetsMissing
from tourney.actions.record import Refused, Stale
from tourney.forms.destroyed import in_ids
from tourney.forms.results import ResultForm, facts_in_words, in_field, signing_in
from tourney.forms.roll_offs import RollForm
from tourney.models import Event, RollOff, Round
from tourney.models.play import SIDES
from tourney.queries import results as queries
from tourney.queries.corrections import Grade, grade_of
from tourney.queries.matches import MatchState, TableState
from tourney.queries.missing import MissingSheets
from tourney.queries.reports import SideReport, TableReports, reports_of
from tourney.queries.results import names_at, next_without_result
from tourney.queries.roll_offs import dice_said, die_of, rolling_of
from tourney.queries.shared import staff_state
from tourney.queries.slices import EventSlice, table_slice
from tourney.queries.state import EventState, state_of
from tourney.queries.surviving import fleets_at
from tourney.runtime.locales import written
from tourney.runtime.messages import message
from tourney.views import frame, parts, responses
from tourney.views.results import correcting
from tourney.views.results.reported import reported_context, save_as_entered
from tourney.views.results.shown import (
    may_organize,
    preview,
    side_by_side,
    stored_report,
    verdict,
    why_read_only,
)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def result(request: HttpRequest, slug: str, number: int, table: int) -> HttpResponse:
    """One table: enter its result with the sum in sight, correct it, roll off where it is tied."""
    event = access.event_for(request, slug, *access.DESK)
    if request.method != "POST":
        state = staff_state(event)
        match = match_or_404(state, number, table)
        return show_result(request, state, match)
    part, match = access.found(table_slice(event, number, table))
    if why := why_read_only(request, part, match):
        return _show_now(request, event, number, table, refused=[str(why)], status=409)
    form = _form(request, part, match, request.POST)
    is_valid = form.is_valid()
    if "take_back" in request.POST:
        return _remove(request, event, match, form)
    if "preview" in request.POST and access.htmx_of(request).target == "preview":
        return _show_sum(request, part, match, form)
    if not is_valid:
        return _show_now(request, event, number, table, form=form, status=422)
    if "preview" in request.POST or "edit" in request.POST:
        return _show_now(request, event, number, table, form=form)
    if grade_of(part, number) is not Grade.PLAIN:
        return _weigh(request, event, match, form)
    return _save(request, part, match, form)


def match_or_404(state: EventState, number: int, table: int) -> TableState:
    """The match at a table of a round. Raises Http404."""
    round = state.round(number)
    return access.found(round.match_at(table) if round else None)


def show_result(
    request: HttpRequest,
    state: EventState,
    match: TableState,
    *,
    form: ResultForm | None = None,
    roll_form: RollForm | None = None,
    status: int = 200,
    **more: object,
) -> HttpResponse:
    """The page of one table; with its forms as they were sent, where something is wrong with them."""
    told = reports_of(state, [match])[match.table]
    form = form or _form_to_begin(request, state, match, told)
    is_closed = grade_of(state, match.round.number) is not Grade.PLAIN
    context = frame.desk_context(
        request,
        state,
        "results" if match.round.state == Round.State.PUBLISHED else "",
        match=match,
        form=form,
        read_only=why_read_only(request, state, match),
        is_closed=is_closed,
        outbox=""
        if is_closed
        else message("the result of round {number}, table {table}", number=match.round.number, table=match.table or 0),
        stored=facts_in_words(state.rules, names_at(state, match), stored_report(match)),
        rules=state.rules,
        go_on=go_on_after(state.event, match),
        **reported_context(state, match, told),
        **preview(state, match, form),
        **_dice(request, state, match, roll_form),
        **more,
    )
    return responses.show(request, "desk/result.html", context, status=status)


def _show_now(
    request: HttpRequest,
    event: Event,
    number: int,
    table: int,
    *,
    form: ResultForm | None = None,
    refused: Sequence[str] = (),
    missing_sheets: MissingSheets | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page of the table as the whole event stands now."""
    state = state_of(event)
    match = match_or_404(state, number, table)
    return show_result(request, state, match, form=form, status=status, refused=refused, missing_sheets=missing_sheets)


def _show_sum(request: HttpRequest, part: EventSlice, match: TableState, form: ResultForm) -> HttpResponse:
    """What was typed so far comes to: the part of the page alone, while somebody types."""
    context = {"match": match, "form": form, **preview(part, match, form)}
    return responses.show(request, "desk/result.html", context, parts=("preview",))


def go_on_after(event: Event, match: MatchState) -> str:
    """Where the desk goes on: at the next table without a result, or at the round whose result was corrected."""
    slug, number = event.slug, match.round.number
    if match.round.state == Round.State.CLOSED:
        return reverse("round", args=[slug, number])
    return parts.at_table(reverse("desk", args=[slug]), number, next_without_result(match))


def _save(request: HttpRequest, part: EventSlice, match: TableState, form: ResultForm) -> HttpResponse:
    event, number, table = part.event, match.round.number, match.table
    try:
        score = save_as_entered(
            event,
            number,
            table,
            form,
            by=responses.actor_of_request(request),
            reason=form.cleaned_data.get("reason", ""),
            signing=signing_in(request.POST),
        )
    except SheetsMissing as error:
        return _show_now(request, event, number, table, form=form, missing_sheets=error.missing, status=409)
    except Stale as error:
        return _show_both(request, event, number, table, error)
    except Refused as error:
        return _show_now(request, event, number, table, form=form, refused=error.reasons, status=409)
    return go_on(request, part, match, score)


def form_of_concession(request: HttpRequest, state: EventState, match: TableState, side: str) -> ResultForm:
    """The form of a table where that side is to concede."""
    form = _form(request, state, match)
    form.initial = {**form.initial, "ending": Ending.CONCESSION.value, "out": side}
    return form


def go_on(request: HttpRequest, part: EventSlice, match: TableState, score: MatchScore) -> HttpResponse:
    """The result of that table is saved: to its dice, or to the next table. `score` is what counts now."""
    slug, number, table = part.event.slug, match.round.number, match.table
    if score.needs_roll_off:
        messages.info(request, str(message("Table {table} is saved. It’s tied: roll off now.", table=table)))
        return redirect("result", slug, number, table)
    messages.success(
        request, str(message("Table {table}: {verdict}", table=table, verdict=verdict(part, match, score)))
    )
    return redirect(go_on_after(part.event, match))


def _weigh(request: HttpRequest, event: Event, match: TableState, form: ResultForm) -> HttpResponse:
    """A correction of an earlier round: its effect is shown first, and saved as it was shown."""
    number, table, state = match.round.number, match.table, staff_state(event).unshared()
    match = match_or_404(state, number, table)
    try:
        shown = correcting.shown_or_saved(request, state, match, form)
    except Refused as error:
        now = match_or_404(state_of(event), number, table)
        if now.version != form.version_seen:
            return _show_both(request, event, number, table, error)
        return _show_now(request, event, number, table, form=form, refused=error.reasons, status=409)
    return shown or go_on(request, state, match, queries.preview(state, match, form.report()))


def _remove(request: HttpRequest, event: Event, match: TableState, form: ResultForm) -> HttpResponse:
    number, table = match.round.number, match.table
    version, players, by = form.version_seen, form.players_seen, responses.actor_of_request(request)
    try:
        actions.remove_result(event, number, table, version=version, players=players, by=by)
    except Stale as error:
        return _show_both(request, event, number, table, error)
    except Refused as error:
        return _show_now(request, event, number, table, refused=error.reasons, status=409)
    messages.success(request, str(message("The result of table {table} is removed.", table=table)))
    return redirect("result", event.slug, number, table)


def _show_both(request: HttpRequest, event: Event, number: int, table: int, error: Refused) -> HttpResponse:
    """What is stored and what was typed, side by side; saving again corrects what is stored."""
    state = state_of(event)
    match = match_or_404(state, number, table)
    told = reports_of(state, [match])[table].unconfirmed
    data = request.POST.copy()
    data["version"], data["players"] = str(match.version), in_field(match.numbers)
    data["reported"] = str(told.row.pk) if told else ""
    for side, lines in zip(SIDES, match.destroyed, strict=True):
        data[f"seen_{side}"] = in_ids(lines)
    form = _form(request, state, match, data)
    typed = form.report() if form.can_be_scored else None
    row, stored_by, both = match.result, message("Saved result"), []
    if row or not request.POST.get("reported"):
        both = side_by_side(state, match, stored_report(match), typed)
    if row:
        stored_by = message("Saved by {person} at {time}", person=row.entered_by, time=written(row.entered_at, "time"))
    refused = responses.reasons_not_already_listed(request, event, error)
    return show_result(request, state, match, form=form, status=409, refused=refused, both=both, stored_by=stored_by)


def _form_to_begin(request: HttpRequest, state: EventState, match: TableState, told: TableReports) -> ResultForm:
    """The form with what one player reported; or, where the desk comes to grant a concession, with that chosen."""
    side = request.GET.get("concede")
    if side not in SIDES or match.result:
        return _form(request, state, match, told=told.unconfirmed)
    return form_of_concession(request, state, match, side)


def _form(
    request: HttpRequest,
    state: EventSlice,
    match: TableState,
    data: QueryDict | None = None,
    *,
    told: SideReport | None = None,
) -> ResultForm:
    return ResultForm(
        data,
        rules=state.rules,
        numbers=match.numbers,
        names=names_at(state, match),
        result=match.result,
        played=match.played,
        ask_reason=grade_of(state, match.round.number) is not Grade.PLAIN,
        fleets=fleets_at(state, match),
        marked=match.destroyed,
        told=told,
        may_let_stand=may_organize(request, state),
    )


def _dice(request: HttpRequest, state: EventState, match: TableState, roll_form: RollForm | None) -> dict[str, object]:
    """The roll-off at this table, if there is one to make, or one was made."""
    group = tuple(sorted(match.numbers))
    dice = rolling_of(state, match.round.number, RollOff.Kind.TABLE, group)
    is_open = match.state == "tied" and not state.is_finished
    if not is_open and not dice.rolls:
        return {}
    said = list(dice_said(match, dice.next_roll).values()) if is_open else []
    typed = [word for word in said if word.counts]
    if is_open and roll_form is None:
        roll_form = RollForm(levels=dice.still_tied, names=state.names, roll=dice.next_roll)
        if len(typed) == 1:
            counts = typed[0].counts or {}
            roll_form.initial = {**roll_form.initial, **{f"count_{one}": n for one, n in counts.items()}}
    return {
        "dice": dice,
        "dice_said": said,
        "dice_differ": len(typed) > 1,
        "dice_url": reverse("table_roll_off", args=[state.event.slug, match.round.number, match.table]),
        "roll_form": roll_form,
        "next": frame.next_after(request, state, match.round.number),
        "defense": _who_rolls_defense(state, group),
        **frame.other_ties(state, match.round.number, RollOff.Kind.TABLE, group),
    }


def _who_rolls_defense(state: EventState, group: tuple[int, ...]) -> str:
    """The player with the defense dice, in months where the two roll different ones."""
    first, second = (die_of(state, RollOff.Kind.TABLE, group, number) for number in group)
    return "" if first == second else state.names[group[1]]
