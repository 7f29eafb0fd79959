"""The guide inside the product: its pages and its search. Anyone may read it; the database is asked for nothing."""

from hashlib import sha256

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language
from django.views.decorators.http import condition, require_safe

from tourney import access
from tourney.domain.guide import PAGES
from tourney.queries import guide as guides
from tourney.views import responses

LONGEST = 100


def _etag(request: HttpRequest, page: str = PAGES[0]) -> str | None:
    """The same for all who are not signed in, until an update; none for others, whose page says so."""
    if request.user.is_authenticated or messages.get_messages(request):
        return None
    key = repr((responses.build_id(), request.get_full_path(), get_language()))
    return f'W/"{sha256(key.encode()).hexdigest()[:20]}"'


@require_safe
@condition(etag_func=_etag)
def guide(request: HttpRequest, page: str = PAGES[0]) -> HttpResponse:
    """A page of the guide; with ?q=, where its words stand in all of them."""
    language = get_language() or guides.WRITTEN_IN
    found = access.found(guides.page_of(page, language))
    words = request.GET.get("q", "").strip()[:LONGEST]
    context = {
        "page": found,
        "pages": guides.pages_in(language),
        "is_translated": found.language == language,
        "words": words,
        "found": guides.search(words, language) if words else (),
    }
    response = render(request, "help/page.html", context)
    response["Cache-Control"] = "no-cache, private"
    patch_vary_headers(response, ("Cookie",))
    return response
