"""Who acts, the lock every action takes first, the entry it writes last, and how it says no."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from django.db import connection, transaction
from django.db.models import Manager, Max, Model, Q, QuerySet
from django.dispatch import Signal

from tourney.actions.finals import keep_finals
from tourney.domain import progress
from tourney.domain.verbs import BACK, Verb
from tourney.models import Entrant, Event, IdempotencyKey, JournalEntry, Store, User
from tourney.queries.state import EventState
from tourney.runtime.bus import bus
from tourney.runtime.messages import Message, message
from tourney.runtime.metrics import meter


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts and when. `user` is None for a player registering alone, the command line or a simulation.

    `parts` collects what is done as a part of a larger step (`for_parts`); None for a step of its own.
    `event_version` is the version of the event on the page they act from, None where that does not matter.
    """

    user: User | None
    name: str
    at: datetime
    parts: list[str | Message] | None = None
    event_version: int | None = None

    def for_parts(self) -> "Actor":
        """The actor for actions that are one step: they write no entry each, their sentences gather in `parts`.

        Whoever calls them records the step afterwards; what they changed becomes part of that entry. Whether what the
        person saw still holds, the step asks as a whole.
        """
        return replace(self, parts=[], event_version=None)


NEXT_VERSION = """
    UPDATE tourney_event SET version = version + 1 WHERE id = %s
    RETURNING version,
        finished_at IS NOT NULL OR EXISTS (SELECT FROM tourney_finalranking f WHERE f.event_id = tourney_event.id),
        slug, CASE WHEN %s THEN pg_notify('event', slug || ':' || version) END
"""


SHARE_EVENT = "SELECT id FROM tourney_event WHERE id = %s FOR KEY SHARE"
LOCK_MATCH = """
    SELECT m.id FROM tourney_round r JOIN tourney_match m ON m.round_id = r.id
    WHERE r.event_id = %(event)s AND r.number = %(round)s AND (m.table = %(table)s OR m.id IN (
        SELECT s.match_id FROM tourney_seat s JOIN tourney_entrant e ON e.id = s.entrant_id
        WHERE s.round_id = r.id AND e.event_id = %(event)s AND e.number = %(entrant)s
    ))
    FOR NO KEY UPDATE OF m
"""


PART_OF_ENTRY = """
    UPDATE tourney_change SET entry_id = %s
    WHERE event_id = %s AND entry_id IS NULL AND transaction = pg_current_xact_id()::text::bigint
"""


REST_OF_TRANSACTION = """
    UPDATE tourney_change SET entry_id = %s
    WHERE entry_id IS NULL AND transaction = pg_current_xact_id()::text::bigint
"""


NOTHING_CHANGED = message("Nothing changed.")

recorded = Signal()
"""An action on an event was recorded, as `entry`; for who tells others of it, in the same transaction."""


class Refused(Exception):
    """The action cannot be done now, and nothing changed. `reasons` are sentences in the language of who asked.

    NOTHING_CHANGED may stand before them: the text of the exception says it, and pages as the heading of the reasons.
    """

    def __init__(self, *reasons: str | Message) -> None:
        self.reasons = tuple(str(reason) for reason in reasons if reason != NOTHING_CHANGED)
        super().__init__(" ".join(map(str, reasons)))


class Stale(Refused):
    """Somebody else was first; what the person saw is no longer what is stored."""


class AlreadyExplained(Stale):
    """Stale, and what the others did says all there is to say of it."""


def still_there[Row: Model](rows: QuerySet[Row] | Manager[Row], gone: Message, **which: Any) -> Row:
    """The one row of these that is meant. Raises Stale, saying that it is `gone`, where it was removed since."""
    found = rows.filter(**which).first()
    if found is None:
        raise Stale(NOTHING_CHANGED, gone)
    return found


EVENT_GONE = message("This event has been removed.")


def locked(event: Event) -> Event:
    """The event's row, locked until the end of the transaction: actions on one event happen one after another.

    Raises Stale for a rehearsal that was discarded.
    """
    if not Event.objects.select_for_update().filter(pk=event.pk).values_list("pk"):
        raise Stale(NOTHING_CHANGED, EVENT_GONE)
    return _as_it_is(event)


def _as_it_is(event: Event) -> Event:
    """The event under its lock. Raises Stale where its store moved to another installation meanwhile."""
    found = Event.objects.with_context().get(pk=event.pk)
    if found.store.moved_to:
        raise Stale(NOTHING_CHANGED, message("The store has moved to {address}.", address=found.store.moved_to))
    return found


def locked_at_match(event: Event, number: int, *, table: int | None = None, entrant: int | None = None) -> Event:
    """The event's row for what changes one match of that round alone, by its table or one who sits there.

    Others change other matches at the same time, and wait for one another no longer than from the next version
    (`record`) to the commit; whoever locks the whole event waits for all of them, and they for it. The match may be
    gone. Raises Stale for a rehearsal that was discarded.
    """
    with connection.cursor() as cursor:
        cursor.execute(SHARE_EVENT, [event.pk])
        if not cursor.fetchone():
            raise Stale(NOTHING_CHANGED, EVENT_GONE)
        cursor.execute(LOCK_MATCH, {"event": event.pk, "round": number, "table": table, "entrant": entrant})
    return _as_it_is(event)


def locked_with_campaign(event: Event) -> Event:
    """The event's row, with those of its whole campaign: for what changes the months after it too."""
    list(Event.objects.select_for_update().filter(campaign=event.campaign_id).order_by("pk").values_list("pk"))
    return _as_it_is(event)


def refuse_if_finished(event: Event) -> None:
    """Raise Refused where the desk has to re-open the event before it changes that, or to hold one that is canceled.

    Ask under the event's lock.
    """
    if reasons := progress.why_not_change(event.is_finished, event.is_canceled):
        raise Refused(*reasons)


def claim_idempotency_key(entrant: Entrant, key: str, *, by: Actor) -> bool:
    """Claim an idempotency key: whether what this player's phone sends with it is new. Without a key it always is.

    Ask under the event's lock. What is refused afterwards takes the key back with everything else.
    """
    return not key or IdempotencyKey.objects.get_or_create(entrant=entrant, key=key, defaults={"at": by.at})[1]


def refuse_if_done_since(event: Event, by: Actor, *did: Verb, **facts: Any) -> None:
    """Optimistic lock: raises AlreadyExplained (a Stale) if one of these was done since the person saw the event.

    `facts` narrow down which entries of the journal count. Ask under the event's lock, where doing it twice, or on top
    of somebody else's, is not what the person meant.
    """
    if by.event_version is None:
        return
    theirs = Q(did__in=did, **facts) | Q(did__in=BACK)
    first = event.journal.filter(theirs, version__gt=by.event_version).order_by("pk").last()
    if first:
        raise AlreadyExplained(message("Not saved. {name} was faster: {step}", name=first.by_whom, step=first.message))


def bump_version_and_notify(event: Event) -> bool:
    """Give the event its next version and, on commit, tell it to every process (`runtime.bus`) and its open pages.

    Whatever a page of the event shows must not change without it: pages and caches are kept by this number. Returns
    whether the event is finished, or what it came to is kept from when it was.
    """
    told_by = bus()
    with connection.cursor() as cursor:
        cursor.execute(NEXT_VERSION, [event.pk, told_by.is_told_by_commit])
        event.version, has_finals, slug, _ = cursor.fetchone()
    if not told_by.is_told_by_commit:
        transaction.on_commit(partial(told_by.publish, slug, event.version), robust=True)
    if meter:
        transaction.on_commit(partial(meter.told, slug, event.version))
    return bool(has_finals)


def notify_screens(event: Event, *, except_campaign: int | None = None) -> None:
    """The screens of the store's last finished event show which one comes next.

    Who holds its lock changes it, and tells them too: nobody waits for it here, with other locks in hand.
    """
    finished = Event.objects.filter(campaign__store=event.store).exclude(Q(finished_at=None) | Q(pk=event.pk))
    last = finished.order_by("-finished_at").first()
    if (
        last
        and last.campaign_id != except_campaign
        and Event.objects.select_for_update(skip_locked=True).filter(pk=last.pk)
    ):
        bump_version_and_notify(last)


def record(
    event: Event,
    *,
    by: Actor,
    did: Verb,
    what: str | Message,
    before: Mapping[str, object] | None = None,
    after: Mapping[str, object] | None = None,
    reason: str = "",
    state: EventState | None = None,
) -> None:
    """Write the action's journal entry and give the event its next version, so that open pages notice.

    What this transaction changed of the event becomes part of the entry (`models.Change`), and what a finished one came
    to is kept anew. A part of a larger step (`Actor.for_parts`) writes no entry. `state` has the event's rounds as they
    are after the action, where it knows them; otherwise they are loaded if they are needed.
    """
    has_finals = bump_version_and_notify(event)
    if by.parts is not None:
        by.parts.append(what)
        return
    entry = JournalEntry.objects.create(
        store=event.store,
        event=event,
        version=event.version,
        at=by.at,
        by=by.user,
        by_name=by.name,
        did=did,
        before=before,
        after=after,
        reason=reason,
        **_kept(what),
    )
    with connection.cursor() as cursor:
        cursor.execute(PART_OF_ENTRY, [entry.pk, event.pk])
    if has_finals and not did.facts.keeps_ranks:
        keep_finals(event, state)
    recorded.send(sender=JournalEntry, entry=entry)


def _kept(what: str | Message) -> dict[str, Any]:
    """The sentence as an entry keeps it: in English, and as the message for readers of every language."""
    return {"what": what.in_english(), "said": what.as_data()} if isinstance(what, Message) else {"what": what}


def explain(entry: JournalEntry) -> None:
    """What this transaction changed of any event, as far as no other entry has it, becomes part of this one.

    For entries of a store that change events too: no change may stay without its entry (`prove_history`).
    """
    with connection.cursor() as cursor:
        cursor.execute(REST_OF_TRANSACTION, [entry.pk])


def record_at_store(
    store: Store,
    *,
    by: Actor,
    did: Verb,
    what: str | Message,
    before: Mapping[str, object] | None = None,
    after: Mapping[str, object] | None = None,
) -> JournalEntry:
    """The journal entry of an action on the store itself."""
    return JournalEntry.objects.create(
        store=store, at=by.at, by=by.user, by_name=by.name, did=did, before=before, after=after, **_kept(what)
    )


def new_number(store: Store, numbered: QuerySet[Any] | Manager[Any], did: Verb) -> int:
    """One that none of these had before, also none that is gone; `did` names what adds one. Under the store's lock."""
    highest = numbered.aggregate(Max("number"))["number__max"] or 0
    return max(highest, store.journal.filter(did=did, event=None).count()) + 1
