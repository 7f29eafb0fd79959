"""All players of a store: two who are one, and those who want to be erased."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tourney import access
from tourney.actions import store_players as actions
from tourney.actions.record import Refused
from tourney.forms.store_players import EraseForm, MergeForm
from tourney.models import Player, Store
from tourney.queries.players import merge_of, merges_of, person_of, players_at, preview_of
from tourney.runtime.messages import message
from tourney.views import responses

PLAYERS_PER_PAGE = 100
SORTS = (("", message("By name")), ("last", message("Latest first")), ("events", message("Most events first")))


@login_required
@require_safe
def store_players(request: HttpRequest, slug: str) -> HttpResponse:
    """Everybody who ever registered, A–Z or as it is sorted, and the merges that can be undone."""
    store = access.store_for(request, slug, *access.ORGANIZERS)
    text = " ".join(request.GET.get("q", "").replace("\0", "").split())
    sort = request.GET.get("sort", "")
    sort = sort if sort in dict(SORTS) else ""
    page = Paginator(players_at(store, text, sort), PLAYERS_PER_PAGE).get_page(request.GET.get("page"))
    context = responses.store_context(
        request, store, section="players", page=page, text=text, sort=sort, sorts=SORTS, merges=merges_of(store)
    )
    return responses.show(request, "store/players.html", context, parts=("found",))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def merge_players(request: HttpRequest, slug: str, player: int) -> HttpResponse:
    """Choose who else this player is; see what would happen; do it."""
    store = access.store_for(request, slug, *access.ORGANIZERS)
    kept = _player(store, player)
    if request.method != "POST":
        form = MergeForm(request.GET if "other" in request.GET else None, player=kept)
        return _merge_page(request, kept, form, status=422 if form.errors else 200)
    form = MergeForm(request.POST, player=kept)
    if not form.is_valid():
        return _merge_page(request, kept, form, status=422)
    other = form.cleaned_data["other"]
    try:
        actions.merge(kept, other, by=responses.actor_of_request(request))
    except Refused as error:
        return _merge_page(request, kept, form, refused=error.reasons, status=409)
    messages.success(
        request,
        str(message("{other} is now merged into {player}. You can undo it below.", other=str(other), player=str(kept))),
    )
    return redirect("store_players", slug)


@login_required
@require_POST
def undo_merge(request: HttpRequest, slug: str, merge: int) -> HttpResponse:
    """Take a merge of two players back."""
    store = access.store_for(request, slug, *access.ORGANIZERS)
    row = access.found(merge_of(store, merge))
    try:
        actions.undo_merge(row, by=responses.actor_of_request(request))
    except Refused as error:
        return responses.refused(request, error, store=store, back=reverse("store_players", args=[slug]))
    messages.success(
        request, str(message("{other} and {player} are two players again.", other=str(row.other), player=str(row.kept)))
    )
    return redirect("store_players", slug)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def erase_player(request: HttpRequest, slug: str, player: int) -> HttpResponse:
    """Forget a player who asked for it and has no phone."""
    store = access.store_for(request, slug, *access.OWNERS)
    found = _player(store, player)
    form = EraseForm(responses.posted(request), player=found)
    if not form.is_valid():
        context = responses.store_context(request, store, section="players", player=found, form=form)
        return responses.show(request, "store/erase_player.html", context, status=422 if form.is_bound else 200)
    mark = actions.erase(found, by=responses.actor_of_request(request))
    messages.success(request, str(message("Personal data erased. The player now appears as “{mark}”.", mark=str(mark))))
    return redirect("store_players", slug)


def _player(store: Store, number: int) -> Player:
    """Somebody who can still be found to be another, or be erased."""
    player = access.found(person_of(store, number))
    player.store = store
    return player


def _merge_page(
    request: HttpRequest, kept: Player, form: MergeForm, *, refused: tuple[str, ...] = (), status: int = 200
) -> HttpResponse:
    preview = preview_of(kept, form.cleaned_data["other"]) if form.is_bound and form.is_valid() else None
    context = responses.store_context(
        request, kept.store, section="players", player=kept, form=form, preview=preview, refused=refused
    )
    return responses.show(request, "store/merge.html", context, status=status)
