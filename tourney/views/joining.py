"""How players get in: the page where they register themselves, and its QR code for the counter."""

from collections.abc import Sequence

from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods, require_safe

from tourney import access
from tourney.actions import attempts, joining
from tourney.actions.record import Refused
from tourney.domain.joining import LONGEST_WORD
from tourney.domain.places import why_no_sign_up
from tourney.forms.joining import JoinForm
from tourney.forms.regulars import ComeForm
from tourney.models import Entrant, Event, Player, Round
from tourney.queries.attempts import is_full
from tourney.queries.finding import queue_of
from tourney.queries.player_cards import are_words_of, has_card, is_key_of, was_here_before
from tourney.queries.players import person_of, player_called, similar_players
from tourney.queries.regulars import fleets_to_bring, remembered
from tourney.queries.state import EventState, state_of
from tourney.runtime.messages import Message, message
from tourney.views import responses, throttle
from tourney.views.addresses import (
    card_cookie_options,
    card_link,
    for_phones,
    hold_card,
    is_out_of_reach,
    qr_code,
    typed,
    with_word,
)
from tourney.views.event import frame_context

FRIEND = "card-for-a-friend"
FRIEND_SECONDS = 300
WORDS = "recovery-words"
MOST_WORDS = 40
"""Wrong ones from one address in ten minutes: some for each of a full store behind one Wi-Fi."""
MOST_NAMES = 40
"""So many similar names are shown to one address in ten minutes: some for each of a full store behind one Wi-Fi."""
TOO_MANY_WORDS = message(
    "Too many wrong join codes from this network. Ask at the counter, or try again in ten minutes."
)


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """Register oneself; afterwards, with ?in=number, the page that says so."""
    event = access.event_for(request, slug)
    state = state_of(event, public=True)
    if request.method != "POST":
        entrant = _entrant(state, request.GET.get("in", ""))
        return _joined(request, state, entrant) if entrant else _show(request, state, _form(request, event))
    form = _form(request, event, request.POST)
    if again := joining.joined_before(event, form.key, form.typed_name, by=responses.actor_of_request(request)):
        return _with_card(request, again)
    if reasons := _why_not(state):
        return _show(request, state, form, reasons=reasons, status=409)
    if _guesses_words(request, form):
        return throttle.say_when(_show(request, state, form, busy=TOO_MANY_WORDS, status=429))
    if not form.is_valid():
        _note_wrong_word(request, form)
        return _show(request, state, form, status=422)
    similar = _similar(request, form)
    same = next((one for one in similar if request.POST.get("same") == str(one.pk)), None)
    if similar and not same and request.POST.get("same") != "new":
        return _show(request, state, form, similar=similar, status=409)
    return _register(request, state, form, same)


def _register(request: HttpRequest, state: EventState, form: JoinForm, same: Player | None) -> HttpResponse:
    """Who filled in the form is in, as the player who is the `same`, or else by the name that was typed."""
    event, (name, faction) = state.event, form.person
    if same:
        name = access.found(person_of(event.store, same.pk)).name
    try:
        joined = joining.join(
            event,
            (name, faction),
            by=responses.actor_of_request(request),
            sender=sender_of(request, event),
            key=form.key,
            is_known=form.is_known,
        )
    except joining.TooMany as error:
        response = _show(request, state, form, busy=str(error), status=429)
        response["Retry-After"] = str(error.seconds)
        return response
    except Refused as error:
        return _show(request, state, form, reasons=error.reasons, status=409)
    if joined.entrant is None:
        return _show(request, state, form, already=_as_registered(state, joined.already), status=409)
    return _with_card(request, joined)


@require_safe
def qr(request: HttpRequest, slug: str) -> HttpResponse:
    """The addresses of the event for phones, large enough for the counter, on the screen and on paper.

    Tonight's word stands on it, and in the code, for who is signed in at the desk: anybody may open this page.
    """
    event = access.event_for(request, slug)
    responses.speak_as_store(event.store)
    state = state_of(event)
    word = event.join_word if access.role_at(request, event.store) in access.DESK else ""
    names = ["event"] if _why_not(state) else ["join", "event"]
    codes = [(name, *_code(request, name, event, word)) for name in names]
    context = frame_context(request, state, "qr", codes=codes, word=word, is_local=is_out_of_reach(request))
    return responses.show(request, "event/qr.html", context)


def _form(request: HttpRequest, event: Event, data: QueryDict | None = None) -> JoinForm:
    return JoinForm(
        data,
        event=event,
        holder=access.player_at(request, event.store),
        is_staff=access.role_at(request, event.store) in access.DESK,
        initial={"word": request.GET.get("word", "")[:LONGEST_WORD]},
    )


def sender_of(request: HttpRequest, event: Event) -> joining.Sender:
    """Where a form came from. The browser is told from others at its address by its name and by the cookie that
    every form needs.
    """
    cookie = request.COOKIES.get(settings.CSRF_COOKIE_NAME, "")
    return joining.sender_of(event, throttle.address_of(request), f"{request.headers.get('User-Agent', '')} {cookie}")


def _similar(request: HttpRequest, form: JoinForm) -> list[Player]:
    """Whom the name may mean, as everybody reads it. Who asks for many names is asked nothing more."""
    if form.is_known:
        return []
    found = similar_players(form.event.store, form.typed_name, in_public=True)
    answers = {"new", *(str(one.pk) for one in found)}
    who = f"names {form.event.pk} {throttle.address_of(request)}"
    asks = found and request.POST.get("same") not in answers
    if asks and not attempts.count(who, MOST_NAMES, timezone.now()):
        return []
    return found


def _guesses_words(request: HttpRequest, form: JoinForm) -> bool:
    """Whether too many wrong words came from there, so that not even the right one is looked at."""
    if "word" not in form.fields or form.is_known:
        return False
    return is_full({_who_guesses(request, form.event): MOST_WORDS}, timezone.now())


def _note_wrong_word(request: HttpRequest, form: JoinForm) -> None:
    if form.guessed_word:
        attempts.count(_who_guesses(request, form.event), MOST_WORDS, timezone.now())


def _who_guesses(request: HttpRequest, event: Event) -> str:
    return f"word {event.pk} {throttle.address_of(request)}"


def show_again(request: HttpRequest, state: EventState, mine: ComeForm) -> HttpResponse:
    """The page, on which something is wrong with the form of the player whose card the phone holds."""
    return _show(request, state, _form(request, state.event), mine=mine, status=422)


def _show(
    request: HttpRequest,
    state: EventState,
    form: JoinForm,
    *,
    reasons: tuple[Message | str, ...] = (),
    already: str = "",
    busy: Message | str = "",
    mine: ComeForm | None = None,
    similar: Sequence[Player] = (),
    status: int = 200,
) -> HttpResponse:
    """The form, with a shorter one for who has a card; or, where nobody can join, why not and what to do."""
    context = frame_context(
        request,
        state,
        "join",
        form=form,
        **_again(form, state, mine),
        closed=reasons or _why_not(state),
        already=already,
        similar=similar,
        busy=busy,
        is_full=state.is_full,
        declared=sorted({entrant.faction for entrant in state.entrants if entrant.faction}),
        when=_when(state),
    )
    return responses.show(request, "event/join.html", context, status=status)


def _again(form: JoinForm, state: EventState, mine: ComeForm | None) -> dict[str, object]:
    """What a player with a card, who is not in the event yet, joins with: the form as it was sent, or as last time."""
    player, event = form.holder, form.event
    if player is None or player.pk in state.by_player:
        return {}
    last = remembered(player)
    faction = last.faction_at(event)
    initial = {"faction": faction, "fleet": str(last.fleet.pk) if last.fleet else ""}
    return {
        "player": player,
        "mine": mine or ComeForm(event=event, fleets=fleets_to_bring(player), initial=initial),
        "no_longer": last.last_faction if faction is None else "",
    }


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
        has_card=has_card(entrant.player),
        was_here_before=was_here_before(entrant),
        queue=queue_of(state, entrant),
        when=_when(state),
        words=_words_to_show(request, entrant) if is_mine or key else "",
        **(card_link(request, key) if key else {}),
    )
    response = responses.show(request, "event/joined.html", context)
    response["Cache-Control"] = "no-store"
    for name in (FRIEND, WORDS):
        response.delete_cookie(name, path=request.path, samesite="Lax")
    return response


def _with_card(request: HttpRequest, joined: joining.Joined) -> HttpResponse:
    """To the page that says so. A new player gets a card: on this device if it is nobody's, else to take along.

    The key for a friend and the words of the card are not stored here: they go to that page in signed cookies of some
    minutes.
    """
    entrant, key = access.found(joined.entrant), joined.card_key
    mine = access.player_at(request, entrant.event.store)
    path = reverse("join", args=[entrant.event.slug])
    response = redirect(f"{path}?in={entrant.number}")
    if not key or mine == entrant.player:
        return response
    if joined.words:
        _send_along(response, WORDS, joined.words.replace(" ", "-"), path)
    if mine is None:
        return hold_card(response, entrant.event.store, key)
    _send_along(response, FRIEND, key, path)
    return response


def _send_along(response: HttpResponse, name: str, value: str, path: str) -> None:
    response.set_signed_cookie(name, value, salt=path, max_age=FRIEND_SECONDS, path=path, **card_cookie_options())


def _words_to_show(request: HttpRequest, entrant: Entrant) -> str:
    """The words of the card that was just made, as long as they bring back the card of that player."""
    sent = request.get_signed_cookie(WORDS, default="", salt=request.path, max_age=FRIEND_SECONDS)
    words = (sent or "").replace("-", " ")
    entrant.player.store = entrant.event.store
    return words if words and are_words_of(entrant.player, words) else ""


def _key_for_a_friend(request: HttpRequest, entrant: Entrant) -> str:
    """The key that this device is to hand on, as long as it opens the card of that player."""
    key = request.get_signed_cookie(FRIEND, default="", salt=request.path, max_age=FRIEND_SECONDS)
    return key if key and is_key_of(entrant.player, key) else ""


def _as_registered(state: EventState, name: str) -> str:
    """What everybody calls the player now who has that name, or had it."""
    player = player_called(state.event.store, name)
    known_as = {entrant.player_id: entrant.player.name for entrant in state.entrants}
    return known_as.get(player.person.pk, name) if player else name


def _entrant(state: EventState, number: str) -> Entrant | None:
    return state.by_number.get(int(number)) if number.isascii() and number.isdecimal() and len(number) < 8 else None


def _why_not(state: EventState) -> tuple[Message, ...]:
    """Why nobody can join by this page now."""
    if state.is_finished:
        return (message("This event is finished."),)
    if state.event.is_canceled:
        return (message("This event is canceled."),)
    if reasons := why_no_sign_up(state.event.registration_open, state.event.sign_up_closes_at, timezone.now()):
        return reasons
    if len(state.public_rounds) >= state.event.rounds_planned:
        return (message("The last round is already paired."),)
    return ()


def _when(state: EventState) -> Message | str:
    """From which round on somebody who joins now is paired, as a sentence; nothing as long as no round is drawn."""
    if not state.rounds:
        return ""
    number = len(state.rounds)
    if state.rounds[-1].state != Round.State.DRAFT:
        return message(
            "Round {number} is already paired, so you play from round {next} on.", number=number, next=number + 1
        )
    if number >= state.event.rounds_planned:
        return message("The last round is being paired. Ask at the counter whether you can still play.")
    return message(
        "Round {number} is being paired. If you’re not in it, you play from round {next} on.",
        number=number,
        next=number + 1,
    )


def _code(request: HttpRequest, name: str, event: Event, word: str) -> tuple[str, SafeString]:
    """The short address, which people type, and the page's own as a QR code; that to join brings tonight's word."""
    address = for_phones(request, event, name)
    code = qr_code(with_word(address, word) if name == "join" else address)
    return typed(for_phones(request, event, name, short=True)), code
