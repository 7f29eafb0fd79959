"""Rule 1.4 at the desk: everybody is asked for a faction before round 1, and who comes later before their first."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from tourney import access
from tourney.actions import entrants
from tourney.actions.record import Refused
from tourney.forms.entrants import DeclareForm
from tourney.forms.fields import sentences_of
from tourney.models import Entrant, Event
from tourney.queries.state import EventState
from tourney.runtime.alphabet import alphabetical
from tourney.views import responses


def asked_factions(state: EventState) -> dict[str, object]:
    """Whom the desk asks for a faction now, by name, and the factions declared so far, where those are typed."""
    if state.is_finished:
        return {"undeclared": []}
    asked = state.memoized("undeclared", lambda: sorted(state.without_faction, key=_by_name))
    declared = sorted({one.faction for one in state.entrants if one.faction}) if asked else []
    return {"undeclared": asked, "declared": declared}


def _by_name(entrant: Entrant) -> str:
    return alphabetical(entrant.player.name)


@login_required
@require_POST
def declare(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One press of the list: the faction that was chosen, or that the player plays without one."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    by = responses.actor_of_request(request)
    try:
        if "without" in (request.POST.get("do"), request.POST.get("faction")):
            entrants.play_without(event, number, by=by)
        else:
            form = DeclareForm(request.POST, rules=event.rules)
            if not form.is_valid():
                raise Refused(*sentences_of(form))
            entrants.change_faction(event, number, form.cleaned_data["faction"], by=by)
    except Refused as error:
        return _refused(request, event, error)
    return redirect(_back(request, event))


def _back(request: HttpRequest, event: Event) -> str:
    """The page where the list stands: that of the round it names, or else the desk."""
    number = request.POST.get("back", "")
    is_round = number.isascii() and number.isdigit() and len(number) < 3
    return reverse("round", args=[event.slug, int(number)]) if is_round else reverse("desk", args=[event.slug])


def _refused(request: HttpRequest, event: Event, error: Refused) -> HttpResponse:
    """A part of a page has no room for why: it goes to the page as it is now, with a message."""
    back = _back(request, event)
    if access.htmx_of(request):
        messages.warning(request, str(error))
        return HttpResponseClientRedirect(back)
    return responses.refused(request, error, store=event.store, event=event, back=back)
