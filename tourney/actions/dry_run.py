"""What an action would lead to: it is done, looked at, and taken back, all inside the database."""

from collections.abc import Callable

from django.db import transaction

from tourney.actions.record import locked
from tourney.models import Event
from tourney.queries.state import EventState, state_of


def tried[Seen](event: Event, do: Callable[[Event], object], look: Callable[[EventState], Seen]) -> Seen:
    """What `look` sees of the event after `do`; nothing of it stays, nobody is told. Raises what `do` raises.

    `do` calls the actions that the desk would press, so that what is shown before is what happens after.
    """
    with transaction.atomic():
        event = locked(event)
        do(event)
        seen = look(state_of(event))
        transaction.set_rollback(True)
    return seen
