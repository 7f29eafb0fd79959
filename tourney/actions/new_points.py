"""Points change, in any round of an event: what becomes of a round drawn since, of final ranks, and of the ledgers."""

from tourney.actions import tokens
from tourney.actions.record import Actor, Stale, locked, locked_at_match, locked_with_campaign, notify_screens, record
from tourney.actions.repairs import carry_out
from tourney.domain import progress
from tourney.domain.verbs import WITH_TABLES, Verb
from tourney.models import Event
from tourney.queries.repairs import Repair, RepairMode
from tourney.queries.slices import EventSlice
from tourney.queries.state import state_of
from tourney.runtime.messages import Message, in_a_row, message


def locked_for_points(event: Event) -> Event:
    """The event; where its ranks are final, with its campaign, because the months after it follow them."""
    return _as_seen(event, locked_with_campaign(event) if event.is_finished else locked(event))


def locked_for_result(event: Event, number: int, table: int, reason: str) -> Event:
    """The same for a result; of the match alone where none is given a reason: only a round in play asks for none."""
    if event.is_finished or reason:
        return locked_for_points(event)
    return _as_seen(event, locked_at_match(event, number, table=table))


def _as_seen(event: Event, now: Event) -> Event:
    if now.is_finished and not event.is_finished:
        raise Stale(message("Not saved. The event has been finished. Check it again."))
    return now


def record_new_points(
    state: EventSlice,
    repair: Repair,
    *,
    by: Actor,
    did: Verb,
    what: Message,
    reason: str,
    before: dict[str, object] | None = None,
    after: dict[str, object] | None = None,
    why: str = "",
) -> None:
    """The entry of a step that has changed points, with what the desk chose for the round that is open now.

    `state` is the event before it. A finished one stays finished, unless its ranks need dice now. `why` goes into the
    entry instead of the `reason`, where that is not all.
    """
    event = state.event
    if repair.way is not RepairMode.LEAVE:
        did = WITH_TABLES[did]
        moved, *tables = carry_out(state_of(event), state.round_rows[-1].number, repair, reason)
        what = in_a_row([what, moved])
        before, after = (
            (facts or {}) | {"moved": more["matches"]} for facts, more in zip((before, after), tables, strict=True)
        )
    opens = state.is_finished and _ranks_are_open(event)
    if opens:
        event.finished_at = None
        event.save()
        what = in_a_row([what, message("The event is open again: its ranks need a roll-off.")])
    record(event, by=by, did=did, what=what, before=before, after=after, reason=why or reason)
    if opens:
        tokens.give_again(event, by=by)
        tokens.notify_later_months(event)
        notify_screens(event)
    elif state.is_finished:
        tokens.correct_months_after(event, by=by)


def _ranks_are_open(event: Event) -> bool:
    """Rules 4.4 and 5.3: whether a tie that was none before keeps the ranks from being final."""
    state = state_of(event)
    last = state.rounds[-1].number
    return bool(progress.unfinished(state.facts) or state.ties(last) or state.faction_tie(last))
