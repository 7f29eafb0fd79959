"""What search engines and previews of links read of a page: schema.org's Event and Open Graph, nobody's name in it."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.urls import reverse

from tourney.domain.places import free_places
from tourney.domain.prices import price_in
from tourney.models import Entrant, Event, Store
from tourney.queries.calendars import end_of
from tourney.queries.months import CampaignMonth
from tourney.queries.places import claims_of
from tourney.runtime.locales import currency_at

CONTEXT = "https://schema.org"
type Data = dict[str, Any]
type Link = Callable[[str], str]
"""The whole address of a path of ours."""


def event_data(event: Event, entrants: Iterable[Entrant], now: datetime, link: Link) -> Data:
    """The event as schema.org describes one."""
    status = "EventScheduled"
    if event.is_canceled:
        status = "EventCancelled"
    elif event.moved_from:
        status = "EventRescheduled"
    data = {"@context": CONTEXT, **_event(event, link), "eventStatus": f"{CONTEXT}/{status}"}
    data |= {
        "endDate": _moment(event, end_of(event)),
        "eventAttendanceMode": f"{CONTEXT}/OfflineEventAttendanceMode",
        "image": [link(reverse("event_link_picture", args=[event.slug]))],
        "organizer": {"@type": "Organization", "name": event.store.name, "url": link(event.store.get_absolute_url())},
    }
    if status == "EventRescheduled" and event.moved_from:
        data["previousStartDate"] = _moment(event, event.moved_from)
    if event.description:
        data["description"] = event.description
    free = free_places(claims_of(entrants), event.places)
    if event.places is not None:
        data |= {"maximumAttendeeCapacity": event.places, "remainingAttendeeCapacity": free}
    if event.entry_fee:
        data["offers"] = _offer(event, free, now, link)
    return data


def store_data(store: Store, months: Iterable[CampaignMonth], link: Link) -> Data:
    """The store as schema.org describes an organization, with its events to come."""
    return {
        "@context": CONTEXT,
        "@type": "Organization",
        "name": store.name,
        "url": link(store.get_absolute_url()),
        "event": [_event(month.event, link) for month in months],
    }


def _event(event: Event, link: Link) -> Data:
    return {
        "@type": "Event",
        "name": event.name,
        "url": link(event.get_absolute_url()),
        "startDate": _moment(event, event.starts_at),
        "location": {"@type": "Place", "name": event.store.name, "address": event.address or event.store.name},
    }


def _offer(event: Event, free: int | None, now: datetime, link: Link) -> Data:
    """The entry fee: as a price where it is one, else in the store's words."""
    is_open = event.takes_sign_ups(now) and free != 0
    offer: Data = {
        "@type": "Offer",
        "url": link(reverse("join" if event.takes_sign_ups(now) else "event", args=[event.slug])),
        "availability": f"{CONTEXT}/{'InStock' if is_open else 'SoldOut'}",
    }
    price = price_in(event.entry_fee, currency_at(event.store.locale))
    if price:
        return offer | {"price": str(price.amount), "priceCurrency": price.currency}
    return offer | {"description": event.entry_fee}


def _moment(event: Event, moment: datetime) -> str:
    return moment.astimezone(ZoneInfo(event.store.time_zone)).isoformat()
