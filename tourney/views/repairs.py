"""A drawn round paired anew from its own page, as far as it is not played yet."""

from collections.abc import Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from tourney import access
from tourney.actions.corrections import Rearranging, do_if_still_as_shown
from tourney.actions.record import Refused
from tourney.forms.corrections import RoundForm
from tourney.models import Event
from tourney.queries.repairs import RepairMode, evidence_of, why_not_repair
from tourney.queries.shared import staff_state
from tourney.queries.state import EventState, state_of
from tourney.runtime.messages import message
from tourney.views import frame, responses
from tourney.views.effects import moved_in_words, options_of, repair_context

BY_ENGINE = (RepairMode.FEWEST, RepairMode.ALL)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def repair(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """What pairing the round anew would change, table by table; and the buttons that do it."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    state = staff_state(event).unshared()
    access.found_or_404(state.round(number))
    if why := why_not_repair(state, number):
        back = reverse("round", args=[slug, number])
        return responses.refused(request, Refused(why), store=event.store, event=event, back=back)
    form = _form(state, number, responses.posted(request))
    if "confirm" not in request.POST:
        form.is_valid()
        return _show(request, state, number, form)
    if not form.is_valid():
        return _show(request, state, number, form, is_sent=True, status=422)
    return _do(request, event, state, number, form)


def _do(request: HttpRequest, event: Event, state: EventState, number: int, form: RoundForm) -> HttpResponse:
    doing = Rearranging(number, form.cleaned_data["reason"])
    try:
        effect = do_if_still_as_shown(
            event, doing, form.repair, expected=form.seen, by=responses.actor_of_request(request)
        )
    except Refused as error:
        state = state_of(event)
        if why_not_repair(state, number):
            back = reverse("round", args=[event.slug, number])
            return responses.refused(request, error, store=event.store, event=event, back=back)
        form = _form(state, number, request.POST)
        form.is_valid()
        return _show(request, state, number, form, is_sent=True, refused=error.reasons, status=409)
    messages.success(request, str(moved_in_words(state, effect)))
    return redirect("round", event.slug, number)


def _form(state: EventState, number: int, data: QueryDict | None) -> RoundForm:
    round = state.rounds[number - 1]
    return RoundForm(data, round=round, evidence=evidence_of(state, round))


def _show(
    request: HttpRequest,
    state: EventState,
    number: int,
    form: RoundForm,
    *,
    is_sent: bool = False,
    refused: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    if form.is_bound and not is_sent:
        form.errors.clear()
    doing = Rearranging(number, form["reason"].value() or str(message("asked for by the desk")))
    ways = (RepairMode.HAND,) if form.repair.way is RepairMode.HAND else BY_ENGINE
    options, why = options_of(request, state, doing, form, ways)
    context = frame.desk_context(
        request,
        state,
        "round",
        round=state.round(number),
        form=form,
        options=options,
        why_not=why,
        refused=refused,
        is_by_hand=ways == (RepairMode.HAND,),
        **repair_context(state, form),
    )
    return responses.show(request, "desk/repair.html", context, parts=("ways",), status=status)
