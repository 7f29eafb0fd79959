"""How players get in: the page where they register themselves, and its QR code for the counter."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods, require_safe

from tourney import access
from tourney.actions import entrants, player_cards
from tourney.actions.record import Refused
from tourney.forms.joining import JoinForm
from tourney.models import Entrant, Round
from tourney.queries.state import EventState, state_of
from tourney.views import shell
from tourney.views.addresses import card_link, hold_card, is_local, only_ours, qr_code
from tourney.views.event import frame_context

FRIEND = "card-for-a-friend"
FRIEND_SECONDS = 300


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """Register oneself; afterwards, with ?in=number, the page that says so."""
    event = access.event_for(request, slug)
    state = state_of(event, public=True)
    if request.method != "POST":
        entrant = _entrant(state, request.GET.get("in", ""))
        return _joined(request, state, entrant) if entrant else _show(request, state, JoinForm(event=event))
    form = JoinForm(request.POST, event=event)
    if reasons := _why_not(state):
        return _show(request, state, form, reasons=reasons, status=409)
    if not form.is_valid():
        return _show(request, state, form, status=422)
    try:
        registered = entrants.register(event, [form.person], by=shell.stamp(request), by_self=True)
    except Refused as error:
        return _show(request, state, form, reasons=error.reasons, status=409)
    if registered.already:
        return _show(request, state, form, already=_as_registered(state, registered.already[0]), status=409)
    return _with_card(request, registered.entrants[0])


@require_safe
def qr(request: HttpRequest, slug: str) -> HttpResponse:
    """The addresses of the event for phones, large enough for the counter, on the screen and on paper."""
    event = access.event_for(request, slug)
    state = state_of(event)
    names = ["event"] if _why_not(state) else ["join", "event"]
    codes = [(name, *_code(request.build_absolute_uri(reverse(name, args=[slug])))) for name in names]
    context = frame_context(request, state, "qr", codes=codes, is_local=is_local(request))
    return shell.show(request, "event/qr.html", context)


def _show(
    request: HttpRequest,
    state: EventState,
    form: JoinForm,
    *,
    reasons: tuple[str, ...] = (),
    already: str = "",
    status: int = 200,
) -> HttpResponse:
    """The form; or, where nobody can join, why not and what to do."""
    context = frame_context(
        request,
        state,
        "join",
        form=form,
        closed=reasons or _why_not(state),
        already=already,
        declared=sorted({entrant.faction for entrant in state.entrants if entrant.faction}),
        when=_when(state),
    )
    return shell.show(request, "event/join.html", context, status=status)


def _joined(request: HttpRequest, state: EventState, entrant: Entrant) -> HttpResponse:
    """The page that says so: with the card that is this phone's, or once with the one for a friend's phone."""
    is_mine = access.player_at(request, state.event.store) == entrant.player
    key = "" if is_mine else _key_for_a_friend(request, entrant)
    context = frame_context(
        request,
        state,
        "join",
        entrant=entrant,
        name=entrant.player.full_name if is_mine or key else entrant.player.name,
        is_mine=is_mine,
        has_card=player_cards.has_card(entrant.player),
        was_here_before=player_cards.was_here_before(entrant),
        when=_when(state),
        **(card_link(request, key) if key else {}),
    )
    response = shell.show(request, "event/joined.html", context)
    response["Cache-Control"] = "no-store"
    response.delete_cookie(FRIEND, path=request.path, samesite="Lax")
    return response


def _with_card(request: HttpRequest, entrant: Entrant) -> HttpResponse:
    """To the page that says so. A new player gets a card: on this device if it is nobody's, else to take along.

    Who played here before gets theirs at the counter: a name alone proves nothing.

    The key for a friend is not stored here: it goes to that page in a signed cookie of some minutes.
    """
    event, player = entrant.event, entrant.player
    mine = access.player_at(request, event.store)
    path = reverse("join", args=[event.slug])
    response = redirect(f"{path}?in={entrant.number}")
    if mine == player or player_cards.has_card(player) or player_cards.was_here_before(entrant):
        return response
    key = player_cards.issue(player, by=shell.stamp(request))
    if mine is None:
        return hold_card(response, event.store, key)
    response.set_signed_cookie(FRIEND, key, salt=path, max_age=FRIEND_SECONDS, path=path, **only_ours())
    return response


def _key_for_a_friend(request: HttpRequest, entrant: Entrant) -> str:
    """The key that this device is to hand on, as long as it opens the card of that player."""
    key = request.get_signed_cookie(FRIEND, default="", salt=request.path, max_age=FRIEND_SECONDS)
    return key if key and player_cards.is_key_of(entrant.player, key) else ""


def _as_registered(state: EventState, name: str) -> str:
    """What everybody calls the player now who has that name, or had it."""
    player = state.event.store.players.filter(name__iexact=name).select_related("merged_into").first()
    known_as = {entrant.player_id: entrant.player.name for entrant in state.entrants}
    return known_as.get(player.person.pk, name) if player else name


def _entrant(state: EventState, number: str) -> Entrant | None:
    return state.by_number.get(int(number)) if number.isascii() and number.isdecimal() and len(number) < 8 else None


def _why_not(state: EventState) -> tuple[str, ...]:
    """Why nobody can join by this page now."""
    if state.is_finished:
        return ("This event is finished.",)
    if not state.event.registration_open:
        return ("Registration is closed.",)
    if len(state.public_rounds) >= state.event.rounds_planned:
        return ("The last round is already drawn.",)
    return ()


def _when(state: EventState) -> str:
    """From which round on somebody who joins now is paired, as a sentence; nothing as long as no round is drawn."""
    if not state.rounds:
        return ""
    number = len(state.rounds)
    if state.last_round.state != Round.State.DRAFT:
        return f"Round {number} is already drawn, so you are paired from round {number + 1} on."
    if number >= state.event.rounds_planned:
        return f"Round {number}, the last one, is being drawn. Ask at the counter whether you can still play."
    return f"Round {number} is being drawn. If you are not in it, you are paired from round {number + 1} on."


def _code(address: str) -> tuple[str, SafeString]:
    """The address as people type it, and as a QR code."""
    return address.split("://", 1)[1].rstrip("/"), qr_code(address)
