"""A fleet that its owner shares: whoever has the address reads it, until the owner withdraws the link."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from fleets.domain.picture import as_svg
from tourney import access
from tourney.models import Fleet
from tourney.queries.fleets import FleetState, shared_fleet_of
from tourney.views import responses
from tourney.views.fleets import shown

NO_TRACE = {"X-Robots-Tag": "noindex, nofollow", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}


@require_safe
def shared_fleet(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """The fleet as it is now, without its owner's name."""
    row = _shared(request, slug, key)
    state = _state(row)
    context = responses.store_context(
        request,
        row.player.store,
        fleet=row,
        state=state,
        ships=shown.ships_of(state, {}),
        resource=state.sheet.resource and shown.line_view(state, state.sheet.resource, {}),
        other=[shown.line_view(state, line, {}) for line in state.sheet.other],
        key=key,
    )
    return _without_trace(responses.show(request, "fleets/shared.html", context))


@require_safe
def shared_picture(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """The picture of the fleet."""
    row = _shared(request, slug, key)
    if row.readable_sheet is None:
        raise Http404
    return _without_trace(HttpResponse(as_svg(_state(row).sheet, row.name), content_type="image/svg+xml"))


def _shared(request: HttpRequest, slug: str, key: str) -> Fleet:
    return access.found(shared_fleet_of(access.store_for(request, slug), key))


def _state(row: Fleet) -> FleetState:
    """The fleet, counted as its event counts it."""
    return FleetState(row, row.entrant.event if row.entrant else None)


def _without_trace(response: HttpResponse) -> HttpResponse:
    for name, value in NO_TRACE.items():
        response[name] = value
    return response
