"""What a device is told while Flagship is closed: chosen on the device, for a player's card or a role at the store."""

from collections.abc import Collection

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone, translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tourney import access
from tourney.models import Membership, PlayerCard, Store
from tourney.sharing.actions import push
from tourney.sharing.domain.push import OF_PLAYERS, OF_STAFF, TITLES, PushKind
from tourney.sharing.forms.push import PushForm
from tourney.sharing.queries.push import card_at, membership_of
from tourney.views import responses
from tourney.views.addresses import site_of
from tourney.views.event import night_bar


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def my_notifications(request: HttpRequest, slug: str) -> HttpResponse:
    """For the player whose card this device holds: a table, a place."""
    player = access.player_or_404(request, slug)
    card = access.found(card_at(request.COOKIES[access.card_cookie(player.store)]))
    if request.method == "POST":
        responses.actor_of_player(player)  # one step of a card, of which there are only so many
        return _chosen(request, card, OF_PLAYERS)
    more = night_bar(request, player.store, "card")
    return _shown(request, player.store, f"card {card.pk}", OF_PLAYERS, section="me", player=player, **more)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def staff_notifications(request: HttpRequest, slug: str) -> HttpResponse:
    """For who has a role at the store: a judge is called."""
    store = access.store_for(request, slug, *access.DESK)
    role = membership_of(request.user.pk, store)
    if request.method == "POST":
        return _chosen(request, access.found(role), OF_STAFF)
    return _shown(request, store, f"role {role.pk}" if role else "", OF_STAFF, section="notifications")


def _shown(
    request: HttpRequest, store: Store, holder: str, kinds: Collection[PushKind], **more: object
) -> HttpResponse:
    """The switches; the device remembers them for that holder alone."""
    choices = [(kind, TITLES[kind]) for kind in kinds]
    key = push.ensure_key().public
    context = responses.store_context(request, store, choices=choices, key=key, holder=holder, **more)
    return responses.show(request, "share/notifications.html", context, parts={"notifications"})


def _chosen(request: HttpRequest, holder: PlayerCard | Membership, kinds: Collection[PushKind]) -> HttpResponse:
    """The device is told these from now on; what it is told, or why not, in one sentence."""
    form = PushForm(request.POST, kinds=kinds)
    if not form.is_valid():
        return JsonResponse({"why": next(iter(form.errors.values()))[0]}, status=422)
    facts = dict(form.cleaned_data)
    chosen = facts.pop("kinds")
    session = request.session.session_key if isinstance(holder, Membership) else None
    language = translation.get_language() or ""
    browser = push.Browser(**facts, language=language, site=site_of(request), session=session)
    push.listen_for(holder, browser, chosen, at=timezone.now())
    return JsonResponse({"kinds": sorted(chosen)})
