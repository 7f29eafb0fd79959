"""What a device is told while Flagship is closed: chosen on the device, for a player's card or a role at the store."""

from collections.abc import Collection
from typing import Any

from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import LogoutView
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.utils import timezone, translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tourney import access
from tourney.models import Membership, PlayerCard, Store
from tourney.sharing.actions import push
from tourney.sharing.domain.push import LONGEST_SITE, OF_PLAYERS, OF_STAFF, TITLES, PushKind
from tourney.sharing.forms.push import PushForm
from tourney.sharing.queries.push import card_at, membership_of
from tourney.views import responses
from tourney.views.addresses import reachable
from tourney.views.event import night_bar

IN_SESSION = "push-endpoint"
"""Where the session keeps which browser is told while it lasts."""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def my_notifications(request: HttpRequest, slug: str) -> HttpResponse:
    """For the player whose card this device holds: a table, a place."""
    player = access.player_or_404(request, slug)
    if request.method == "POST":
        responses.actor_of_player(player)  # one step of a card, of which there are only so many
        key = request.COOKIES[access.card_cookie(player.store)]
        return _chosen(request, access.found(card_at(key)), OF_PLAYERS)
    return _shown(request, player.store, OF_PLAYERS, section="me", **night_bar(request, player.store, "card"))


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def staff_notifications(request: HttpRequest, slug: str) -> HttpResponse:
    """For who has a role at the store: a judge is called."""
    store = access.store_for(request, slug, *access.DESK)
    if request.method == "POST":
        return _chosen(request, access.found(membership_of(request.user.pk, store)), OF_STAFF)
    return _shown(request, store, OF_STAFF, section="notifications")


class SignOut(LogoutView):
    """Who signs out is told nothing more on this device."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:  # type: ignore[override]
        """End what it is told, then the session."""
        push.end_for_staff(request.session.get(IN_SESSION, ""))
        return super().post(request, *args, **kwargs)


def _shown(request: HttpRequest, store: Store, kinds: Collection[PushKind], **more: object) -> HttpResponse:
    choices = [(kind, TITLES[kind]) for kind in kinds]
    context = responses.store_context(request, store, choices=choices, key=push.ensure_key().public, **more)
    return responses.show(request, "share/notifications.html", context, parts={"notifications"})


def _chosen(request: HttpRequest, holder: PlayerCard | Membership, kinds: Collection[PushKind]) -> HttpResponse:
    """The device is told these from now on; what it is told, or why not, in one sentence."""
    form = PushForm(request.POST, kinds=kinds)
    if not form.is_valid():
        return JsonResponse({"why": next(iter(form.errors.values()))[0]}, status=422)
    facts = dict(form.cleaned_data)
    chosen = facts.pop("kinds")
    site = reachable(request, "/")[:LONGEST_SITE]
    browser = push.Browser(**facts, language=translation.get_language() or "", site=site)
    push.listen_for(holder, browser, chosen, at=timezone.now())
    if isinstance(holder, Membership):
        request.session[IN_SESSION] = browser.endpoint
    return JsonResponse({"kinds": sorted(chosen)})
