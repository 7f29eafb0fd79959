"""The wall: a page for the screens in the room, without anything to press. What is not published is not here."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from tourney.models import Event
from tourney.queries import public
from tourney.queries import wall as screens
from tourney.queries.clock import clock_of
from tourney.queries.state import EventState, shared_state
from tourney.views import shell
from tourney.views.addresses import is_local, qr_code, typed
from tourney.views.event import ranks_context

LOOKS = ("light", "dark")


@require_safe
@shell.live()
def wall(request: HttpRequest, event: Event) -> HttpResponse:
    """Where the night stands; ?show=pairings,clock (or each on its own) for some panels only, ?look=dark for
    one look of two."""
    state = shared_state(event)
    look = request.GET.get("look")
    context = shell.event_context(
        request,
        state.event,
        look=look if look in LOOKS else "",
        tag=shell.live_tag(request, event, "wall"),
        **wall_context(request, state),
    )
    context |= asked_context(context, ",".join(request.GET.getlist("show")))
    return shell.show(request, "wall/wall.html", context, parts=("wall",))


def asked_context(context: dict, asked: str) -> dict:
    """What the address asks for, of the screen that the rest of the context is about."""
    panels = screens.panels_of(asked, context["moment"])
    place = screens.code_place(asked, panels, is_announced=bool(context["announced"]))
    return {"panels": panels, "code_place": place if context["code"] else ""}


def wall_context(request: HttpRequest, state: EventState) -> dict:
    """What `wall/screen.html` shows, whichever panels it is asked for."""
    situation = public.situation_of(state)
    moment, round = screens.moment_of(situation), situation.round
    return {
        "state": state,
        "situation": situation,
        "moment": moment,
        "round": round,
        "clock": clock_of(round.row, state.event.minutes, timezone.now()) if round else None,
        "names": state.once(("names", round.number), lambda: public.names_in(round)) if round else [],
        "registered": state.once("registered", lambda: screens.registered(state)),
        "next_event": screens.next_event(state.event) if moment == "finished" else None,
        "code": None if is_local(request) else _code(request, state, moment),
        **ranks_context(state, len(state.complete_rounds)),
    }


def _code(request: HttpRequest, state: EventState, moment: str) -> dict:
    """The address for phones: to join before the start, afterwards to the own table."""
    is_to_join = moment == "before" and state.event.registration_open
    address = request.build_absolute_uri(reverse("join" if is_to_join else "event", args=[state.event.slug]))
    return {
        "title": "Join" if is_to_join else "My table",
        "address": typed(address),
        "svg": qr_code(address),
    }
