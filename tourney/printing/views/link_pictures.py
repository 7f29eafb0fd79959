"""The pictures that links to an event and a store show where somebody shares them."""

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from tourney import access
from tourney.models import Event
from tourney.printing.domain.link_pictures import Linked, draw_link
from tourney.printing.queries.link_pictures import link_to_event, link_to_store
from tourney.runtime.raster import png_of
from tourney.views import responses


@require_safe
@responses.live()
def event_link_picture(request: HttpRequest, event: Event) -> HttpResponse:
    """The event, in its colours."""
    return _picture(link_to_event(event))


@require_safe
def store_link_picture(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The store."""
    store = access.store_for(request, slug)
    return responses.if_changed(request, _picture(link_to_store(store)))


def _picture(linked: Linked) -> HttpResponse:
    svg = render_to_string("event/picture.svg", {"drawing": draw_link(linked), "name": linked.name, "symbols": ()})
    return HttpResponse(png_of(svg), content_type="image/png")
