"""The waiting list of an event, from the rows of who is registered."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from tourney.domain.places import PlaceClaim, waiting_list
from tourney.models import Entrant, Event


def claims_of(entrants: Iterable[Entrant]) -> list[PlaceClaim]:
    """The registered players, as the rules of places read them."""
    return [
        PlaceClaim(one.number, one.checked_in, one.dropped_from is not None, one.place_released) for one in entrants
    ]


def waiting_at(event: Event) -> tuple[int, ...]:
    """The numbers of those who wait for a place, the next one first; no query where there is one for everybody."""
    return waiting_list(claims_of(event.entrants.all()), event.places) if event.places is not None else ()


def waiting_at_each(events: Iterable[Event]) -> Mapping[int, tuple[int, ...]]:
    """The same for several, by the event's pk, in one query; an event with a place for everybody is left out."""
    limited = {event.pk: event.places for event in events if event.places is not None}
    entrants: defaultdict[int, list[Entrant]] = defaultdict(list)
    for one in Entrant.objects.filter(event__in=limited) if limited else ():
        entrants[one.event_id].append(one)
    return {event: waiting_list(claims_of(entrants[event]), places) for event, places in limited.items()}
