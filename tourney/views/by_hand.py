"""A draft at the desk, changed by hand (rule 3.9)."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from tourney import access
from tourney.actions import by_hand as actions
from tourney.actions import history, rounds
from tourney.actions.record import Refused
from tourney.forms.by_hand import ByHandForm
from tourney.forms.history import UndoForm
from tourney.models import Event, Round
from tourney.queries.state import state_of
from tourney.runtime.messages import message
from tourney.views import responses
from tourney.views.rounds import show_round


@login_required
@require_POST
def by_hand(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One change of the draft, the last one taken back, or all of them; the reason is asked once."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    state = state_of(event)
    shown = state.round(number)
    if shown is None or shown.state != Round.State.DRAFT:
        return _gone(request, event, number)
    if request.POST.get("do") in ("undo", "engine"):
        return _back(request, event, number)
    form = ByHandForm(request.POST, draft=shown.row, names=state.names)
    if form.is_valid():
        try:
            _change(request, event, number, form.cleaned_data)
        except Refused as error:
            form.add_error(None, list(error.reasons))
        else:
            return redirect("round", slug, number)
    status = 422 if access.htmx_of(request) or not form.non_field_errors() else 409
    state = state_of(event)
    if (shown := state.round(number)) is None:
        return _gone(request, event, number)
    return show_round(request, state, shown, moving=form, status=status)


def _change(request: HttpRequest, event: Event, number: int, asked: Mapping[str, Any]) -> None:
    by = responses.actor_of_request(request)
    if asked["table"] is not None:
        actions.unpair_table(event, number, asked["table"], reason=asked["reason"], by=by)
    else:
        actions.place(event, number, asked["who"], asked["to"], reason=asked["reason"], by=by)


def _back(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """To the step before, or to what the engine draws."""
    try:
        if request.POST["do"] == "engine":
            rounds.back_to_the_engine(event, number, by=responses.actor_of_request(request))
        else:
            form = UndoForm(request.POST)
            access.found_or_404(form if form.is_valid() else None)
            history.undo(event, form.cleaned_data["step"], by=responses.actor_of_request(request))
    except Refused as error:
        return _refused(request, event, number, error)
    return redirect("round", event.slug, number)


def _gone(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    return _refused(
        request, event, number, Refused(message("Round {number} has no draft to change any more.", number=number))
    )


def _refused(request: HttpRequest, event: Event, number: int, error: Refused) -> HttpResponse:
    """A part of a page cannot say that there is nothing to say it on: it goes to the page as it is now."""
    if access.htmx_of(request):
        return HttpResponseClientRedirect(reverse("desk", args=[event.slug]))
    back = reverse("desk", args=[event.slug])
    return responses.refused(request, error, store=event.store, event=event, back=back)
