"""The waiting list of an event, from the rows of who is registered."""

from collections.abc import Iterable

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
