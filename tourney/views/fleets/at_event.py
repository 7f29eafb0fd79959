"""The fleet of one entrant at the desk: typed from paper, allowed what the rules forbid, unlocked."""

from collections.abc import Callable, Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from tourney import access
from tourney.actions import fleets as actions
from tourney.actions.record import Refused
from tourney.forms.fields import id_in
from tourney.forms.fleets import ImportForm
from tourney.forms.fleets_at_events import AllowForm, UnlockForm
from tourney.queries.fleets import fleet_name_for, fleet_of, other_fleets, own_fleet
from tourney.queries.sheets import parts_of
from tourney.queries.state import EventState, state_of
from tourney.runtime.messages import message
from tourney.views import frame, responses
from tourney.views.fleets.files import FleetChoice, ImportResult, choose, import_into


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def entrant_fleet(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """What the desk sees of a fleet, and what an organizer does about it."""
    post = request.method == "POST"
    event = access.event_for(request, slug, *(access.ORGANIZERS if post else access.DESK))
    state = state_of(event)
    if number not in state.by_number:
        raise Http404
    if not post:
        return _show(request, state, number)
    act = ACTS.get(request.POST.get("do", ""))
    if act is None:
        raise Http404
    try:
        return act(request, state, number)
    except Refused as error:
        return _show(request, state_of(event), number, refused=error.reasons, status=409)


def _make(request: HttpRequest, state: EventState, number: int) -> HttpResponse:
    """An empty sheet to type into; after the lock with a reason, as any other change (rule 7.1)."""
    by, player = responses.actor_of_request(request), state.by_number[number].player
    form = UnlockForm(request.POST) if number in state.seated_numbers else None
    if form and not form.is_valid():
        return _show(request, state, number, unlock=form, status=422)
    name, reason = fleet_name_for(state.event), form.cleaned_data["reason"] if form else ""
    fleet = actions.make_and_bring(state.event, number, player, name, by=by, reason=reason)
    return redirect("fleet", state.event.store.slug, fleet.pk)


def _import(request: HttpRequest, state: EventState, number: int) -> HttpResponse:
    """The player's sheet from a file or pasted text; the first one in it flies."""
    by, player = responses.actor_of_request(request), state.by_number[number].player
    form = ImportForm(request.POST, request.FILES)
    late = UnlockForm(request.POST) if number in state.seated_numbers else None
    if late and not late.is_valid():
        return _show(request, state, number, unlock=late, intake=form, status=422)
    player.store = state.event.store
    reason = late.cleaned_data["reason"] if late else ""
    with transaction.atomic():
        imported = import_into(player, form, by=by, event=state.event)
        if isinstance(imported, ImportResult):
            actions.assign_to_event(state.event, number, imported.fleets[0], by=by, reason=reason)
    if isinstance(imported, FleetChoice):
        return choose(request, player, imported, at=state.by_number[number])
    if not imported:
        return _show(request, state, number, intake=form, status=422)
    imported.say(request)
    return redirect("entrant_fleet", state.event.slug, number)


def _bring(request: HttpRequest, state: EventState, number: int) -> HttpResponse:
    """Another fleet of the player instead."""
    player = state.by_number[number].player
    fleet = own_fleet(player, id_in(request.POST.get("fleet", "")))
    if fleet is None:
        raise Refused(actions.DELETED)
    brought = actions.assign_to_event(state.event, number, fleet, by=responses.actor_of_request(request))
    messages.success(request, str(message("{player} is using {fleet}.", player=str(player), fleet=brought.name)))
    return redirect("entrant_fleet", state.event.slug, number)


def _unlock(request: HttpRequest, state: EventState, number: int) -> HttpResponse:
    form = UnlockForm(request.POST)
    if not form.is_valid():
        return _show(request, state, number, unlock=form, status=422)
    actions.unlock(state.event, number, reason=form.cleaned_data["reason"], by=responses.actor_of_request(request))
    messages.success(request, str(message("Fleet unlocked. Every change goes into the journal.")))
    return redirect("entrant_fleet", state.event.slug, number)


def _lock(request: HttpRequest, state: EventState, number: int) -> HttpResponse:
    actions.lock_again(state.event, number, by=responses.actor_of_request(request))
    messages.success(request, str(message("Fleet locked again.")))
    return redirect("entrant_fleet", state.event.slug, number)


def _take_off(request: HttpRequest, state: EventState, number: int) -> HttpResponse:
    """A fleet that cannot be read makes room for another one."""
    actions.take_off(state.event, number, by=responses.actor_of_request(request))
    messages.success(request, str(message("Fleet removed from the event. You can enter another one now.")))
    return redirect("entrant_fleet", state.event.slug, number)


def _allow(request: HttpRequest, state: EventState, number: int) -> HttpResponse:
    form = AllowForm(request.POST)
    if not form.is_valid():
        raise Refused(actions.NOT_WRONG)
    facts = form.cleaned_data
    actions.allow(
        state.event,
        number,
        facts["rule"],
        facts["line"],
        reason=facts["reason"],
        by=responses.actor_of_request(request),
    )
    done = message("Allowed. Your reason is on the sheet.") if facts["reason"] else message("No longer allowed.")
    messages.success(request, str(done))
    return redirect("entrant_fleet", state.event.slug, number)


ACTS: dict[str, Callable[[HttpRequest, EventState, int], HttpResponse]] = {
    "make": _make,
    "import": _import,
    "bring": _bring,
    "unlock": _unlock,
    "lock": _lock,
    "allow": _allow,
    "take_off": _take_off,
}


def _show(
    request: HttpRequest,
    state: EventState,
    number: int,
    *,
    unlock: UnlockForm | None = None,
    intake: ImportForm | None = None,
    refused: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    entrant, fleet = state.by_number[number], fleet_of(state, number)
    context = frame.desk_context(
        request,
        state,
        "players",
        entrant=entrant,
        fleet=fleet,
        parts=parts_of(fleet) if fleet else [],
        others=other_fleets(entrant),
        is_seated=number in state.seated_numbers,
        unlock=unlock or UnlockForm(),
        intake=intake or ImportForm(),
        refused=refused,
    )
    return responses.show(request, "desk/fleet.html", context, status=status)
