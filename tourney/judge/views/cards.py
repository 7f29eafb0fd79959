"""The catalogue for everyone: browse its cards, and read about one. Nobody signs in for it."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tourney import access
from tourney.judge.queries.cards import browse, facts_of
from tourney.views import responses


@require_safe
def browse_cards(request: HttpRequest) -> HttpResponse:
    """The cards that text and filters leave, page by page."""
    query = request.GET.copy()
    query.pop("page", None)
    before = f"{query.urlencode()}&" if query else ""
    context = {"browsed": browse(request.GET), "query": before}
    return responses.show(request, "judge/cards.html", context, parts=("found",))


@require_safe
def card_page(request: HttpRequest, number: int) -> HttpResponse:
    """One card: what is printed on it, its rules for building, and rulings that mention it."""
    found = access.found(facts_of(number)) if number < 2**63 else access.found(None)
    return responses.show(request, "judge/card.html", {"facts": found})
