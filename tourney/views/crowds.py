"""The desk's page about registrations that came in a crowd: who they are, and away with those who are nobody."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from tourney import access
from tourney.actions import entrants
from tourney.actions.record import Refused
from tourney.models import Event
from tourney.queries.joining import crowds_of
from tourney.queries.state import state_of
from tourney.runtime.messages import message, nmessage
from tourney.views import frame, responses


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def crowds(request: HttpRequest, slug: str) -> HttpResponse:
    """Who registered from one device or network within a minute; the chosen ones are removed in one step."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    if request.method != "POST":
        return _show(request, event)
    chosen = _numbers(request)
    if not chosen:
        return _show(request, event, refused=(str(message("Select at least one player.")),), status=422)
    try:
        removed = entrants.remove_many(event, chosen, by=responses.actor_of_request(request))
    except Refused as error:
        return _show(request, event, refused=error.reasons, status=409)
    many = len(removed.gone)
    messages.success(
        request,
        str(
            nmessage(
                "{count} registration removed. You can undo it.",
                "{count} registrations removed. You can undo it.",
                many,
            )
        ),
    )
    if removed.stayed:
        messages.warning(
            request, str(message("Still registered, because they’re seated: {players}.", players=list(removed.stayed)))
        )
    return redirect("players", event.slug)


def _numbers(request: HttpRequest) -> list[int]:
    """The entrants that are ticked; anything else is left out."""
    ticked = request.POST.getlist("number")
    return [int(number) for number in ticked if number.isascii() and number.isdecimal() and len(number) < 6]


def _show(request: HttpRequest, event: Event, *, refused: tuple[str, ...] = (), status: int = 200) -> HttpResponse:
    state = state_of(event)
    tick_all = request.GET.get("tick") == "all"
    context = frame.desk_context(request, state, "players", crowds=crowds_of(state), tick_all=tick_all, refused=refused)
    return responses.show(request, "desk/crowds.html", context, status=status)
