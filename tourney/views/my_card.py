"""The page of a player at a store, on the phone that holds the card: events, fleets, and what is kept of them."""

from datetime import datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from tourney import access
from tourney.actions import attempts, player_cards, store_players
from tourney.actions.record import Refused
from tourney.forms.player_cards import WordsForm
from tourney.forms.regulars import OwnFactionForm
from tourney.forms.store_players import EraseForm
from tourney.queries.months import days_until
from tourney.queries.my_card import MyEvent, events_of
from tourney.queries.my_data import data_of
from tourney.queries.player_cards import has_words
from tourney.queries.regulars import events_to_join, remembered, why_no_change
from tourney.runtime.messages import message
from tourney.views import responses, throttle
from tourney.views.addresses import card_link, hold_card, renew_card
from tourney.views.event import night_bar

MOST_TRIES = 10
"""Wrong words from one address in ten minutes."""
MOST_TRIES_OF_STORE = 100
"""From all addresses: with a thousand cards, who tries without a pause finds one in about forty years."""
TOO_MANY_TRIES = message("Too many wrong words. Ask at the counter for a new card, or try again in ten minutes.")
WRONG_WORDS = gettext_lazy("No card here has these words. Check each of them, or ask at the counter for a new card.")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def my_card(request: HttpRequest, slug: str) -> HttpResponse:
    """My events; with a POST also the code that makes another phone mine, or new words. Without a card: what one is."""
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
        **night_bar(request, store, "card"),
    )
    context["has_words"] = has_words(player)
    if request.POST.get("do") == "words":
        try:
            context["words"] = player_cards.make_words(player, by=responses.actor_of_player(player))
        except Refused as error:
            return responses.refused(request, error, store=store, back=request.path)
    elif request.method == "POST":
        context |= card_link(request, request.COOKIES[access.card_cookie(store)])
    return renew_card(request, responses.show(request, "store/my_card.html", context), store)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def lost_card(request: HttpRequest, slug: str) -> HttpResponse:
    """The card that four words bring back moves to this phone. Tries are counted before they are made."""
    store = access.store_for(request, slug)
    form = WordsForm(responses.posted(request))
    context = responses.store_context(request, store, section="me", form=form, player=access.player_at(request, store))
    if not form.is_valid():
        return responses.show(request, "store/lost_card.html", context, status=422 if form.is_bound else 200)
    now, address = timezone.now(), throttle.address_of(request)
    tried = attempts.reserve(
        {f"lost cards {store.pk}": MOST_TRIES_OF_STORE, f"lost card {store.pk} {address}": MOST_TRIES}, now
    )
    if tried is None:
        response = responses.show(request, "store/lost_card.html", context | {"busy": TOO_MANY_TRIES}, status=429)
        return throttle.say_when(response)
    found = player_cards.recover(store, form.cleaned_data["words"], at=now)
    if found is None:
        form.add_error("words", WRONG_WORDS)
        return responses.show(request, "store/lost_card.html", context, status=422)
    for counted in tried.values():
        attempts.uncount(counted)
    player, key = found
    done = message("This device now holds {player}’s card for {store}.", player=str(player), store=store.name)
    messages.success(request, str(done))
    return hold_card(redirect("my_card", slug), store, key)


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
def erase_me(request: HttpRequest, slug: str) -> HttpResponse:
    """The player's name becomes a mark, after it was typed once more."""
    player = access.player_or_404(request, slug)
    form = EraseForm(responses.posted(request), player=player)
    if not form.is_valid():
        context = responses.store_context(request, player.store, section="me", player=player, form=form)
        return responses.show(request, "store/erase_me.html", context, status=422 if form.is_bound else 200)
    mark = store_players.erase(player, by=responses.actor_of_player(player))
    messages.success(request, str(message("Your data is erased. You now appear as “{mark}”.", mark=str(mark))))
    response = redirect(player.store)
    response.delete_cookie(access.card_cookie(player.store), samesite="Lax")
    return response
