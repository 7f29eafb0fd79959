"""A calendar file (RFC 5545): dates of a store, as any calendar reads and follows them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from icalendar import Calendar, Event, vDuration, vUri

MADE_BY = "-//Flagship//Event desk//EN"
ASK_AGAIN = timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class CalendarDate:
    """One date: `uid` stays what it is, and `sequence` grows with each change, so that a calendar replaces what it has.

    `starts_at` is in the time zone of the place; `changed_at` is when it was last changed.
    """

    uid: str
    sequence: int
    changed_at: datetime
    starts_at: datetime
    lasts: timedelta
    name: str
    place: str
    facts: str
    address: str
    is_canceled: bool = False


def as_ics(dates: Iterable[CalendarDate], *, name: str = "") -> bytes:
    """The dates as a file with the time zones that it names; with a `name` as a calendar to subscribe to."""
    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", MADE_BY)
    if name:
        calendar.add("name", name)
        calendar.add("x-wr-calname", name)
        calendar.add("refresh-interval", vDuration(ASK_AGAIN), {"VALUE": "DURATION"})
        calendar.add("x-published-ttl", vDuration(ASK_AGAIN))
    for date in dates:
        calendar.add_component(_event(date))
    calendar.add_missing_timezones()
    text: bytes = calendar.to_ical()
    return text


def _event(date: CalendarDate) -> Event:
    event = Event()
    event.add("uid", date.uid)
    event.add("sequence", date.sequence)
    event.add("dtstamp", date.changed_at)
    event.add("last-modified", date.changed_at)
    event.add("dtstart", date.starts_at)
    event.add("dtend", _later(date.starts_at, date.lasts))
    event.add("summary", date.name)
    event.add("location", date.place)
    event.add("description", date.facts)
    event.add("url", vUri(date.address))
    event.add("status", "CANCELLED" if date.is_canceled else "CONFIRMED")
    return event


def _later(moment: datetime, lasts: timedelta) -> datetime:
    """So much time later on a real clock, also in the night in which clocks are changed."""
    zone = moment.tzinfo
    if not isinstance(zone, ZoneInfo):
        raise ValueError("a date has the time zone of its place")
    return (moment.astimezone(ZoneInfo("UTC")) + lasts).astimezone(zone)
