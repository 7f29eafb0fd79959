"""The last step of an event taken back, or done again, as its history offers it."""

from tests.support.nights import BY
from tourney.actions import history
from tourney.models import Event
from tourney.queries.history import history_of


def undo(event: Event) -> str:
    """What was undone."""
    last = history_of(event).last
    history.undo(event, last.pk, by=BY)
    return last.did


def redo(event: Event) -> str:
    """What was done again."""
    found = history_of(event).next
    history.redo(event, found.pk, by=BY)
    return found.did
