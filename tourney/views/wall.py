"""The wall: a page for the screens in the room, without anything to press. What is not published is not here."""

from base64 import b32encode
from hmac import compare_digest

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.views.decorators.http import require_safe

from tourney import access
from tourney.models import Event
from tourney.queries import public
from tourney.queries import wall as screens
from tourney.queries.calendars import next_event_of
from tourney.queries.clock import clock_shown
from tourney.queries.shared import shared_state
from tourney.queries.state import EventState
from tourney.runtime.messages import message
from tourney.views import responses
from tourney.views.addresses import for_phones, is_out_of_reach, qr_code, typed, with_word
from tourney.views.event import ranks_context

LOOKS = ("light", "dark")


@require_safe
@responses.live()
def wall(request: HttpRequest, event: Event) -> HttpResponse:
    """Where the night stands; ?show=pairings,clock (or each on its own) for some panels only, ?look=dark for
    one look of two; ?screen=code where tonight's word may be shown."""
    responses.speak_as_store(event.store)
    state = shared_state(event)
    look = request.GET.get("look")
    context = responses.event_context(
        request,
        state.event,
        look=look if look in LOOKS else "",
        tag=responses.live_tag(request, event, "wall"),
        **wall_context(request, state),
    )
    context |= asked_context(context, ",".join(request.GET.getlist("show")))
    return responses.show(request, "wall/wall.html", context, parts=("wall",))


def asked_context(context: dict[str, object], asked: str) -> dict[str, object]:
    """What the address asks for, of the screen that the rest of the context is about."""
    panels = screens.panels_of(asked, str(context["moment"]))
    place = screens.code_place(asked, panels, is_announced=bool(context["announced"]))
    shown = place if context["code"] else ""
    keeps, is_alone = shown == "side", "clock" not in panels
    return {
        "panels": panels,
        "code_place": shown,
        "side_class": f"{'keeps-code' if keeps else ''} {'wall-side-code' if is_alone else ''}".strip(),
    }


def wall_context(request: HttpRequest, state: EventState) -> dict[str, object]:
    """What `wall/screen.html` shows, whichever panels it is asked for."""
    situation = public.situation_of(state)
    moment, round = screens.moment_of(situation), situation.round
    registered = state.memoized("registered", lambda: screens.registered(state))
    return {
        "state": state,
        "situation": situation,
        "moment": moment,
        "round": round,
        "clock": clock_shown(state, round),
        "names": state.memoized(("names", round.number), lambda: public.names_in(round)) if round else [],
        "registered": registered,
        "here": sum(entrant.checked_in for entrant in registered),
        "next_event": next_event_of(state.event) if moment == "finished" else None,
        "code": None if is_out_of_reach(request) else _code(request, state, moment),
        **ranks_context(state, len(state.complete_rounds)),
    }


def _code(request: HttpRequest, state: EventState, moment: str) -> dict[str, object]:
    """The address for phones: to join before the start, afterwards to the own table."""
    is_to_join = moment == "before" and state.event.takes_sign_ups(timezone.now())
    address = for_phones(request, state.event, "join" if is_to_join else "event", short=True)
    host, _, path = typed(address).partition("/")
    word = state.event.join_word if is_to_join and _is_in_the_room(request, state.event) else ""
    return {
        "title": message("Join") if is_to_join else message("My table"),
        "address": typed(address),
        "host": host,
        "path": path,
        "svg": qr_code(with_word(address, word)),
        "word": word,
    }


def _is_in_the_room(request: HttpRequest, event: Event) -> bool:
    """Whether staff is signed in there, or the address has the event's screen code: the plain one is public."""
    asked = request.GET.get("screen", "").encode(errors="replace")
    return compare_digest(asked, screen_code(event).encode()) or access.role_at(request, event.store) in access.DESK


def screen_code(event: Event) -> str:
    """Eight letters and digits in the address of a screen in the room, which may then show tonight's word."""
    return b32encode(salted_hmac("screen", str(event.pk), algorithm="sha256").digest()[:5]).decode().lower()
