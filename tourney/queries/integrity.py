"""Whether everything about an event, and a store's whole journal, is as it was recorded: problems, as sentences."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from django.db import connection
from django.db.models import Model

from tourney.models import (
    Entrant,
    Event,
    FinalRanking,
    Match,
    Penalty,
    PlayedSheet,
    PlayerReport,
    Result,
    Roll,
    RollOff,
    Round,
    Seat,
    SheetCheck,
    Store,
    Wish,
)
from tourney.queries.finals import wrong_finals
from tourney.queries.history import TABLES, differences
from tourney.queries.journal_chain import ChainHead, chain_problems, entry_problems
from tourney.queries.state import state_of
from tourney.runtime.messages import Message, in_a_row, message, pmessage

CALLED: dict[type[Model], Message] = {
    Event: pmessage("a row of the history", "Event"),
    Entrant: pmessage("a row of the history", "Entrant"),
    Round: pmessage("a row of the history", "Round"),
    Match: pmessage("a row of the history", "Match"),
    PlayedSheet: message("Fleet Build Sheet"),
    Seat: pmessage("a row of the history", "Seat"),
    Result: pmessage("a row of the history", "Result"),
    Penalty: pmessage("a row of the history", "Penalty"),
    RollOff: pmessage("a row of the history", "Roll-off"),
    Roll: pmessage("a row of the history", "Roll"),
    PlayerReport: pmessage("a row of the history", "Player’s report"),
    Wish: pmessage("a row of the history", "Request"),
    SheetCheck: pmessage("a row of the history", "Signature"),
}
"""What the rows of an event's history are called."""


def event_problems(event: Event) -> list[Message]:
    """What is wrong with the event: its rows, its history, its entries of the journal; [] proves that they agree."""
    return [*_wrong_rows(event), *entry_problems(event)]


def store_problems(store: Store, events: Iterable[Event], known: Iterable[ChainHead] = ()) -> list[Message]:
    """What is wrong with these events of the store, and with its chain; `known` are heads that somebody kept."""
    wrong = [
        message("{event}: {problem}", event=event.slug, problem=sentence)
        for event in events
        for sentence in _wrong_rows(event)
    ]
    return wrong + chain_problems(store, known)


def _wrong_rows(event: Event) -> Iterator[Message]:
    for one in differences(event):
        yield message(
            "{row} isn’t as the history says. It was changed past the history.", row=_called(one.table, one.row)
        )
    for table, row in _unexplained(event):
        yield message("{row} was changed, but no journal entry says by whom.", row=_called(table, row))
    yield from _wrong_versions(event)
    if FinalRanking.objects.filter(event=event).exists():
        yield from wrong_finals(state_of(Event.objects.with_context().get(pk=event.pk)))


def _called(table: str, row: int) -> Message:
    return in_a_row([CALLED[TABLES[table]], str(row)])


UNEXPLAINED = """
    SELECT c."table", c."row" FROM event_changes(%(event)s) c LEFT JOIN tourney_journalentry e ON e.id = c.entry_id
    WHERE e.store_id <> %(store)s OR e.event_id <> %(event)s OR e.id IS NULL AND NOT EXISTS (
        SELECT FROM tourney_journallink l WHERE l.entry_id = c.entry_id AND l.store_id = %(store)s
    ) ORDER BY c.id
"""


def _unexplained(event: Event) -> Iterable[tuple[str, int]]:
    """The rows with a change of which no entry of this event, or of its store itself, says anything.

    An entry that is gone counts: its link says so.
    """
    with connection.cursor() as cursor:
        cursor.execute(UNEXPLAINED, {"event": event.pk, "store": event.campaign.store_id})
        return dict.fromkeys(cursor.fetchall())


def _wrong_versions(event: Event) -> Iterator[Message]:
    """Each entry made a version of its own, in order, and the event can only have gone on from the last."""
    kept = event.journal.exclude(version=None).order_by("pk").values_list("version", "pk")
    versions = [(version, entry) for version, entry in kept if version is not None]
    for (before, _), (version, entry) in pairwise(versions):
        if version <= before:
            yield message(
                "Journal entry {entry} says it made version {version} of the event, which was already at {before}.",
                entry=entry,
                version=version,
                before=before,
            )
    now = Event.objects.values_list("version", flat=True).get(pk=event.pk)
    if versions and now < versions[-1][0]:
        yield message(
            "The event is at version {now}, but the journal goes up to version {last}.", now=now, last=versions[-1][0]
        )
