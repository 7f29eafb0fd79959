"""The event for an action that holds its lock: by what the desk's pages share of it already, where they do."""

from tourney.models import Event, NamesShown
from tourney.queries.rows import rows_with_last_round
from tourney.queries.state import SHARED, EventState, Shared, state_at_one_snapshot, state_of


def state_under_lock(event: Event) -> EventState:
    """The event as it stands, for an action that holds its lock and has changed nothing yet; change nothing in it.

    Nobody changes it meanwhile, so what the desk's pages share of this very version is how it stands; of an older one
    only that is loaded which is another since. Nothing is shared from here: it may be taken back.
    """
    shared, is_public = _shared_at_desk(event)
    if shared is None:
        return state_of(event)
    if shared.state.event.version == event.version:
        return shared.state
    return state_at_one_snapshot(event, shared, is_public=is_public).state


def last_round_under_lock(event: Event) -> EventState:
    """The same for what asks of no round but the last: the others may be missing."""
    shared, _ = _shared_at_desk(event)
    if shared and shared.state.event.version == event.version:
        return shared.state
    return EventState(event, rows_with_last_round(event))


def _shared_at_desk(event: Event) -> tuple[Shared | None, bool]:
    """What the desk's pages share of the event, in whatever version, and whether the public's do share the same."""
    shown_in_full = event.store.names_shown == NamesShown.FULL
    return SHARED.peek(event.pk if shown_in_full else (event.pk, "staff")), shown_in_full
