"""The catalogue for everyone: browse its cards, and read about one. Nobody signs in for it."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from fleets.catalogue import row_of
from tourney import access
from tourney.judge.queries.cards import browse, facts_of, own_mentioning
from tourney.models import Store
from tourney.views import responses


@require_safe
def browse_cards(request: HttpRequest) -> HttpResponse:
    """The cards that text and filters leave, page by page; `?at=` as on the page of a card."""
    query = request.GET.copy()
    query.pop("page", None)
    before = f"{query.urlencode()}&" if query else ""
    context = {"browsed": browse(request.GET), "query": before, **_at_store(request)}
    return responses.show(request, "judge/cards.html", context, parts=("found",))


@require_safe
def card_page(request: HttpRequest, number: int) -> HttpResponse:
    """One card: what is printed on it, its rules for building, and rulings that mention it.

    `?at=` is the store from whose pages somebody comes: its own rulings stand beside the published ones.
    """
    found = access.found(facts_of(number)) if number < 2**63 else access.found(None)
    context = {"facts": found, **_at_store(request)}
    if isinstance(store := context.get("store"), Store):
        context |= {"own": own_mentioning(store, found.hit.card.title)}
    return responses.show(request, "judge/card.html", context)


def _at_store(request: HttpRequest) -> dict[str, object]:
    """The store that `?at=` names, for the head of the page and for its links; nothing without it."""
    if slug := request.GET.get("at", "")[:60].replace("\0", ""):
        store = access.store_for(request, slug)
        return responses.store_context(
            request, store, section="cards", at=f"?at={store.slug}", and_at=f"&at={store.slug}"
        )
    return {}


@require_safe
def card_by_key(request: HttpRequest) -> HttpResponse:
    """Where a line of a fleet leads: the page of its card, as the catalogue has it."""
    row = access.found(row_of(request.GET.get("key", "")))
    at = f"?{urlencode({'at': slug})}" if (slug := request.GET.get("at", "")) else ""
    return redirect(reverse("card_page", args=[row.pk]) + at)
