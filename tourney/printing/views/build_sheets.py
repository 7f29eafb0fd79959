"""The Fleet Build Sheet on paper: one fleet's, or blank, to be filled in by hand."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tourney import access
from tourney.printing.queries.build_sheets import blank_sheet_of, build_sheet_alone, build_sheet_of
from tourney.queries.fleets import state_of_fleet
from tourney.queries.state import state_of
from tourney.views import responses
from tourney.views.fleets.builder import address


@require_safe
def fleet_sheet(request: HttpRequest, slug: str, fleet: int) -> HttpResponse:
    """The Fleet Build Sheet, for the screen and for paper."""
    row = access.fleet_for(request, slug, fleet, *access.DESK)
    responses.speak_as_store(row.player.store)
    fleet_state = state_of_fleet(row)
    if fleet_state.event and row.entrant:
        build = build_sheet_of(state_of(fleet_state.event), row.entrant.number, fleet_state)
    else:
        build = build_sheet_alone(fleet_state)
    back = address(row) if access.player_at(request, row.player.store) == row.player else ""
    context = responses.store_context(request, row.player.store, build=build, back=back)
    return responses.show(request, "fleets/sheet.html", context)


@login_required
@require_safe
def blank_sheet(request: HttpRequest, slug: str) -> HttpResponse:
    """A blank sheet for this event, to be printed and written by hand."""
    event = access.event_for(request, slug, *access.DESK)
    responses.speak_as_store(event.store)
    context = responses.event_context(request, event, build=blank_sheet_of(state_of(event)))
    return responses.show(request, "fleets/sheet.html", context)
