"""Cards of players: the personal link, opened on a phone or issued at the desk."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tourney import access
from tourney.actions import player_cards
from tourney.actions.record import Refused
from tourney.queries.my_card import today_of
from tourney.queries.player_cards import card_with, has_card
from tourney.queries.state import state_of
from tourney.runtime.messages import message
from tourney.views import frame, responses, throttle
from tourney.views.addresses import card_link, hold_card, is_out_of_reach, speak


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@throttle.throttle_invalid_keys
def card(request: HttpRequest, key: str) -> HttpResponse:
    """A personal link: on a press of its button this device is the player's, and the key leaves the address bar.

    Looking changes nothing: apps that show what a link leads to open it too, and so does whom a link was sent to by
    another player. A device that is this card already goes straight on: to the player's event of today, else to the
    player's page at the store, which lists several.
    """
    opened = access.found(card_with(key))
    player = opened.player.person
    store = access.store_for(request, player.store.slug)
    mine = access.player_at(request, store)
    is_pressed = request.method == "POST"
    if mine != player and not is_pressed:
        return responses.show(
            request, "store/card_link.html", responses.store_context(request, store, mine=mine, player=player)
        )
    today = today_of(player, timezone.now())
    onwards = redirect("me", today[0].slug) if len(today) == 1 else redirect("my_card", store.slug)
    if not is_pressed:
        return onwards
    messages.success(
        request,
        str(message("This device now holds {player}’s card for {store}.", player=str(player), store=store.name)),
    )
    if opened.language and settings.LANGUAGE_COOKIE_NAME not in request.COOKIES:
        speak(onwards, opened.language)
    return hold_card(onwards, store, key)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def player_card(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Issue the card of a player: shown once, as a QR code and an address. The one before stops working."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    state = state_of(event)
    if number not in state.by_number:
        raise Http404
    entrant = state.by_number[number]
    context = {"entrant": entrant, "has_card": has_card(entrant.player), "is_local": is_out_of_reach(request)}
    if request.method == "POST":
        try:
            issued = player_cards.issue_with_words(entrant.player, by=responses.actor_of_request(request))
            context |= card_link(request, issued.key) | {"words": issued.words}
        except Refused as error:
            back = reverse("player", args=[slug, number])
            return responses.refused(request, error, store=event.store, event=event, back=back)
    return responses.show(request, "desk/card.html", frame.desk_context(request, state, "players", **context))
