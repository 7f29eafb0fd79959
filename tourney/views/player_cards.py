"""Cards of players: the personal link, opened on a phone or issued at the desk."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from tourney import access
from tourney.actions import player_cards
from tourney.domain.keys import hash_of
from tourney.models import PlayerCard
from tourney.queries.state import state_of
from tourney.views import frame, shell
from tourney.views.addresses import hold_card, is_local, qr_code


@require_safe
def card(request: HttpRequest, key: str) -> HttpResponse:
    """A personal link: from now on this device is the player's, and the key leaves the address bar."""
    found = get_object_or_404(PlayerCard.objects.select_related("player__store"), key_hash=hash_of(key))
    store = found.player.store
    messages.success(request, f"This device is now the card of {found.player} at {store.name}.")
    return hold_card(redirect("my_fleets", store.slug), store, key)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def player_card(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Issue the card of a player: shown once, as a QR code and an address. The one before stops working."""
    event = access.event_for(request, slug, *access.ORGANIZERS)
    state = state_of(event)
    if number not in state.by_number:
        raise Http404
    entrant = state.by_number[number]
    context = {"entrant": entrant, "has_card": player_cards.has_card(entrant.player), "is_local": is_local(request)}
    if request.method == "POST":
        key = player_cards.issue(entrant.player, by=shell.stamp(request))
        address = request.build_absolute_uri(reverse("card", args=[key]))
        context |= {"address": address.split("://", 1)[1], "link": address, "code": qr_code(address)}
    return shell.show(request, "desk/card.html", frame.desk_context(request, state, "players", **context))
