"""Before an event begins plans change: it gets another date or month, is canceled, held after all, or deleted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from scoring.domain.pack_difference import FieldDifference, differences
from tourney import access
from tourney.actions import plans
from tourney.actions.dry_run import tried
from tourney.actions.plans import Month
from tourney.actions.record import Refused
from tourney.domain import progress
from tourney.forms.plans import CallOffForm, MonthForm, PostponeForm
from tourney.models import Event
from tourney.queries.campaigns import by_storyline, packs_of, slugs_planned
from tourney.queries.fleets import fleets_of, statuses
from tourney.queries.packs import packs_for
from tourney.queries.state import EventState, state_of
from tourney.runtime.messages import Message, message, nmessage
from tourney.views import frame, responses


@dataclass(frozen=True, slots=True)
class MonthPreview:
    """What another month changes of the event: fields of its rules, whose fleets are no longer legal, and who has to
    declare another faction."""

    differences: tuple[FieldDifference, ...]
    illegal: tuple[str, ...]
    undeclared: tuple[str, ...]

    @property
    def asked_again(self) -> Message:
        """Rule 1.4: who has to declare another faction."""
        return nmessage(
            "{count} player has to declare another faction (rule 1.4): {names}.",
            "{count} players have to declare another faction (rule 1.4): {names}.",
            len(self.undeclared),
            names=self.undeclared,
        )


@login_required
def plans_of(request: HttpRequest, slug: str) -> HttpResponse:
    """Postpone, cancel or delete the event; or hold one that is canceled after all."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    if request.method != "POST":
        return _show(request, state_of(event))
    act = ACTS.get(request.POST.get("do", ""))
    if act is None:
        raise Http404
    try:
        return act(request, event)
    except Refused as error:
        event.refresh_from_db()
        return _show(request, state_of(event), refused=error.reasons, status=409)


def _postpone(request: HttpRequest, event: Event) -> HttpResponse:
    form = PostponeForm(request.POST, event=event)
    if not form.is_valid():
        return _show(request, state_of(event), postpone=form, status=422)
    plans.postpone_event(event, form.cleaned_data["starts_at"], by=responses.actor_of_request(request))
    messages.success(request, str(message("The event has a new date.")))
    return redirect("desk", event.slug)


def _cancel(request: HttpRequest, event: Event) -> HttpResponse:
    form = CallOffForm(request.POST, do="cancel", players=event.entrants.count())
    if not form.is_valid():
        return _show(request, state_of(event), cancel=form, status=422)
    plans.cancel_event(event, by=responses.actor_of_request(request))
    messages.success(request, str(message("The event is canceled.")))
    return redirect("desk", event.slug)


def _hold(request: HttpRequest, event: Event) -> HttpResponse:
    plans.hold_event(event, by=responses.actor_of_request(request))
    messages.success(request, str(message("The event takes place after all.")))
    return redirect("desk", event.slug)


def _delete(request: HttpRequest, event: Event) -> HttpResponse:
    form = CallOffForm(request.POST, do="delete", players=event.entrants.count())
    if not form.is_valid():
        return _show(request, state_of(event), delete=form, status=422)
    plans.delete_event(event, by=responses.actor_of_request(request))
    messages.success(request, str(message("{event} is deleted.", event=event.name)))
    return redirect(event.campaign)


ACTS: dict[str, Callable[[HttpRequest, Event], HttpResponse]] = {
    "postpone": _postpone,
    "cancel": _cancel,
    "hold": _hold,
    "delete": _delete,
}


def _show(
    request: HttpRequest,
    state: EventState,
    *,
    postpone: PostponeForm | None = None,
    cancel: CallOffForm | None = None,
    delete: CallOffForm | None = None,
    refused: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    event, players = state.event, len(state.entrants)
    context = frame.desk_context(
        request,
        state,
        "settings",
        refused=refused,
        begun=progress.why_not_call_off(state.facts),
        players=players,
        postpone=postpone or PostponeForm(event=event),
        cancel=cancel or CallOffForm(do="cancel", players=players),
        delete=delete or CallOffForm(do="delete", players=players),
    )
    return responses.show(request, "desk/plans.html", context, status=status)


@login_required
def change_month(request: HttpRequest, slug: str) -> HttpResponse:
    """Play the event by another month pack: chosen first, then what that changes, then done."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    packs, made_here = packs_for(event.store)
    asked = request.POST if request.method == "POST" else request.GET if "pack" in request.GET else None
    form = MonthForm(asked, event=event, packs=packs)
    refused: Sequence[str] = ()
    preview, status = None, 422 if form.is_bound else 200
    if form.is_valid():
        status = 200
        try:
            if request.method == "POST":
                plans.change_month(event, form.month, by=responses.actor_of_request(request))
                messages.success(request, str(message("The event is played by its new month pack.")))
                return redirect("event_settings", slug)
            preview = _preview(request, event, form.month)
        except Refused as error:
            refused, status = error.reasons, 409
    state = state_of(event)
    own = packs_of(event.campaign.storyline, packs)
    context = frame.desk_context(
        request,
        state,
        "settings",
        form=form,
        preview=preview,
        refused=refused or tuple(map(str, progress.why_not_call_off(state.facts))),
        own=own,
        others=by_storyline(pack for pack in packs if pack not in own),
        made_here=made_here,
        played=slugs_planned(event.campaign),
    )
    return responses.show(request, "desk/month.html", context, status=status)


def _preview(request: HttpRequest, event: Event, month: Month) -> MonthPreview:
    by = responses.actor_of_request(request).for_parts()
    now = state_of(event)

    def change(event: Event) -> None:
        plans.change_month(event, month, by=by)
        event.refresh_from_db()

    then, factions, rules = tried(
        event,
        change,
        lambda state: (_illegal(state), _declared(state), state.event.rules),
    )
    illegal, undeclared = (
        tuple(now.names[number] for number in sorted(found))
        for found in (then - _illegal(now), _declared(now) - factions)
    )
    return MonthPreview(differences(now.event.rules, rules), illegal, undeclared if rules.allegiance else ())


def _declared(state: EventState) -> set[int]:
    """Who has a faction, by number."""
    return {entrant.number for entrant in state.entrants if entrant.faction}


def _illegal(state: EventState) -> set[int]:
    """Whose fleet breaks a rule of the month, by number."""
    found = statuses(state, fleets_of(state))
    return {number for number, fleet in found.items() if fleet.kind == "wrong"}
