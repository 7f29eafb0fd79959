"""The page of a player at a store, on the phone that holds the card: events, fleets, and what is kept of them."""

from datetime import datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from tourney import access
from tourney.actions import store_players
from tourney.forms.regulars import OwnFactionForm
from tourney.forms.store_players import ForgetForm
from tourney.queries.months import days_until
from tourney.queries.my_card import MyEvent, events_of
from tourney.queries.my_data import data_of
from tourney.queries.regulars import events_to_join, remembered, why_no_change
from tourney.runtime.messages import message
from tourney.views import responses
from tourney.views.addresses import card_link, renew_card


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def my_card(request: HttpRequest, slug: str) -> HttpResponse:
    """My events; with a POST also the code that makes another phone mine. Without a card: what one is."""
    store = access.store_for(request, slug)
    player = access.player_at(request, store)
    if player is None:
        return responses.show(request, "store/my_card.html", responses.store_context(request, store, section="me"))
    now, last = timezone.now(), remembered(player)
    coming, past = events_of(player, now)
    context = responses.store_context(
        request,
        store,
        section="me",
        player=player,
        coming=[(mine, _own_faction(mine, now)) for mine in coming],
        past=past,
        last=last,
        to_join=events_to_join(player, last, now),
    )
    if request.method == "POST":
        context |= card_link(request, request.COOKIES[access.card_cookie(store)])
    return renew_card(request, responses.show(request, "store/my_card.html", context), store)


def _own_faction(mine: MyEvent, now: datetime) -> OwnFactionForm | None:
    """The form with which the player declares another faction; None once that is the desk's."""
    event = mine.entry.event
    is_over = days_until(event, now) < 0 or why_no_change(event)
    return None if is_over else OwnFactionForm(event=event, initial={"faction": mine.entry.faction})


@never_cache
@require_safe
def my_data(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything that is kept about the player at the store, as a file."""
    player = access.player_or_404(request, slug)
    response = JsonResponse(data_of(player, timezone.now()), json_dumps_params={"indent": 2, "ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="my-data-{slug}.json"'
    return response


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def forget_me(request: HttpRequest, slug: str) -> HttpResponse:
    """The player's name becomes a mark, after it was typed once more."""
    player = access.player_or_404(request, slug)
    form = ForgetForm(responses.posted(request), player=player)
    if not form.is_valid():
        context = responses.store_context(request, player.store, section="me", player=player, form=form)
        return responses.show(request, "store/forget_me.html", context, status=422 if form.is_bound else 200)
    mark = store_players.forget(player, by=responses.actor_of_player(player))
    messages.success(request, str(message("Your data is erased. You now appear as “{mark}”.", mark=str(mark))))
    response = redirect(player.store)
    response.delete_cookie(access.card_cookie(player.store), samesite="Lax")
    return response
