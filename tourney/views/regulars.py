"""A player with a card says that they come to an event, or can't make it, on their own phone."""

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from tourney import access
from tourney.actions import regulars
from tourney.actions.record import Refused
from tourney.forms.regulars import ComeForm, OwnFactionForm
from tourney.models import Event
from tourney.queries.regulars import fleets_to_bring
from tourney.queries.state import state_of
from tourney.runtime.messages import message
from tourney.views import joining, responses


@require_POST
def coming(request: HttpRequest, slug: str) -> HttpResponse:
    """Join with what is remembered; or declare another faction, or withdraw, before round 1."""
    event = access.event_for(request, slug)
    act = ACTS.get(request.POST.get("do", ""))
    if act is None:
        raise Http404
    try:
        return act(request, event)
    except Refused as error:
        back = reverse("my_card", args=[event.store.slug])
        return responses.refused(request, error, store=event.store, event=event, back=back)


def _come(request: HttpRequest, event: Event) -> HttpResponse:
    player = access.found(access.player_at(request, event.store))
    form = ComeForm(request.POST, event=event, fleets=fleets_to_bring(player))
    if not form.is_valid():
        return joining.show_again(request, state_of(event, public=True), form)
    by, sender = responses.actor_of_player(player), joining.sender_of(request, event)
    entrant = regulars.come(event, player, form.chosen_faction, form.chosen_fleet, by=by, sender=sender)
    return redirect(f"{reverse('join', args=[event.slug])}?in={entrant.number}")


def _faction(request: HttpRequest, event: Event) -> HttpResponse:
    entrant = access.found(access.entrant_at(request, event))
    form = OwnFactionForm(request.POST, event=event)
    if not form.is_valid():
        raise Refused(message("Nothing changed."), message("Choose the faction you play for."))
    by = responses.actor_of_player(entrant.player)
    regulars.change_faction(event, entrant.number, form.chosen_faction, by=by)
    if form.chosen_faction:
        done = message("You play for {faction} at {event}.", faction=form.chosen_faction, event=event.name)
        messages.success(request, str(done))
    return redirect("my_card", event.store.slug)


def _withdraw(request: HttpRequest, event: Event) -> HttpResponse:
    player = access.found(access.player_at(request, event.store))
    if entrant := access.entrant_at(request, event):
        regulars.withdraw(event, entrant.number, by=responses.actor_of_player(player))
    done = message("You’re no longer registered for {event}.", event=event.name)
    messages.success(request, str(done))
    return redirect("my_card", event.store.slug)


def _check_in(request: HttpRequest, event: Event) -> HttpResponse:
    entrant = access.found(access.entrant_at(request, event))
    regulars.check_in(event, entrant.number, by=responses.actor_of_player(entrant.player))
    return redirect("me", event.slug)


ACTS: dict[str, Callable[[HttpRequest, Event], HttpResponse]] = {
    "come": _come,
    "faction": _faction,
    "withdraw": _withdraw,
    "check_in": _check_in,
}
