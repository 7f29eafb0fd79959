"""The fleets of the player whose card this device holds."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from tourney import access
from tourney.actions import fleets as actions
from tourney.actions.record import Refused
from tourney.forms.fields import id_in
from tourney.forms.fleets import NameForm
from tourney.models import Entrant, Player
from tourney.queries.fleets import (
    Entry,
    FleetState,
    brings_one,
    could_fly_at,
    entries_to_come,
    fleet_name_for,
    fleets_of_player,
    flying_at,
    own_fleet,
)
from tourney.runtime.messages import Message, message, nmessage
from tourney.views import responses
from tourney.views.event import night_bar
from tourney.views.fleets.builder import stamp


@require_http_methods(["GET", "HEAD", "POST"])
def my_fleets(request: HttpRequest, slug: str) -> HttpResponse:
    """All fleets of the player, and which of them flies at the next event."""
    player = access.player_or_404(request, slug)
    if request.method != "POST":
        return _show(request, player)
    try:
        if request.POST.get("do") == "bring":
            return _bring(request, player)
        return _make(request, player)
    except Refused as error:
        return _show(request, player, refused=error.reasons, status=409)


def _make(request: HttpRequest, player: Player) -> HttpResponse:
    """A new fleet; it flies at the event it was made for, where none does yet."""
    entry = _entry(player, request.POST.get("event", ""))
    form = NameForm({"name": fleet_name_for(entry.event)} if entry else request.POST)
    if not form.is_valid():
        return _show(request, player, form=form, status=422)
    name, by = form.cleaned_data["name"], stamp(request, player)
    if entry and not brings_one(entry):
        fleet = actions.make_and_bring(entry.event, entry.number, player, name, by=by)
    else:
        fleet = actions.make_fleet(player, name, by=by)
    return redirect("fleet", player.store.slug, fleet.pk)


def _bring(request: HttpRequest, player: Player) -> HttpResponse:
    entry = _entry(player, request.POST.get("event", ""))
    fleet = own_fleet(player, id_in(request.POST.get("fleet", "")))
    if entry is None or fleet is None:
        raise Refused(message("This fleet or event is gone. Check the list again."))
    brought = actions.assign_to_event(entry.event, entry.number, fleet, by=stamp(request, player))
    messages.success(
        request, str(message("You’re using {fleet} at {event}.", fleet=brought.name, event=entry.event.name))
    )
    return redirect("fleet", player.store.slug, brought.pk)


@dataclass(frozen=True, slots=True)
class FleetRow:
    """A fleet of the list: what is said of it, and the entries where it could fly instead of another."""

    fleet: FleetState
    facts: tuple[Message, ...]
    could_fly: tuple[Entrant, ...]


def _row(fleet: FleetState, entries: list[Entry]) -> FleetRow:
    ships = len(fleet.sheet.ships)
    facts = [message("{sp} SP", sp=fleet.total), nmessage("{count} ship", "{count} ships", ships)]
    if fleet.is_unreadable:
        facts = [message("Can’t be read")]
    if fleet.event and fleet.event.is_finished:
        facts.append(message("played at {event}", event=fleet.event.name))
    elif fleet.event:
        facts.append(message("entered in {event}", event=fleet.event.name))
    return FleetRow(fleet, tuple(facts), could_fly_at(fleet, entries))


def _show(
    request: HttpRequest,
    player: Player,
    *,
    form: NameForm | None = None,
    refused: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    fleets = fleets_of_player(player)
    entries = flying_at(player, fleets)
    context = responses.store_context(
        request,
        player.store,
        player=player,
        rows=[_row(fleet, entries) for fleet in fleets],
        entries=entries,
        form=form or NameForm(),
        refused=refused,
        **night_bar(request, player.store, "fleets"),
    )
    return responses.show(request, "fleets/mine.html", context, status=status)


def _entry(player: Player, event: str) -> Entrant | None:
    return next((entry for entry in entries_to_come(player) if entry.event.slug == event), None)
