"""Places given back and released: who waits moves up."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.db import transaction

from tourney.actions.record import Actor, Refused, locked, record, refuse_if_done_since, refuse_if_finished
from tourney.domain.places import to_release
from tourney.domain.verbs import Verb
from tourney.models import Event
from tourney.queries.places import claims_of, waiting_at
from tourney.runtime.messages import Message, message, nmessage


@contextmanager
def moving_up(event: Event, *, by: Actor) -> Iterator[None]:
    """What is done within may free places: afterwards the journal says who got one. Under the event's lock."""
    before = waiting_at(event)
    yield
    if not before:
        return
    waiting = waiting_at(event)
    coming = event.entrants.filter(number__in=before, dropped_from=None, checked_in=False).exclude(number__in=waiting)
    moved = dict(coming.values_list("number", "player__name"))
    numbers = [number for number in before if number in moved]
    if numbers:
        what = nmessage(
            "{names} moves up from the waiting list and has a place.",
            "{names} move up from the waiting list and have a place.",
            len(numbers),
            names=[moved[number] for number in numbers],
        )
        record(event, by=by, did=Verb.MOVE_UP, what=what, after={"entrants": numbers})


@transaction.atomic
def release_places(event: Event, *, by: Actor) -> tuple[str, ...]:
    """The places of who is not here go to those who wait; the names of whose place is released, in one step.

    They stay registered, last on the waiting list, and keep their place as long as nobody else needs it. Raises
    Refused.
    """
    event = locked(event)
    refuse_if_finished(event)
    refuse_if_done_since(event, by, Verb.RELEASE_PLACES)
    numbers = to_release(claims_of(event.entrants.all()), event.places)
    if not numbers:
        raise Refused(message("No place can be released: nobody is waiting, or everyone with a place is checked in."))
    rows = list(event.entrants.filter(number__in=numbers).select_related("player"))
    with moving_up(event, by=by):
        event.entrants.filter(number__in=numbers).update(place_released=True)
        names = [row.player.name for row in rows]
        after = {"entrants": list(numbers)}
        record(event, by=by, did=Verb.RELEASE_PLACES, what=released(names), after=after)
    return tuple(names)


def released(names: Sequence[str]) -> Message:
    """That the places of these players are released."""
    return nmessage("{count} place released: {names}.", "{count} places released: {names}.", len(names), names=names)
