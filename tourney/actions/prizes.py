"""The store's own prizes of an event."""

from django.db import transaction

from tourney.actions.record import Actor, Stale, locked, record
from tourney.domain.verbs import Verb
from tourney.models import Event
from tourney.runtime.messages import message


@transaction.atomic
def set_prizes(event: Event, prizes: str, *, expected: str, by: Actor) -> None:
    """The list is this text from now on, which `scoring.domain.prizes` can read; also after the event is finished.

    `expected` is the list that was on the page: raises Stale if it is another one by now.
    """
    event = locked(event)
    if event.prizes == prizes:
        return
    if event.prizes != expected:
        raise Stale(message("Not saved. Someone else changed the prize list. Yours is below."))
    before = event.prizes
    event.prizes = prizes
    event.save()
    what = message("Prize list changed.") if before else message("Prize list added.")
    record(event, by=by, did=Verb.SET_PRIZES, what=what, before=_facts(before), after=_facts(prizes))


def _facts(prizes: str) -> dict[str, object]:
    return {"prizes": "; ".join(prizes.splitlines())}
