"""A round at the desk: paired, changed by hand, published, timed, closed."""

import secrets

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from tourney import access
from tourney.actions import rounds
from tourney.actions.record import Refused, Stale
from tourney.domain import swiss
from tourney.domain.progress import names_of
from tourney.forms.rounds import ChoiceForm, ExtendForm, PairForm, SwapForm
from tourney.models import Event, Round
from tourney.queries import choices, public
from tourney.queries.choices import Choice
from tourney.queries.clock import clock_of
from tourney.queries.matches import RoundState
from tourney.queries.state import EventState, state_of
from tourney.views import frame, shell


@login_required
@require_POST
def pair(request: HttpRequest, slug: str) -> HttpResponse:
    """Draft the round that the person meant; the seed is drawn here, stored, and shown (rule 3.1)."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    form = PairForm(request.POST)
    if not form.is_valid():
        return redirect("desk", slug)
    number = form.cleaned_data["number"]
    try:
        rounds.pair_round(event, seed=secrets.randbelow(2**31), number=number, by=shell.stamp(request))
    except Refused as error:
        return _refused(request, event, error)
    return redirect("round", slug, number)


@login_required
@require_safe
def round(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The draft of a round with everything that can be done to it; or the round as it is played, or was."""
    event = access.event_for(request, slug, *access.DESK)
    return _show_round(request, *_state_and_round(event, number))


@login_required
@require_POST
def swap(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Two players of the draft change places, by hand and with a reason (rule 3.9)."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    state = state_of(event)
    shown = state.round(number)
    if shown is None or shown.state != Round.State.DRAFT:
        return _refused(request, event, Refused(f"There is no draft of round {number} to change any more."))
    form = SwapForm(request.POST, round=shown)
    if not form.is_valid():
        return _show_round(request, state, shown, swap=form, status=422)
    try:
        rounds.swap(event, number, by=shell.stamp(request), **form.cleaned_data)
    except Refused as error:
        form.add_error(None, list(error.reasons))
        return _show_round(request, state, shown, swap=form, status=409)
    names = names_of([state.names[form.cleaned_data[place]] for place in ("first", "second")])
    messages.success(request, f"{names} changed places.")
    return redirect("round", slug, number)


@login_required
@require_POST
def discard(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Throw the draft away."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    try:
        rounds.discard_draft(event, number, by=shell.stamp(request))
    except Refused as error:
        return _refused(request, event, error)
    messages.success(request, f"The draft of round {number} is thrown away. Nobody saw it.")
    return redirect("desk", slug)


@login_required
@require_POST
def choose(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Rule 3.7: the draft cannot keep everything, and the desk chooses what is to give way, or to stop."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    form = ChoiceForm(request.POST)
    if not form.is_valid():
        return _refused(request, event, Refused("Choose one of the ways shown with the draft. Nothing was changed."))
    choice, by = form.cleaned_data["choice"], shell.stamp(request)
    try:
        if choice == ChoiceForm.STOP:
            rounds.discard_draft(event, number, by=by, stop=True)
        else:
            rounds.choose(event, number, Choice(choice), by=by)
    except Refused as error:
        return _refused(request, event, error)
    if choice == ChoiceForm.STOP:
        messages.success(request, f"Round {number} is not played. Here are the ranks as they would be final.")
        return redirect("finish", slug)
    messages.success(request, f"Round {number} is drafted again as you chose. Nobody has seen it yet.")
    return redirect("round", slug, number)


@login_required
@require_POST
def publish(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the draft to everybody."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    try:
        rounds.publish_round(event, number, by=shell.stamp(request))
    except Refused as error:
        return _refused(request, event, error)
    messages.success(request, f"Round {number} is published. Start the clock when everybody sits.")
    return redirect("desk", slug)


@login_required
@require_POST
def clock(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Start, pause or extend the clock of the round."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    do, by = request.POST.get("do"), shell.stamp(request)
    try:
        if do == "start":
            rounds.start_clock(event, number, by=by)
        elif do == "pause":
            rounds.pause_clock(event, number, by=by)
        else:
            form = ExtendForm(request.POST)
            if not form.is_valid():
                return _show_round(request, *_state_and_round(event, number), extend=form, status=422)
            try:
                rounds.extend_clock(event, number, by=by, **form.cleaned_data)
            except Stale as error:
                form.add_error(None, list(error.reasons))
                return _show_round(request, *_state_and_round(event, number), extend=form, status=409)
    except Refused as error:
        return _refused(request, event, error)
    if request.POST.get("back") == "round":
        return redirect("round", slug, number)
    return redirect("desk", slug)


@login_required
def close(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """What the round still waits for, its dice and its points; and the button that closes it."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    state, shown = _state_and_round(event, number)
    if request.method != "POST":
        if shown.state == Round.State.DRAFT:
            return redirect("round", slug, number)
        return _show_close(request, state, shown)
    try:
        rounds.close_round(event, number, by=shell.stamp(request))
    except Refused as error:
        return _show_close(request, *_state_and_round(event, number), refused=error.reasons, status=409)
    messages.success(request, f"Round {number} is closed.")
    return redirect("desk", slug)


def _state_and_round(event: Event, number: int) -> tuple[EventState, RoundState]:
    state = state_of(event)
    shown = state.round(number)
    if shown is None:
        raise Http404
    return state, shown


def _show_round(
    request: HttpRequest, state: EventState, shown: RoundState, *, swap=None, extend=None, status: int = 200
) -> HttpResponse:
    is_draft, in_play = shown.state == Round.State.DRAFT, shown.state == Round.State.PUBLISHED
    if swap or extend:
        frame.focus(*((swap, "first") if swap else (extend, "minutes")))
    tables = frame.tables_of(state, shown)
    context = frame.desk_context(
        request,
        state,
        "round",
        round=shown,
        tables=tables,
        sign_off=frame.sign_off_of(tables),
        is_last=shown is state.last_round,
        relaxed=rounds.relaxed_sentences(state, shown),
        swap=(swap or SwapForm(round=shown)) if is_draft else None,
        ways=choices.ways(state, shown) if is_draft else (),
        forecast=choices.forecast(state, shown) if is_draft and shown.number > 1 else "",
        left_out=_left_out(state, shown) if is_draft else "",
        promise=swiss.promise(_seated(shown), state.event.rounds_planned) if shown.number == 1 else "",
        clock=clock_of(shown.row, state.event.minutes, timezone.now()) if in_play else None,
        extend=extend or ExtendForm(),
        missing=len(shown.missing) + len(shown.level),
    )
    return shell.show(request, "desk/round.html", context, status=status)


def _seated(shown: RoundState) -> int:
    return sum(len(match.numbers) for match in shown.matches)


def _left_out(state: EventState, draft: RoundState) -> str:
    """Who checked in after the draft was made."""
    late = [one for one in state.present(draft.number) if not draft.match_of(one.number)]
    return names_of([entrant.player.name for entrant in late]) if late else ""


def _show_close(
    request: HttpRequest, state: EventState, shown: RoundState, *, refused=(), status: int = 200
) -> HttpResponse:
    is_last = shown is state.last_round
    context = frame.desk_context(
        request,
        state,
        "round",
        round=shown,
        refused=refused,
        to_do=frame.to_do(state) if is_last else (),
        rolled=dict(public.roll_off_lines(state)).get(shown.number, []),
        averaged=[
            (state.by_number[number], score)
            for number, score in shown.scores.items()
            if score.outcome in ("bye", "no-show win")
        ],
        tables=frame.tables_of(state, shown),
    )
    return shell.show(request, "desk/close.html", context, status=status)


def _refused(request: HttpRequest, event: Event, error: Refused) -> HttpResponse:
    back = reverse("desk", args=[event.slug])
    return shell.refused(request, error, store=event.store, event=event, back=back)
