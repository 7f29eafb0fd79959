"""Undo the last step of an event, do it again, and go back to how it stood after any step."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.db.models import Q, QuerySet

from tourney.actions import tokens
from tourney.actions.entrants import player_of_removed
from tourney.actions.events import notify_campaign_events
from tourney.actions.fleets import relock
from tourney.actions.places import moving_up
from tourney.actions.record import (
    NOTHING_CHANGED,
    Actor,
    Refused,
    Stale,
    locked_with_campaign,
    record,
    refuse_if_done_since,
)
from tourney.domain.history import Change, between, columns_of, fits, turned_back
from tourney.domain.joining import why_no_more
from tourney.domain.verbs import STEPS, Verb
from tourney.models import Entrant, Event, JournalEntry, PlayerReport, Round, Seat, SheetCheck, Wish
from tourney.queries.history import MODELS, Key, changes_in, history_of, rows_at, rows_with, stored_rows
from tourney.queries.state import state_of
from tourney.runtime.messages import Message, message

ORDER = [model._meta.db_table for model in MODELS]


@transaction.atomic
def undo(event: Event, step: int, *, by: Actor) -> None:
    """Take back the last step; `step` is its entry as the person saw it. Undoing is an entry of its own.

    Raises Stale.
    """
    event = locked_with_campaign(event)
    known = history_of(event)
    if step in known.steps.undone:
        raise Stale(NOTHING_CHANGED, message("This step has already been undone."))
    last = _as_seen(known.last, step)
    changes = turned_back(changes_in(last))
    _carry_out(
        event, changes, by=by, did=Verb.UNDO, what=message("Undone: {step}", step=last.message), after={"step": last.pk}
    )


@transaction.atomic
def redo(event: Event, step: int, *, by: Actor) -> None:
    """Do again what was undone last, exactly as it was, until something new is done. Raises Stale."""
    event = locked_with_campaign(event)
    known = history_of(event)
    if step in known.steps.done:
        raise Stale(NOTHING_CHANGED, message("This step has already been redone."))
    found = _as_seen(known.next, step)
    changes = changes_in(found)
    _carry_out(
        event,
        changes,
        by=by,
        did=Verb.REDO,
        what=message("Redone: {step}", step=found.message),
        after={"step": found.pk},
    )


@transaction.atomic
def restore(event: Event, entry: JournalEntry, *, by: Actor, reason: str) -> None:
    """Restore how the event stood after that entry: rounds, results, dice, who dropped; a step that can be undone.

    Who registered since stays registered, and the event's settings stay as they are. Raises Refused.
    """
    event = locked_with_campaign(event)
    if not reason:
        raise Refused(message("Give a reason for restoring the event. It is kept in the journal."))
    refuse_if_done_since(event, by, *STEPS)
    parts = map(_part_that_goes_back, between(stored_rows(event), rows_at(event, entry)).values())
    changes = {part.key: part for part in parts if part}
    if not changes:
        raise Refused(NOTHING_CHANGED, message("The event is exactly as it was then."))
    what = message("Restored: {step}", step=_restored_by(entry))
    _carry_out(event, changes, by=by, did=Verb.RESTORE, what=what, after={"step": entry.pk}, reason=reason)


def _restored_by(entry: JournalEntry) -> str | Message:
    """What the event goes back to: of an entry that restored something, that again, and no chain of both."""
    said = entry.message
    step = said.params["step"] if isinstance(said, Message) and said.id == "Restored: {step}" else said
    return step if isinstance(step, Message) else str(step)


def _carry_out(event: Event, changes: dict[Key, Change[Key]], *, by: Actor, **entry: Any) -> None:
    """Make these changes and record them; pages of other events that show this one notice what they show of it."""
    was_played = _is_played(event)
    _refuse_too_many(event, changes)
    with moving_up(event, by=by):
        _apply(changes, event)
        record(event, by=by, **entry)
    relock(_seats_that_begin(changes))
    _tokens_follow(event, by)
    if _is_played(event) != was_played or any(table == Event._meta.db_table for table, _ in changes):
        notify_campaign_events(event)


def _refuse_too_many(event: Event, changes: Mapping[Key, Change[Key]]) -> None:
    """Players who come back by a step may find the event full."""
    coming = sum(table == Entrant._meta.db_table and change.before is None for (table, _), change in changes.items())
    if coming and (reasons := why_no_more(event.entrants.count(), coming, by_self=False)):
        raise Refused(*reasons)


def _seats_that_begin(changes: dict[Key, Change[Key]]) -> QuerySet[Seat]:
    """Rule 7.1: those that are in play again, by their round or by themselves; nobody's fleet is open there."""
    new = [change for change in changes.values() if change.after and not _was_in_play(change)]
    rounds, seats = (
        [change.key[1] for change in new if change.key[0] == name._meta.db_table] for name in (Round, Seat)
    )
    return Seat.objects.filter(Q(round__in=rounds) | Q(pk__in=seats), round__state=Round.State.PUBLISHED)


def _was_in_play(change: Change[Key]) -> bool:
    return change.before is not None and change.before.get("state") != Round.State.DRAFT


def _is_played(event: Event) -> bool:
    """Whether a month after it has it for the last one (rule 6.1)."""
    return event.rounds.filter(state=Round.State.CLOSED).exists()


def _tokens_follow(event: Event, by: Actor) -> None:
    """The ledgers go on from how the event stands now; a line once written stays (rule 6)."""
    was_finished = event.is_finished
    event.refresh_from_db()
    tokens.refuse_unless_spent_at_a_table(event)
    if event.is_finished and not was_finished:
        tokens.lose(event, state_of(event), by=by)
    if event.is_finished:
        tokens.correct_months_after(event, by=by)
    elif was_finished and not event.is_finished:
        tokens.give_again(event, by=by)
        tokens.notify_later_months(event)


OF_PEOPLE = {"tourney_event": {"finished_at"}, "tourney_entrant": {"checked_in", "dropped_from", "place_released"}}
"""What goes back of an event and its entrants."""


def _part_that_goes_back(change: Change[Key]) -> Change[Key] | None:
    columns = OF_PEOPLE.get(change.key[0])
    if columns is None:
        return change
    if change.before is None or change.after is None:
        return None
    after = {**change.before} | {name: change.after[name] for name in columns}
    return Change(change.key, change.before, after) if after != change.before else None


def _as_seen(found: JournalEntry | None, step: int) -> JournalEntry:
    if found is None:
        raise Stale(NOTHING_CHANGED, message("This step no longer exists."))
    if found.pk != step:
        raise Stale(NOTHING_CHANGED, message("Since then, this was done: {step}", step=found.message))
    return found


def _apply(changes: dict[Key, Change[Key]], event: Event) -> None:
    """Make these changes, if every row is as it was before them. Raises Refused."""
    now = rows_with(changes)
    if not all(fits(change, now.get(key)) for key, change in changes.items()):
        raise Refused(message("Later steps depend on this one. Undo those first."))
    gone = [key for key, change in changes.items() if change.after is None]
    _nobody_points_to(gone, [key for key, change in changes.items() if _is_moved(change)])
    for key in sorted(gone, key=_place, reverse=True):
        _delete(key)
    for key, change in changes.items():
        if change.before is not None and change.after is not None:
            _update(key, columns_of(change.before, change.after))
    coming = {key: change.after for key, change in changes.items() if change.before is None and change.after}
    for key in sorted(coming, key=_place):
        _insert(key, {**coming[key], **_not_kept(key, coming[key], event)})
    _nothing_is_missing()


def _place(key: Key) -> int:
    return ORDER.index(key[0])


def _is_moved(change: Change[Key]) -> bool:
    """Whether another player is to sit on that seat."""
    if change.before is None or change.after is None:
        return False
    return change.key[0] == "tourney_seat" and "entrant_id" in columns_of(change.before, change.after)


def _nobody_points_to(gone: Iterable[Key], moved: Iterable[Key]) -> None:
    """What players did at a table does not vanish with it, and does not become somebody else's."""
    seats = [row for table, row in (*gone, *moved) if table == "tourney_seat"]
    own = {(table, row) for table, row in gone}
    for model in (PlayerReport, Wish, SheetCheck):
        found = model.objects.filter(seat__in=seats).values_list("pk", flat=True)
        if any((model._meta.db_table, pk) not in own for pk in found):
            raise Refused(NOTHING_CHANGED, message("Players have already signed or reported at these tables."))


def _nothing_is_missing() -> None:
    """What the rows point to is there, though it need not be a part of the event's history."""
    try:
        with transaction.atomic():
            connection.check_constraints()
    except IntegrityError as error:
        raise Refused(
            NOTHING_CHANGED, message("A player or table that this step needs has been removed since.")
        ) from error


def _not_kept(key: Key, after: Mapping[str, Any], event: Event) -> dict[str, object]:
    """What the history does not say of a row that comes back: whose entry it is, and more savings than it ever had."""
    if key[0] == "tourney_entrant":
        return {"player_id": player_of_removed(event, after["number"]).pk}
    return {"savings": event.version} if key[0] == "tourney_match" else {}


def _delete(key: Key) -> None:
    table, row = key
    _execute(f"DELETE FROM {_quoted(table)} WHERE id = %s", [row])


def _update(key: Key, after: Mapping[str, object]) -> None:
    table, row = key
    columns = ", ".join(map(_quoted, after))
    values = f"SELECT {columns} FROM jsonb_populate_record(NULL::{_quoted(table)}, %s::jsonb)"
    _execute(f"UPDATE {_quoted(table)} SET ({columns}) = ({values}) WHERE id = %s", [json.dumps(after), row])


def _insert(key: Key, after: Mapping[str, object]) -> None:
    table, _ = key
    columns = ", ".join(map(_quoted, after))
    values = f"SELECT {columns} FROM jsonb_populate_record(NULL::{_quoted(table)}, %s::jsonb)"
    _execute(f"INSERT INTO {_quoted(table)} ({columns}) {values}", [json.dumps(after)])


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)


def _execute(sql: str, values: list[str | int]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
