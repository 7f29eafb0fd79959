"""Read-only JSON beside the public pages, what it means, and a page about it for people."""

import re
from functools import cache
from pathlib import Path

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from tourney import access
from tourney.models import Event
from tourney.queries.linked_data import Data
from tourney.queries.shared import shared_state
from tourney.runtime.messages import message
from tourney.sharing.queries import public_json
from tourney.views import responses

ADDRESSES = (
    ("/e/{event}/event.json", message("The event, its settings, and who is registered.")),
    (
        "/e/{event}/standings.json",
        message("The standings after the last complete round; ?round=2: after round 2."),
    ),
    (
        "/e/{event}/pairings.json",
        message("Tables and results of the last published round; ?round=2: of round 2."),
    ),
    ("/s/{store}/events.json", message("The store’s events, latest first, 50 per page: ?page=2.")),
    ("/s/{store}/campaigns/{campaign}/campaign.json", message("A campaign’s months, 12 per page, and its season.")),
)
QUERY = re.compile(r"(\?\w+=\w+)")
"""What may be added to an address, where that is said: it stays in one line."""
OPENAPI = Path(__file__).parents[1] / "data" / "openapi.json"


@require_safe
@responses.live()
def event_json(request: HttpRequest, event: Event) -> HttpResponse:
    """The event with its players."""
    return _answer(public_json.event_data(event, timezone.now(), request.build_absolute_uri))


@require_safe
@responses.live()
def standings_json(request: HttpRequest, event: Event) -> HttpResponse:
    """The standings after the last complete round, or after another one (`?round=`)."""
    asked = _round_asked_for(request)
    if event.is_finished and asked is None:
        return _answer(public_json.final_standings_data(event, request.build_absolute_uri))
    state = shared_state(event)
    complete = len(state.complete_rounds)
    if asked is not None and not 1 <= asked <= complete:
        raise Http404
    return _answer(public_json.standings_data(state, asked or complete, request.build_absolute_uri))


@require_safe
@responses.live()
def pairings_json(request: HttpRequest, event: Event) -> HttpResponse:
    """The last round that everybody may see, or another one (`?round=`)."""
    state, asked = shared_state(event), _round_asked_for(request)
    round = state.public_rounds[-1] if state.public_rounds else None
    if asked is not None:
        round = access.found(next((one for one in state.public_rounds if one.number == asked), None))
    return _answer(public_json.pairings_data(state, round, request.build_absolute_uri))


@require_safe
def events_json(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The store's events."""
    store = access.store_for(request, slug)
    now, page = timezone.now(), request.GET.get("page")
    data = public_json.events_data(store, now, page, request.build_absolute_uri)
    return responses.if_changed(request, _answer(data))


@require_safe
def campaign_json(request: HttpRequest, slug: str, campaign: str) -> HttpResponseBase:
    """A campaign with its months and its season."""
    found = access.campaign_for(request, slug, campaign)
    now, page = timezone.now(), request.GET.get("page")
    return responses.if_changed(
        request, _answer(public_json.campaign_data(found, now, page, request.build_absolute_uri))
    )


@require_safe
def openapi(request: HttpRequest) -> HttpResponseBase:
    """What the addresses answer, as an OpenAPI document."""
    return responses.if_changed(request, HttpResponse(_document(), content_type="application/json"))


@require_safe
def api(request: HttpRequest) -> HttpResponse:
    """The addresses for programs, for people."""
    addresses = [(address, QUERY.split(str(about))) for address, about in ADDRESSES]
    return render(request, "share/api.html", {"addresses": addresses})


@cache
def _document() -> bytes:
    return OPENAPI.read_bytes()


def _round_asked_for(request: HttpRequest) -> int | None:
    text = request.GET.get("round")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise Http404
    return int(text)


def _answer(data: Data) -> HttpResponse:
    return JsonResponse(data, json_dumps_params={"ensure_ascii": False})
