"""The result of one table: entered, corrected, taken back."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from scoring.domain.points import Ending
from tourney import access
from tourney.actions import results as actions
from tourney.actions.record import Refused, Stale
from tourney.forms.destroyed import in_ids
from tourney.forms.results import ResultForm, ThrowForm, facts_in_words, in_field
from tourney.models import Event, RollOff, Round
from tourney.models.play import SIDES
from tourney.queries.corrections import Grade, grade_of
from tourney.queries.matches import TableState
from tourney.queries.results import names_at
from tourney.queries.roll_offs import die_of, rolling_of
from tourney.queries.state import EventState, state_of
from tourney.queries.surviving import fleets_at
from tourney.views import frame, responses
from tourney.views.results import correcting
from tourney.views.results.reported import reported_context
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
    """One table: enter its result with the sum in sight, correct it, roll off where it is level."""
    event = access.event_for(request, slug, *access.DESK)
    state = state_of(event)
    match = match_or_404(state, number, table)
    if request.method != "POST":
        return show_result(request, state, match, form=_form_to_grant(request, state, match))
    if why := why_read_only(request, state, match):
        return show_result(request, state, match, refused=[why], status=409)
    form = _form(request, state, match, request.POST)
    is_valid = form.is_valid()
    if "take_back" in request.POST:
        return _take_back(request, state, match, form)
    if "preview" in request.POST and (is_valid or access.htmx_of(request)):
        return show_result(request, state, match, form=form)
    if not is_valid:
        return show_result(request, state, match, form=form, status=422)
    if "edit" in request.POST:
        return show_result(request, state, match, form=form)
    if _grade(state, match) is not Grade.PLAIN:
        return _weigh(request, state, match, form)
    return _save(request, state, match, form)


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
    throw_form: ThrowForm | None = None,
    status: int = 200,
    **more: object,
) -> HttpResponse:
    """The page of one table; with its forms as they were sent, where something is wrong with them."""
    form = form or _form(request, state, match)
    context = frame.desk_context(
        request,
        state,
        "results" if match.round.state == Round.State.PUBLISHED else "",
        match=match,
        form=form,
        read_only=why_read_only(request, state, match),
        is_closed=_grade(state, match) is not Grade.PLAIN,
        stored=facts_in_words(state.rules, names_at(state, match), stored_report(match)),
        rules=state.rules,
        go_on=go_on_after(state, match),
        **reported_context(state, match),
        **preview(state, match, form),
        **_dice(state, match, throw_form),
        **more,
    )
    return responses.show(request, "desk/result.html", context, parts=("preview",), status=status)


def go_on_after(state: EventState, match: TableState) -> str:
    """Where the desk goes on: at the next table without a result, or at the round whose result was corrected."""
    slug, number = state.event.slug, match.round.number
    if match.round.state == Round.State.CLOSED:
        return reverse("round", args=[slug, number])
    missing = [other.table for other in state.rounds[number - 1].missing]
    following = [table for table in missing if table > match.table] or missing
    return reverse("desk", args=[slug]) + (f"#table-{number}-{following[0]}" if following else "")


def _save(request: HttpRequest, state: EventState, match: TableState, form: ResultForm) -> HttpResponse:
    event, number, table = state.event, match.round.number, match.table
    try:
        actions.report_result(
            event,
            number,
            table,
            form.report(),
            version=form.version_seen,
            by=responses.actor_of_request(request),
            reason=form.cleaned_data.get("reason", ""),
            players=form.players_seen,
        )
    except Stale as error:
        return _show_both(request, event, number, table, error)
    except Refused as error:
        return show_result(request, state, match, form=form, refused=error.reasons, status=409)
    return go_on(request, event, number, table)


def go_on(request: HttpRequest, event: Event, number: int, table: int) -> HttpResponse:
    """The result of that table is saved: to its dice, or to the next table."""
    state = state_of(event)
    match = match_or_404(state, number, table)
    if match.state == "level":
        messages.info(request, f"Table {table} is saved. It is level, so the dice decide: roll off now.")
        return redirect("result", event.slug, number, table)
    messages.success(request, f"Table {table}: {verdict(state, match, match.score) if match.score else ''}")
    return redirect(go_on_after(state, match))


def _weigh(request: HttpRequest, state: EventState, match: TableState, form: ResultForm) -> HttpResponse:
    """A correction of an earlier round: its effect is shown first, and saved as it was shown."""
    event, number, table = state.event, match.round.number, match.table
    try:
        shown = correcting.shown_or_saved(request, state, match, form)
    except Refused as error:
        now = match_or_404(state_of(event), number, table)
        if now.version != form.version_seen:
            return _show_both(request, event, number, table, error)
        return show_result(request, state, match, form=form, refused=error.reasons, status=409)
    return shown or go_on(request, event, number, table)


def _grade(state: EventState, match: TableState) -> Grade:
    return grade_of(state, match.round.number)


def _take_back(request: HttpRequest, state: EventState, match: TableState, form: ResultForm) -> HttpResponse:
    event, number, table = state.event, match.round.number, match.table
    version, players, by = form.version_seen, form.players_seen, responses.actor_of_request(request)
    try:
        actions.take_back_result(event, number, table, version=version, players=players, by=by)
    except Stale as error:
        return _show_both(request, event, number, table, error)
    except Refused as error:
        state = state_of(event)
        return show_result(request, state, match_or_404(state, number, table), refused=error.reasons, status=409)
    messages.success(request, f"The result of table {table} is taken back.")
    return redirect("result", event.slug, number, table)


def _show_both(request: HttpRequest, event: Event, number: int, table: int, error: Refused) -> HttpResponse:
    """What is stored and what was typed, side by side; saving again corrects what is stored."""
    state = state_of(event)
    match = match_or_404(state, number, table)
    data = request.POST.copy()
    data["version"], data["players"] = str(match.version), in_field(match.numbers)
    for side, lines in zip(SIDES, match.destroyed, strict=True):
        data[f"seen_{side}"] = in_ids(lines)
    form = _form(request, state, match, data)
    typed = form.report() if form.can_be_scored else None
    both, row, stored_by = side_by_side(state, match, stored_report(match), typed), match.result, "Stored"
    if row:
        stored_by = f"Stored, by {row.entered_by} at {timezone.localtime(row.entered_at):%H:%M}"
    refused = responses.reasons_not_already_listed(request, event, error)
    return show_result(request, state, match, form=form, status=409, refused=refused, both=both, stored_by=stored_by)


def _form_to_grant(request: HttpRequest, state: EventState, match: TableState) -> ResultForm:
    """The form; where the desk comes to grant a concession, with that chosen already."""
    form, side = _form(request, state, match), request.GET.get("concede")
    if side in SIDES and match.result is None:
        form.initial = {**form.initial, "ending": Ending.CONCESSION.value, "out": side}
    return form


def _form(request: HttpRequest, state: EventState, match: TableState, data: QueryDict | None = None) -> ResultForm:
    return ResultForm(
        data,
        rules=state.rules,
        numbers=match.numbers,
        names=names_at(state, match),
        result=match.result,
        played=match.played,
        ask_reason=_grade(state, match) is not Grade.PLAIN,
        fleets=fleets_at(state, match),
        marked=match.destroyed,
        may_let_stand=may_organize(request, state),
    )


def _dice(state: EventState, match: TableState, throw_form: ThrowForm | None) -> dict[str, object]:
    """The roll-off at this table, if there is one to make, or one was made."""
    group = tuple(sorted(match.numbers))
    dice = rolling_of(state, match.round.number, RollOff.Kind.TABLE, group)
    is_open = match.state == "level" and not state.is_finished
    if not is_open and not dice.throws:
        return {}
    if is_open and throw_form is None:
        throw_form = ThrowForm(levels=dice.still_level, names=state.names, throw=dice.next_throw)
    return {
        "dice": dice,
        "dice_url": reverse("table_roll_off", args=[state.event.slug, match.round.number, match.table]),
        "throw_form": throw_form,
        "defense": _who_rolls_defense(state, group),
    }


def _who_rolls_defense(state: EventState, group: tuple[int, ...]) -> str:
    """The player with the defense dice, in months where the two roll different ones."""
    first, second = (die_of(state, RollOff.Kind.TABLE, group, number) for number in group)
    return "" if first == second else state.names[group[1]]
