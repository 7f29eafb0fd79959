"""The ten minutes after the last round: who gets what, and the prize list."""

from collections.abc import Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from tourney import access
from tourney.actions.prizes import set_prizes
from tourney.actions.record import Refused
from tourney.forms.prizes import PrizesForm
from tourney.models import Event
from tourney.queries.awards import awards_of, list_before
from tourney.queries.state import EventState, state_of
from tourney.runtime.messages import Message, message
from tourney.views import frame, responses


@login_required
def awards(request: HttpRequest, slug: str) -> HttpResponse:
    """Who gets what, as it stands or for good; organizers write the prize list here, or take the last one."""
    if request.method != "POST":
        event = access.event_for(request, slug, *access.DESK)
        return _show(request, event, PrizesForm(initial=_initial(event)))
    event = access.event_for(request, slug, *access.ORGANIZERS)
    form = PrizesForm(_carried_over(event, request) if request.POST.get("do") == "carry over" else request.POST)
    if not form.is_valid():
        return _show(request, event, form, status=422)
    try:
        set_prizes(
            event,
            form.cleaned_data["prizes"],
            expected=form.cleaned_data["seen"],
            by=responses.actor_of_request(request),
        )
    except Refused as error:
        event = access.event_for(request, slug, *access.ORGANIZERS)
        mine = PrizesForm(initial=_initial(event) | {"prizes": form.cleaned_data["prizes"]})
        return _show(request, event, mine, refused=error.reasons, status=409)
    messages.success(request, str(message("Prize list saved.")))
    return redirect("awards", slug)


def _initial(event: Event) -> dict[str, object]:
    return {"prizes": event.prizes, "seen": event.prizes}


def _carried_over(event: Event, request: HttpRequest) -> dict[str, object]:
    """What the form would hold if somebody had typed the last list again."""
    earlier = access.found(list_before(event))
    return {"prizes": earlier.prizes, "seen": request.POST.get("seen", "")}


def _show(
    request: HttpRequest, event: Event, form: PrizesForm, *, refused: Sequence[str] = (), status: int = 200
) -> HttpResponse:
    state = state_of(event)
    found = awards_of(state)
    context = frame.desk_context(
        request,
        state,
        "awards",
        form=form,
        refused=refused,
        awards=found,
        standing=_standing(state),
        earlier=list_before(event),
    )
    return responses.show(request, "desk/awards.html", context, status=status)


def _standing(state: EventState) -> Message | str:
    """What the ranks are."""
    complete, planned = len(state.complete_rounds), state.event.rounds_planned
    if state.is_finished:
        return message("The ranks are final.")
    if not complete:
        return ""
    return message("After round {complete} of {planned}; not final yet.", complete=complete, planned=planned)
