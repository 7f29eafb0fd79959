"""One event as many share it by its version: who reads its pages, the desk, and actions that hold its lock."""

from contextlib import nullcontext
from copy import copy
from dataclasses import dataclass

from tourney.models import Event, NamesShown
from tourney.queries.rows import CachedRows, rows_of, rows_since, rows_with_last_round
from tourney.queries.shown_names import in_public_words, short_names
from tourney.queries.snapshot import repeatable_read
from tourney.queries.state import EventState, state_of
from tourney.runtime.kept import VersionedCache, memory


@dataclass(frozen=True, slots=True)
class Shared:
    """A state with what tells later which of its rows are still the same."""

    state: EventState
    known: CachedRows


def shared_state(event: Event) -> EventState:
    """The event as it stands at this version, or a later one: one object for all who read pages. Change nothing in it.

    Its names are those that everybody may read. For each version only that is loaded which is another than before;
    whatever it holds changes with `actions.record.bump_version_and_notify` only.
    """
    return SHARED.get(event.pk, event.version, lambda last: state_at_one_snapshot(event, last)).state


def staff_state(event: Event) -> EventState:
    """The same for the desk, with the players' own names."""
    if event.store.names_shown == NamesShown.FULL:
        return shared_state(event)
    key = (event.pk, "staff")
    return SHARED.get(key, event.version, lambda last: state_at_one_snapshot(event, last, is_public=False)).state


def state_under_lock(event: Event) -> EventState:
    """The event as it stands, for an action that holds its lock and has recorded what it changed, if anything.

    Nobody else changes it, so what the desk's pages share of this very version is how it stands; of an older one only
    that is loaded which is another since. Nothing is shared from here: it may be taken back. Change nothing in it.
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


def state_at_one_snapshot(event: Event, last: Shared | None, *, is_public: bool = True) -> Shared:
    """The state with the event's row of the same moment, so that it fits the others; of `last` what is the same."""
    with repeatable_read() if is_public and event.store.names_shown != NamesShown.FULL else nullcontext():
        names = short_names(event.store) if is_public else {}
        rows = rows_since(event, names, last.known) if last else rows_of([event], names, with_digests=True)[event.pk]
        if rows.version != event.version:
            return state_at_one_snapshot(Event.objects.with_context().get(pk=event.pk), None, is_public=is_public)
        now = copy(event)
        if is_public:
            in_words = in_public_words(now.store)
            now.prizes, now.announcements = in_words(now.prizes), in_words(now.announcements)
            now.tables = in_words(now.tables)
            now.description, now.bring = in_words(now.description), in_words(now.bring)
            now.address, now.entry_fee = in_words(now.address), in_words(now.entry_fee)
        if last and (last.state.rules, last.state.event.tables) != (now.rules, now.tables):
            return state_at_one_snapshot(event, None, is_public=is_public)
        return Shared(
            EventState(now, rows, last.state if last else None), CachedRows(rows.entrants, rows.digests, names)
        )


def _bytes_of(shared: Shared) -> int:
    """About what it takes, in bytes, with the pages that are made of it, for readers and for two roles at the desk.

    Measured with 24 and 128 players.
    """
    seats = sum(len(match.entrants) for round in shared.state.rounds for match in round.matches)
    return 250_000 + 15_000 * len(shared.state.entrants) + 3_500 * seats


SHARED: VersionedCache[Shared] = VersionedCache(memory(0.75), _bytes_of)
"""Of 240 MB, the events of 200 stores with 24 players each, or five of 1,000."""
