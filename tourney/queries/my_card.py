"""What the phone of a player shows at a store: the events of that player, coming and past."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.core.validators import slug_re
from django.db.models import QuerySet

from scoring.domain.standings import Standing
from tourney.models import Entrant, Event, Player, Store
from tourney.queries.months import days_until
from tourney.queries.places import waiting_at_each
from tourney.queries.state import EventState, state_of, states_of
from tourney.queries.tokens import MyToken, my_token_of


@dataclass(frozen=True, slots=True)
class MyEvent:
    """An event of a player: with the line of the final ranks if it is finished, and what the token is to them.

    `queue` is the place on the waiting list, 0 for who has one at the event.
    """

    entry: Entrant
    is_today: bool
    final: Standing | None = None
    token: MyToken | None = None
    queue: int = 0


def events_of(player: Player, now: datetime) -> tuple[list[MyEvent], list[MyEvent]]:
    """The events that are not finished, the next one first, and those that are, the last one first."""
    entries = list(_entries(player))
    coming = [entry for entry in entries if not entry.event.is_finished and not _is_bygone(entry.event, now)]
    past = [entry for entry in reversed(entries) if entry.event.is_finished]
    states = states_of([entry.event for entry in past]) if past else []
    waiting = waiting_at_each(entry.event for entry in coming)
    return (
        [
            MyEvent(entry, days_until(entry.event, now) == 0, token=_token(entry), queue=_queue(entry, waiting))
            for entry in coming
        ],
        [MyEvent(entry, False, _final(state, entry)) for entry, state in zip(past, states, strict=True)],
    )


def today_of(player: Player, now: datetime) -> list[Event]:
    """The events of today that the player is in and that are not finished, the earliest first."""
    entries = _entries(player).filter(event__finished_at=None, event__canceled_at=None)
    return [entry.event for entry in entries if days_until(entry.event, now) == 0]


def tonight_of(player: Player, now: datetime, looked_at: str = "") -> Event | None:
    """The event of today that the player is in and that is not finished.

    Of several the one by that part of an address, else the last that has begun, else the first that will.
    """
    today = today_of(player, now)
    chosen = [event for event in today if event.slug == looked_at]
    begun = [event for event in today if event.starts_at <= now]
    return next(iter(chosen or begun[-1:] or today), None)


def entered_event(player: Player, slug: str) -> Event | None:
    """The event by that part of an address that the player is in; None where there is no such."""
    entry = _entries(player).filter(event__slug=slug).first() if slug_re.fullmatch(slug) else None
    return entry.event if entry else None


def tonight_at(store: Store, now: datetime) -> list[Event]:
    """The events of today at the store that are neither finished nor canceled, the earliest first."""
    here = Event.objects.with_context().filter(campaign__store=store)
    events = here.filter(finished_at=None, canceled_at=None).order_by("starts_at", "pk")
    return [event for event in events if days_until(event, now) == 0]


def event_named(store: Store, slug: str) -> Event | None:
    """The event of the store by that part of an address; None where there is no such."""
    if not slug_re.fullmatch(slug):
        return None
    return Event.objects.filter(campaign__store=store, slug=slug).first()


def _entries(player: Player) -> QuerySet[Entrant]:
    entries = player.entries.select_related("player", "event__campaign__store", "event__pack")
    return entries.order_by("event__starts_at", "event")


def _is_bygone(event: Event, now: datetime) -> bool:
    """Whether it was canceled, and its day is over: nobody waits for it any more."""
    return event.is_canceled and days_until(event, now) < 0


def _token(entry: Entrant) -> MyToken | None:
    return my_token_of(state_of(entry.event, public=True), entry) if entry.event.rules.token else None


def _queue(entry: Entrant, waiting_at: Mapping[int, tuple[int, ...]]) -> int:
    waiting = waiting_at.get(entry.event_id, ())
    return waiting.index(entry.number) + 1 if entry.number in waiting else 0


def _final(state: EventState, entry: Entrant) -> Standing | None:
    table = state.standings(len(state.closed_rounds)) if state.closed_rounds else ()
    return next((line for line in table if line.id == entry.number), None)
