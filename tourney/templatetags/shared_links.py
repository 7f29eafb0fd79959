"""What a page says of itself to who previews or indexes a link to it: Open Graph, and schema.org's data."""

import json
from typing import Any

from django import template
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from tourney.models import Event, Store
from tourney.queries.linked_data import event_data, store_data
from tourney.runtime import locales
from tourney.runtime.locales import written
from tourney.runtime.messages import message

register = template.Library()

ESCAPED = {ord(">"): "\\u003E", ord("<"): "\\u003C", ord("&"): "\\u0026"}
"""What would end a script, or begin a comment, within JSON in a page."""


@register.inclusion_tag("parts/shared_link.html", takes_context=True)
def link_to_event(context: template.Context) -> dict[str, object]:
    """The meta tags and the data of a page of the `event`."""
    request, event, state = context["request"], context["event"], context["state"]
    data = event_data(event, state.entrants, timezone.now(), request.build_absolute_uri)
    said = [written(event.starts_at, "full day, time"), *filter(None, [event.address])]
    description = " · ".join([str(message("This event is canceled.")), *said] if event.is_canceled else said)
    return _link(request, event, "event_link_picture", data, site=event.store.name, description=description)


@register.inclusion_tag("parts/shared_link.html", takes_context=True)
def link_to_store(context: template.Context) -> dict[str, object]:
    """The meta tags and the data of the page of the `store`, with its `home`."""
    request, store, home = context["request"], context["store"], context["home"]
    months = [*home.tonight, *filter(None, [home.next])]
    data = store_data(store, months, request.build_absolute_uri)
    description = str(message("Monthly storyline events: tables, clock, results and standings."))
    return _link(request, store, "store_link_picture", data, site=store.name, description=description)


def _link(
    request: HttpRequest, shown: Event | Store, picture: str, data: dict[str, Any], *, site: str, description: str
) -> dict[str, object]:
    return {
        "site": site,
        "title": shown.name,
        "description": description,
        "address": request.build_absolute_uri(request.path),
        "picture": request.build_absolute_uri(reverse(picture, args=[shown.slug])),
        "locale": locales.of_reader(),
        "data": _in_a_script(data),
    }


def _in_a_script(data: dict[str, Any]) -> SafeString:
    return mark_safe(json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(ESCAPED))
