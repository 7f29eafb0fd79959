"""Rehearsals: begun at the event's desk, played and watched at their own, discarded."""

import secrets
from time import monotonic

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from tourney import access
from tourney.actions import rehearsal as actions
from tourney.actions import rounds
from tourney.actions.record import Refused, Stale
from tourney.forms.rehearsal import BeginForm, PaceForm, RehearsalStepForm
from tourney.models import Event, Pace
from tourney.queries.rehearsal import length_of, panel_of, promises, rehearsals_of, running_of
from tourney.queries.state import EventState, state_of
from tourney.runtime.messages import in_a_row, message
from tourney.views import frame, responses

SECONDS = 0.8  # of one request at the quick pace


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def rehearsal(request: HttpRequest, slug: str) -> HttpResponse:
    """What a rehearsal is, and the form that begins one; while there is one, the way to it."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    if event.store.rehearsal_id:
        return redirect("desk", slug)
    state = state_of(event)
    form = BeginForm(responses.posted(request), registered=_coming(state))
    if request.method != "POST":
        return _show(request, state, form)
    if not form.is_valid():
        return _show(request, state, form, status=422)
    try:
        copy = actions.begin(event, form.plan, by=responses.actor_of_request(request), seed=secrets.randbelow(2**31))
    except Refused as error:
        form.add_error(None, list(error.reasons))
        return _show(request, state_of(event), form, status=409)
    return redirect("desk", copy.slug)


def _show(request: HttpRequest, state: EventState, form: BeginForm, *, status: int = 200) -> HttpResponse:
    running = running_of(state.event, timezone.now())
    has_begun = state.is_finished or bool(state.public_rounds)
    context = frame.desk_context(
        request,
        state,
        "desk",
        form=form,
        running=running,
        has_begun=has_begun,
        length=length_of(state.event),
        promises=promises(_coming(state), state.event.rounds_planned)[:1],
    )
    return responses.show(request, "rehearsal/begin.html", context, status=status)


def _coming(state: EventState) -> int:
    return sum(entrant.dropped_from is None for entrant in state.entrants)


def panel(state: EventState) -> dict[str, object]:
    """What the desk of a rehearsal shows beside that of the event; nothing at a real desk."""
    if state.event.store.rehearsal_id is None:
        return {}
    relaxed = {round.number: rounds.relaxed_sentences(state, round) for round in state.public_rounds}
    return {"panel": panel_of(state, relaxed), "paces": Pace.choices}


@login_required
@require_POST
def rehearsal_step(request: HttpRequest, slug: str) -> HttpResponse:
    """Go on: pressed, one step; by itself, as much as the pace asks. An older page only learns how it stands now."""
    event = _rehearsal_for(request, slug)
    form = RehearsalStepForm(request.POST)
    if form.is_valid():
        is_pressed = request.POST.get("do") == "next"
        rehearsal = event.store.rehearsal
        is_fast = not is_pressed and rehearsal is not None and rehearsal.pace == Pace.FAST
        try:
            _go_on(event, form.cleaned_data["seen"], SECONDS if is_fast else 0)
        except Stale as error:
            if is_pressed:
                messages.warning(request, str(error))
        except actions.Over:
            pass
        except Refused as error:
            messages.warning(request, str(in_a_row([message("The rehearsal is waiting for you."), *error.reasons])))
            actions.set_pace(event, Pace.STEP)
    return redirect("desk", slug)


def _go_on(event: Event, expected: int, seconds: float) -> None:
    until = monotonic() + seconds
    while True:
        expected = actions.step(event, expected_version=expected, at=timezone.now())
        if monotonic() >= until:
            return


@login_required
@require_POST
def rehearsal_pace(request: HttpRequest, slug: str) -> HttpResponse:
    """Set another pace, or wait for a press."""
    event = _rehearsal_for(request, slug)
    form = PaceForm(request.POST)
    if form.is_valid():
        actions.set_pace(event, form.cleaned_data["pace"])
    return redirect("desk", slug)


def _rehearsal_for(request: HttpRequest, slug: str) -> Event:
    event = access.event_for(request, slug, *access.ORGANIZERS)
    if event.store.rehearsal_id is None:
        raise Http404
    return event


@login_required
@require_POST
def discard_rehearsal(request: HttpRequest, slug: str) -> HttpResponse:
    """Discard the rehearsal of this event, and go back to the event's own desk."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    for row in rehearsals_of(event):
        actions.discard(row)
        messages.success(request, str(message("Rehearsal discarded. Nothing of it is left.")))
    return redirect("desk", slug)
