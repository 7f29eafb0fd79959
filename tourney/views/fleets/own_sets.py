"""The sets that a player owns, kept with the card."""

from itertools import groupby

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from fleets.catalogue import known_sets
from tourney import access
from tourney.actions import player_cards
from tourney.queries.player_cards import cards_of
from tourney.runtime.messages import message
from tourney.views import responses
from tourney.views.event import night_bar


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def own_sets(request: HttpRequest, slug: str) -> HttpResponse:
    """All sets there are, those ticked that are the player's; saved, back to the fleet that asked, or to all."""
    player = access.player_or_404(request, slug)
    asked = (request.POST if request.method == "POST" else request.GET).get("back", "")
    back = asked if asked.isascii() and asked.isdecimal() and len(asked) < 10 else ""
    if request.method == "POST":
        player_cards.own_sets(player, request.POST.getlist("set"))
        messages.success(request, str(message("Sets saved.")))
        return redirect("fleet", slug, back) if back else redirect("my_fleets", slug)
    series = [(name, list(sets)) for name, sets in groupby(known_sets(), key=lambda one: one.series)]
    card = cards_of([player]).get(player.person.pk)
    owned = frozenset(card.sets if card else ())
    context = responses.store_context(request, player.store, player=player, series=series, owned=owned, back=back)
    context |= night_bar(request, player.store, "fleets")
    return responses.show(request, "fleets/sets.html", context)
