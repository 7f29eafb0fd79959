"""My card at an event: what a player wants to know now, on the phone that holds the card."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from tourney import access
from tourney.models import Entrant, Event
from tourney.queries import public
from tourney.queries.clock import clock_of
from tourney.queries.finding import Found, place_of
from tourney.queries.fleets import fleet_of
from tourney.queries.sign_off import checks_of
from tourney.queries.state import EventState, shared_state
from tourney.views import shell
from tourney.views.event import frame_context


@require_safe
@shell.live()
def me(request: HttpRequest, event: Event) -> HttpResponse:
    """My table, my opponent's fleet, my fleet and my rank; without a card on this device, what a card is."""
    state = shared_state(event)
    player = access.player_at(request, event.store)
    tag = shell.live_tag(request, event, "card")
    context = frame_context(request, state, "me", player=player, tag=tag, **_now_context(state))
    if context["own"]:
        context |= _card_context(state, context["own"])
    return shell.show(request, "event/me.html", context, parts=("card",))


def _now_context(state: EventState) -> dict:
    situation = public.situation_of(state)
    round = situation.round
    return {
        "situation": situation,
        "round": round,
        "after": len(state.complete_rounds),
        "clock": clock_of(round.row, state.event.minutes, timezone.now()) if round else None,
    }


def _card_context(state: EventState, own: Entrant) -> dict:
    """The answer for this player, the own fleet, and what both say of the other's while they play."""
    place = place_of(state, own)
    match = place.match if place.kind == "table" else None
    checks = checks_of(state, [match]).get(match.table) if match else None
    return {
        "found": Found("", (place,)),
        "place": place,
        "fleet": fleet_of(state, own.number) if own.has_fleet else None,
        "mine": checks and checks.by(own.number),
        "theirs": checks and checks.about(own.number),
    }
