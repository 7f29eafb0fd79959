"""The next month of a campaign: what it is proposed to be, and who played the one before."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db.models import Exists, OuterRef, Prefetch
from django.utils import timezone

from tourney.domain.dates import a_month_on
from tourney.models import Campaign, Entrant, Event, EventTemplate, Player, Seat
from tourney.queries.regulars import faction_at
from tourney.queries.state import EventState


@dataclass(frozen=True, slots=True)
class Evening:
    """A day, and when play starts there, by the clock of the store."""

    day: date
    start: time


@dataclass(frozen=True, slots=True)
class PlayedBefore:
    """Who played the month before and isn't registered, with the faction they would play again; "" to be asked."""

    player: Player
    faction: str


def last_month(campaign: Campaign, slug: str = "") -> Event | None:
    """The campaign's event of that slug, or else its last one; None before the first."""
    months = campaign.events.filter(canceled_at=None).select_related("pack").order_by("starts_at", "pk")
    return (months.filter(slug=slug).first() if slug else None) or months.last()


def evening_after(last: Event, now: datetime) -> Evening:
    """When the month after that event is played: one month on, at the same time."""
    starts = timezone.localtime(last.starts_at)
    return Evening(a_month_on(starts.date(), timezone.localdate(now)), starts.time().replace(second=0, microsecond=0))


def evening_by_habit(template: EventTemplate, now: datetime) -> dict[str, date | time]:
    """`day` and `start` of a store's next event, as far as its template says them: the next such weekday, or today."""
    today = timezone.localdate(now)
    said: dict[str, date | time | None] = {"start": template.start}
    if template.weekday is not None:
        said["day"] = today + timedelta(days=(template.weekday - today.weekday()) % 7)
    return {name: value for name, value in said.items() if value is not None}


def month_after(event: Event) -> Event | None:
    """The next event of the campaign, if it has a date."""
    later = event.campaign.events.filter(starts_at__gt=event.starts_at, canceled_at=None)
    return later.order_by("starts_at", "pk").first()


def played_before(state: EventState) -> tuple[PlayedBefore, ...]:
    """Who played the month before this event and isn't registered for it, in the order of registration there.

    Nobody once round 1 is drawn.
    """
    event = state.event
    if not state.is_before:
        return ()
    earlier = event.campaign.events.filter(starts_at__lt=event.starts_at).exclude(finished_at=None)
    last = earlier.order_by("-starts_at", "-pk").first()
    if last is None:
        return ()
    sat = Exists(Seat.objects.filter(entrant=OuterRef("pk")))
    declared = Prefetch("player", Player.objects.select_related("merged_into"))
    there = {entrant.player.person.pk for entrant in state.entrants}
    rows = Entrant.objects.filter(sat, event=last, player__forgotten_at=None).prefetch_related(declared)
    return tuple(
        PlayedBefore(row.player.person, faction_at(event, row.faction) or "")
        for row in rows
        if row.player.person.pk not in there
    )
