"""The poster of a campaign: the page, and the drawing alone."""

import re
from functools import cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from tourney import access
from tourney.models import Campaign
from tourney.printing.domain.poster import PAPERS, SHAPES, Drawing, draw, sheets
from tourney.printing.queries.poster import poster_of
from tourney.runtime import locales
from tourney.views import responses

SYMBOL = re.compile(r'<symbol id="([\w-]+)".*?</symbol>', re.DOTALL)


@require_safe
def poster(request: HttpRequest, slug: str, campaign: str) -> HttpResponse:
    """The poster on the screen, to print, to save and to share."""
    found = access.campaign_for(request, slug, campaign)
    context = responses.store_context(request, found.store, **_drawn(request, found))
    return render(request, "campaign/poster.html", context)


@require_safe
def poster_svg(request: HttpRequest, slug: str, campaign: str) -> HttpResponse:
    """The drawing as a file."""
    found = access.campaign_for(request, slug, campaign)
    answer = render(request, "campaign/poster.svg", _drawn(request, found), content_type="image/svg+xml")
    answer["Content-Disposition"] = f'inline; filename="{found.slug}.svg"'
    return answer


def _drawn(request: HttpRequest, campaign: Campaign) -> dict[str, object]:
    """The poster, its drawing on the paper that is asked for, and the marks in it."""
    responses.speak_as_store(campaign.store)
    paper = request.GET.get("paper")
    paper = paper if paper in PAPERS else locales.paper_at(campaign.store.locale)
    shape = request.GET.get("shape")
    shape = shape if shape in SHAPES else ""
    content = poster_of(campaign, timezone.now())
    drawing = draw(content, sheets(paper, shape))
    return {
        "campaign": campaign,
        "poster": content,
        "drawing": drawing,
        "symbols": symbols_in(drawing),
        "paper": paper,
        "shape": "landscape" if drawing.is_landscape else "portrait",
    }


def symbols_in(drawing: Drawing) -> list[SafeString]:
    """Our marks that the drawing uses, to stand in it."""
    return [_symbols()[slug] for slug in sorted({mark.slug for mark in drawing.marks})]


@cache
def _symbols() -> dict[str, SafeString]:
    """Our marks, to stand in a drawing that goes out alone."""
    marks = (settings.BASE_DIR / "static/img/factions.svg").read_text()
    return {
        found[1]: mark_safe(found[0].replace(f'id="{found[1]}"', f'id="mark-{found[1]}"'))
        for found in SYMBOL.finditer(marks)
    }
