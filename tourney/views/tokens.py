"""The commendation token: its page at the desk, and the ledger of a campaign."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from scoring.domain.commendation import EFFECT
from tourney import access
from tourney.actions import tokens
from tourney.actions.record import Actor, Refused
from tourney.forms.tokens import GrantForm, SpendForm, WhyForm
from tourney.models import Event
from tourney.queries.ledger import ledger_of
from tourney.queries.state import EventState, state_of
from tourney.queries.tokens import battles_of, candidates_of, desk_token_of
from tourney.runtime.messages import Message, message
from tourney.views import frame, responses

type TokenVerb = tuple[tuple[str, ...], type[forms.Form] | None, Message | str]

VERBS: dict[str, TokenVerb] = {
    "grant": (access.DESK, GrantForm, message("Token given.")),
    "spend": (access.DESK, SpendForm, message("Token spent.")),
    "decline": (access.ORGANIZERS, WhyForm, message("Declined. The token goes to the next player.")),
    "take_back": (access.ORGANIZERS, WhyForm, message("Token withdrawn.")),
    "unspend": (access.ORGANIZERS, WhyForm, message("The token is unspent again.")),
}
"""Who may do what with the token, what it takes, and what is said of it afterwards."""
NO_VERB: TokenVerb = (access.DESK, None, "")
BACK = ("desk", "players", "token")


@login_required
def token(request: HttpRequest, slug: str) -> HttpResponse:
    """Where the token of the event is, who could have it, and everything the desk can do about it."""
    if request.method != "POST":
        return _show(request, state_of(access.event_for(request, slug, *access.DESK)))
    do = request.POST.get("do", "")
    roles, form_of, said = VERBS.get(do, NO_VERB)
    event = access.event_for(request, slug, *roles)
    if form_of is None:
        raise Http404
    form = form_of(request.POST, auto_id=f"{do}-%s")
    if not form.is_valid():
        return _show(request, state_of(event), status=422, bound={do: form})
    try:
        _do(do, event, form.cleaned_data, responses.actor_of_request(request))
    except Refused as error:
        return _show(request, state_of(event), refused=error.reasons, status=409)
    messages.success(request, str(said))
    back = request.POST.get("back")
    return redirect(back if back in BACK else "token", slug)


def _do(do: str, event: Event, facts: Mapping[str, Any], by: Actor) -> None:
    match do:
        case "grant":
            tokens.grant(event, facts["who"], by=by)
        case "spend":
            tokens.spend(event, facts["round"], by=by)
        case "decline":
            tokens.decline(event, facts["who"] or 0, reason=facts["reason"], by=by)
        case "take_back":
            tokens.withdraw(event, reason=facts["reason"], by=by)
        case "unspend":
            tokens.unspend(event, reason=facts["reason"], by=by)


def _show(
    request: HttpRequest,
    state: EventState,
    *,
    refused: Sequence[str] = (),
    status: int = 200,
    bound: Mapping[str, forms.Form] = MappingProxyType({}),
) -> HttpResponse:
    desk = desk_token_of(state)
    holder = desk.token.holder if desk else None
    context = frame.desk_context(
        request,
        state,
        "desk",
        refused=refused,
        desk_token=desk,
        candidates=candidates_of(state, desk) if desk else [],
        battles=battles_of(state, holder.number) if holder else [],
        forms={do: WhyForm(auto_id=f"{do}-%s") for do in ("decline", "take_back", "unspend")} | {**bound},
        form=next(iter(bound.values()), None),
    )
    return responses.show(request, "desk/token.html", context, status=status)


@require_safe
def ledger(request: HttpRequest, slug: str, campaign: str) -> HttpResponse:
    """Month by month: who should have had the token and why, and every line of what became of it."""
    found = access.campaign_for(request, slug, campaign)
    page, months = ledger_of(found, request.GET.get("page"))
    context = responses.store_context(request, found.store, campaign=found, page=page, months=months, effect=EFFECT)
    return render(request, "campaign/tokens.html", context)
