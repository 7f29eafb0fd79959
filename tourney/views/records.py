"""Public pages about a player over all months, and about two players against each other."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from tourney import access
from tourney.queries.head_to_head import duel_of
from tourney.queries.players import player_of, players_of
from tourney.queries.records import record_of
from tourney.views import responses


@require_safe
def store_player(request: HttpRequest, slug: str, player: int) -> HttpResponse:
    """A player's months, opponents and seasons; an older name leads to the person."""
    store = access.store_for(request, slug)
    found = access.found(player_of(store, player))
    if found.merged_into:
        return redirect("store_player", slug, found.person.pk)
    record = access.found(
        record_of(
            found,
            viewer=access.player_at(request, store),
            sees_all=access.role_at(request, store) in access.DESK,
            page=request.GET.get("page"),
            all_opponents=request.GET.get("opponents") == "all",
        )
    )
    context = responses.store_context(request, store, section="player", record=record, player=record.player)
    return responses.show(request, "store/player.html", context)


@require_safe
def head_to_head(request: HttpRequest, slug: str, player: int, other: int) -> HttpResponse:
    """Every meeting of two players."""
    store = access.store_for(request, slug)
    people = players_of(store, {player, other})
    one, two = access.found(people.get(player)), access.found(people.get(other))
    if one.merged_into or two.merged_into:
        return redirect("head_to_head", slug, one.person.pk, two.person.pk)
    if one == two:
        return redirect("store_player", slug, one.pk)
    duel = duel_of(one, two)
    access.found_or_404(duel)
    context = responses.store_context(request, store, section="player", duel=duel)
    return responses.show(request, "store/head_to_head.html", context)
