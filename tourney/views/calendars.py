"""Dates for calendars: one event to add, and all of a store to follow."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone, translation
from django.views.decorators.http import require_safe

from tourney import access
from tourney.domain.calendar_file import as_ics
from tourney.models import Event
from tourney.queries.calendars import date_of, dates_of
from tourney.runtime import locales
from tourney.views import responses


@require_safe
def event_calendar(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The event as a date, in the reader's language."""
    event = access.event_for(request, slug)
    date = date_of(event, _addresses(request))
    return _file(request, as_ics([date]), event.slug)


@require_safe
def store_calendar(request: HttpRequest, slug: str) -> HttpResponseBase:
    """All dates of the store: a calendar asks for them again and again, in nobody's language but the store's."""
    store = access.store_for(request, slug)
    with translation.override(locales.language_at(store.locale)):
        dates = dates_of(store, timezone.now(), _addresses(request))
    return _file(request, as_ics(dates, name=store.name), store.slug)


def _addresses(request: HttpRequest) -> Callable[[Event], str]:
    return lambda event: request.build_absolute_uri(event.get_absolute_url())


def _file(request: HttpRequest, text: bytes, name: str) -> HttpResponseBase:
    response = HttpResponse(text, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{name}.ics"'
    return responses.if_changed(request, response)
