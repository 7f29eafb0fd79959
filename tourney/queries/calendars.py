"""The dates of a store for calendars: of one event, of all, and which event comes next."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.db.models import OuterRef, QuerySet, Subquery

from tourney.domain.calendar_file import CalendarDate
from tourney.models import Event, JournalEntry, Store
from tourney.runtime.messages import Message, nmessage

PAST = timedelta(days=400)
"""A calendar that somebody follows keeps what was, and need not be told for ever."""


def dates_of(store: Store, now: datetime, address_of: Callable[[Event], str]) -> list[CalendarDate]:
    """The events of the last year and all to come, first to last."""
    events = Event.objects.with_context().filter(campaign__store=store, starts_at__gt=now - PAST)
    return _dates(events.order_by("starts_at", "pk"), address_of)


def date_of(event: Event, address_of: Callable[[Event], str]) -> CalendarDate:
    """The one event."""
    (date,) = _dates(Event.objects.with_context().filter(pk=event.pk), address_of)
    return date


def next_event_of(event: Event) -> Event | None:
    """The one that follows that event: of its campaign, or else of its store."""
    later = Event.objects.with_context().filter(campaign__store=event.store, finished_at=None, canceled_at=None)
    later = later.filter(starts_at__gt=event.starts_at).exclude(pk=event.pk).order_by("starts_at", "pk")
    return later.filter(campaign=event.campaign_id).first() or later.first()


def _dates(events: QuerySet[Event], address_of: Callable[[Event], str]) -> list[CalendarDate]:
    last = JournalEntry.objects.filter(event=OuterRef("pk")).order_by("-pk").values("at")[:1]
    return [_date(event, address_of(event)) for event in events.annotate(changed_at=Subquery(last))]


def _date(event: Event, address: str) -> CalendarDate:
    return CalendarDate(
        uid=f"{event.slug}.{event.store.slug}@flagship",
        sequence=event.version,
        changed_at=getattr(event, "changed_at", None) or event.starts_at,
        starts_at=event.starts_at.astimezone(ZoneInfo(event.store.time_zone)),
        lasts=end_of(event) - event.starts_at,
        name=event.name,
        place=", ".join(filter(None, (event.store.name, event.address))),
        facts=_lines(event, address),
        address=address,
        is_canceled=event.is_canceled,
    )


def end_of(event: Event) -> datetime:
    """When it is to end: as the store says, else with its timetable, else with the last of its rounds."""
    if event.ends_at or not event.timetable:
        return event.ends_at or event.starts_at + timedelta(minutes=event.rounds_planned * event.minutes)
    return event.timetable[-1].ends_at


def _lines(event: Event, address: str) -> str:
    rounds = nmessage(
        "{count} round of {minutes} minutes, {limit} SP",
        "{count} rounds of {minutes} minutes each, {limit} SP",
        event.rounds_planned,
        minutes=event.minutes,
        limit=event.sp_limit,
    )
    lines: Iterable[str | Message] = (event.campaign.storyline, rounds, address)
    return "\n".join(map(str, lines))
