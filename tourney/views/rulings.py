"""Something went wrong at a table: decided in two taps, each way with its points before it is pressed."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from tourney import access
from tourney.actions import results as actions
from tourney.actions.corrections import Lifting, Penalizing
from tourney.actions.record import Refused
from tourney.forms.rulings import LATE_POINTS, CaseForm, LiftForm, PenaltyForm, in_one_field, of_case
from tourney.models import Event, Round
from tourney.queries.cases import cases_of, effects_of
from tourney.queries.corrections import Grade, grade_of
from tourney.queries.matches import MatchState, TableState
from tourney.queries.results import ResultInput
from tourney.queries.rulings import points_in_short, rulings_at
from tourney.queries.shared import staff_state
from tourney.queries.state import EventState, state_of
from tourney.runtime.messages import message
from tourney.views import frame, parts, responses
from tourney.views.penalties import shown_or_saved
from tourney.views.results.shown import why_read_only


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def ruling(request: HttpRequest, slug: str, number: int, table: int | None = None) -> HttpResponse:
    """What can be decided at one table, or about the bye: no-show, concession, ruling, double loss, penalty."""
    event = access.event_for(request, slug, *access.DESK)
    weighs = request.method == "POST" and "decide" not in request.POST
    state = staff_state(event).unshared() if weighs else state_of(event)
    match = _match_or_404(state, number, table)
    if request.method != "POST":
        return _show(request, state, match)
    if why := why_read_only(request, state, match):
        return _show(request, state, match, refused=[str(why)], status=409)
    if "lift" in request.POST:
        return _lift(request, state, match)
    if "decide" in request.POST:
        return _decide(request, state, match)
    return _penalize(request, state, match)


def _match_or_404(state: EventState, number: int, table: int | None) -> MatchState:
    round = state.round(number)
    match = access.found((round.bye if table is None else round.match_at(table)) if round else None)
    access.found_or_404(match if match.round.state != Round.State.DRAFT else None)
    return match


def _decide(request: HttpRequest, state: EventState, match: MatchState) -> HttpResponse:
    form = of_case(_case_forms(state, match), request.POST["decide"])
    if form is None:
        return _show(request, state, match, refused=[str(message("Choose one of the options below."))], status=422)
    form = CaseForm(request.POST, case=form.case, match=match)
    if not form.is_valid():
        return _show(request, state, match, case=form, status=422)
    reason, table = form.cleaned_data["reason"], access.found(match.table)
    report = ResultInput(form.chosen.played, ruling=reason)
    try:
        actions.report_result(
            state.event,
            match.round.number,
            table,
            report,
            version=form.cleaned_data["version"],
            players=form.players_seen,
            by=responses.actor_of_request(request),
        )
    except Refused as error:
        return _show_again(request, state.event, match, error, case=form)
    messages.success(
        request, str(message("Table {table}: {ruling}. You can undo it.", table=table, ruling=form.chosen.label))
    )
    return redirect(_back_to(state.event, match))


def _penalize(request: HttpRequest, state: EventState, match: MatchState) -> HttpResponse:
    form = PenaltyForm(request.POST, numbers=match.numbers)
    is_valid, number = form.is_valid(), form.cleaned_data.get("penalize")
    if not number:
        return _show(request, state, match, penalty=form, status=200 if is_valid else 422)
    if not is_valid:
        return _show(request, state, match, penalty=form, status=422)
    if "edit" in request.POST:
        return _show(request, state, match, penalty=form)
    if not form.is_as_shown:
        check = str(message("Not saved yet. The points changed: check them, then press again."))
        return _show(request, state, match, penalty=form, refused=[check], status=409)
    doing = Penalizing(match.round.number, number, *form.points, form.cleaned_data["reason"])
    try:
        shown = shown_or_saved(request, state, match, doing)
    except Refused as error:
        return _show_again(request, state.event, match, error, penalty=form)
    if shown:
        return shown
    messages.success(request, str(message("{player}’s penalty is saved. You can undo it.", player=state.names[number])))
    return redirect(_back_to(state.event, match))


def _lift(request: HttpRequest, state: EventState, match: MatchState) -> HttpResponse:
    form = LiftForm(request.POST)
    access.found_or_404(form if form.is_valid() else None)
    lift = form.cleaned_data["lift"]
    access.found_or_404(None if _is_of_another_round(state, match, lift) else lift)
    is_there = any(one.row.pk == lift for one in state.rounds[match.round.number - 1].penalties)
    doing = Lifting(match.round.number, lift, "")
    try:
        shown = shown_or_saved(request, state, match, doing) if is_there else None
    except Refused as error:
        return _show_again(request, state.event, match, error)
    if shown:
        return shown
    messages.success(request, str(message("Penalty removed.")))
    return redirect(request.path)


def _is_of_another_round(state: EventState, match: MatchState, penalty: int) -> bool:
    """Whoever may decide in this round need not be allowed to in that one."""
    others = (round for round in state.rounds if round.number != match.round.number)
    return any(one.row.pk == penalty for round in others for one in round.penalties)


def _back_to(event: Event, match: MatchState) -> str:
    """The table at the desk; of a round that is over, its page."""
    if match.round.state == Round.State.CLOSED:
        return reverse("round", args=[event.slug, match.round.number])
    return parts.at_table(reverse("desk", args=[event.slug]), match.round.number, match.table)


def _show_again(request: HttpRequest, event: Event, match: MatchState, error: Refused, **forms: Any) -> HttpResponse:
    """The page as things stand by now, with what was typed."""
    state = state_of(event)
    match = _match_or_404(state, match.round.number, match.table)
    return _show(
        request, state, match, refused=responses.reasons_not_already_listed(request, event, error), status=409, **forms
    )


def _case_forms(state: EventState, match: MatchState) -> list[CaseForm]:
    """Of a round that is over only penalties are given here: its results are corrected where they were entered."""
    if not isinstance(match, TableState) or match.round.state == Round.State.CLOSED:
        return []
    round = state.rounds[match.round.number - 1]
    return [CaseForm(case=case, match=match) for case in cases_of(state, round, match)]


def _show(
    request: HttpRequest,
    state: EventState,
    match: MatchState,
    *,
    case: CaseForm | None = None,
    penalty: PenaltyForm | None = None,
    refused: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    round = state.rounds[match.round.number - 1]
    penalty = penalty or PenaltyForm(numbers=match.numbers)
    points = (0, LATE_POINTS)
    if penalty.is_bound:
        points = (0, 0) if {"fleet_points", "battle_points"} & penalty.errors.keys() else penalty.points
    forms = _case_forms(state, match)
    context = frame.desk_context(
        request,
        state,
        "results" if match.round.state == Round.State.PUBLISHED else "",
        match=match,
        round=round,
        forms=[_as_typed(form, case, match) for form in forms],
        penalty=penalty,
        effects=effects_of(state, round, match, points),
        points=points_in_short(*points),
        shown=in_one_field(points) if any(points) else "",
        rulings=rulings_at(round, match),
        read_only=why_read_only(request, state, match),
        is_closed=grade_of(state, round.number) is not Grade.PLAIN,
        refused=refused,
    )
    return responses.show(request, "desk/ruling.html", context, parts=("effects",), status=status)


def _as_typed(form: CaseForm, typed: CaseForm | None, match: MatchState) -> CaseForm:
    """The form with the reason that was typed, beside the buttons, the version and the players of now."""
    if typed is None or typed.case.key != form.case.key:
        return form
    now = {name: str(form.initial[name]) for name in ("version", "players")}
    again = CaseForm({name: typed.data[name] for name in typed.data} | now, case=form.case, match=match)
    again.is_valid()
    return again
