"""The history of an event: which steps can be undone, how it stood after each, and whether it adds up.

What changed is read by functions of the database (`event_changes`, `store_changes`; migration `packed_history`), for
which it is the same whether the history is packed.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from django.db import connection, models
from django.db.models.expressions import RawSQL

from tourney.domain.history import Change, HistoryStep, Row, Steps, net, rows_after, steps_of
from tourney.domain.verbs import SNAPSHOTS, STEPS, Verb, facts_of
from tourney.models import (
    Entrant,
    Event,
    JournalEntry,
    Match,
    Penalty,
    PlayedSheet,
    PlayerReport,
    Result,
    Roll,
    RollOff,
    Round,
    RowChange,
    Seat,
    SheetCheck,
    Wish,
)
from tourney.queries.journal import plainly
from tourney.queries.matches import MatchState
from tourney.queries.rows import EventRows
from tourney.queries.state import EventState
from tourney.runtime.messages import Message, message
from tourney.runtime.packed import packed, unpacked

type Key = tuple[str, int]
"""A row: the name of its table and its id."""

MODELS = (
    *(Event, Entrant, Round, Match, PlayedSheet, Seat, Result, Penalty, RollOff, Roll),
    *(PlayerReport, Wish, SheetCheck),
)
"""Whose rows make up an event; each after those it points to."""

UNTRACKED_COLUMNS = {Event: ("version", "numbers_given"), Entrant: ("player_id",), Match: ("savings",)}
"""Columns that no step takes back: they count on for good, or belong to the player (`models.Change`)."""

TABLES: dict[str, type[models.Model]] = {model._meta.db_table: model for model in MODELS}


def added(*columns: tuple[type[models.Model], str, object]) -> dict[str, dict[str, object]]:
    """The columns (of a model, by name) that tables got later, by table, with what they were until then, as in JSON.

    Raises LookupError for what is no column of a table of the history, or is not kept there.
    """
    found: dict[str, dict[str, object]] = {}
    for model, column, until_then in columns:
        kept = {field.column for field in model._meta.concrete_fields} - {*UNTRACKED_COLUMNS.get(model, ())}
        if model not in MODELS or column not in kept:
            raise LookupError(f"“{column}” is no column of the history of {model.__name__}.")
        found.setdefault(model._meta.db_table, {})[column] = until_then
    return found


ADDED = added(
    (Entrant, "plays_without", False),
    (Event, "fleets_recorded", "asked"),
    (Seat, "dice", []),
    (Event, "canceled_at", None),
    (Event, "moved_from", None),
    (Event, "deleted_at", None),
    *((Event, fact, "") for fact in ("description", "address", "entry_fee", "bring", "shop_link")),
    *((Event, fact, None) for fact in ("ends", "break_minutes", "places", "sign_up_closes_at")),
    (Event, "checks_in_by_phone", False),
    (Entrant, "paid", False),
    (Entrant, "place_released", False),
    (Wish, "passed_on", False),
    (Seat, "sheet_id", None),
)
"""Columns that a table got after the history was sealed (migration `journal_chain`), with what they were until then.

The history is never rewritten: what was recorded before a column was there is read as if it had been. A test names
every column that is neither in the sealed history nor here (docs/architecture.md, "How to add").
"""


MOSTLY = added(
    *((Event, column, "") for column in ("address", "bring", "description", "entry_fee", "prizes", "shop_link")),
    *((Event, column, None) for column in ("canceled_at", "deleted_at", "finished_at", "moved_from")),
    *((Event, column, None) for column in ("break_minutes", "ends", "places", "sign_up_closes_at")),
    *((Event, column, False) for column in ("checks_in_by_phone", "other_tables")),
    *((Event, column, []) for column in ("announcements", "tables")),
    (Event, "fleets_recorded", "asked"),
    *((Entrant, column, False) for column in ("by_self", "checked_in", "paid", "place_released", "plays_without")),
    (Entrant, "dropped_from", None),
    *((Round, column, None) for column in ("closed_at", "ends_at", "paused_left", "published_at")),
    *((Round, column, value) for column, value in (("by_hand", ""), ("relaxed", []), ("state", "draft"))),
    *((Match, column, value) for column, value in (("by_hand", ""), ("moved_from", None))),
    *((Seat, column, []) for column in ("destroyed", "dice")),
    *((Seat, column, None) for column in ("played_sheet", "sheet_id")),
    *((model, column, "") for model in (Result, PlayerReport) for column in ("condition_side", "out")),
    *((model, column, {}) for model in (Result, PlayerReport) for column in ("tallies_a", "tallies_b")),
    *((model, "condition", None) for model in (Result, PlayerReport)),
    *((Result, column, 0) for column in ("adjustment_a", "adjustment_b")),
    *((Result, column, "") for column in ("ruling", "sp_ruling")),
    (PlayerReport, "words", ""),
)
"""Columns that the history of a new row leaves out where they hold this (migration `lighter_nights`).

Frozen as the history: what leaves out more, or another value, is a migration of the triggers.
"""


@dataclass(frozen=True, slots=True)
class History:
    """What can be undone and done again at this moment; the entries by id."""

    steps: Steps
    entries: Mapping[int, JournalEntry]

    @property
    def last(self) -> JournalEntry | None:
        """What would be undone now."""
        return self.entries[self.steps.done[-1]] if self.steps.done else None

    @property
    def next(self) -> JournalEntry | None:
        """What would be done again now."""
        return self.entries[self.steps.undone[-1]] if self.steps.undone else None


def history_of(event: Event) -> History:
    """The steps of the event that the history knows, in one query."""
    entries = {entry.pk: entry for entry in _known(event).order_by("pk")}
    return History(steps_of(map(_step, entries.values())), entries)


_IS_KEPT = """
    EXISTS (SELECT FROM tourney_change c WHERE c.entry_id = tourney_journalentry.id) OR EXISTS (
        SELECT FROM tourney_packed_history p
        WHERE p.event_id = tourney_journalentry.event_id AND tourney_journalentry.id = ANY(p.entries)
    )
"""
IS_KEPT = RawSQL(_IS_KEPT, (), models.BooleanField())
"""Whether an entry of an event's journal changed something of it, as far as the history goes back."""


@dataclass(frozen=True, slots=True)
class LatelyDone:
    """The newest entries of the event's journal, the last first, and what would be undone now."""

    entries: tuple[JournalEntry, ...]
    last_step: JournalEntry | None


LOOKED_THROUGH = 16
"""Entries among which the last step nearly always is: others say who registered or brought a fleet."""


LATELY = f"""
    SELECT {packed(JournalEntry, "tourney_journalentry")}, {_IS_KEPT}
    FROM tourney_journalentry WHERE event_id = %s ORDER BY id DESC LIMIT {LOOKED_THROUGH}
"""


def lately_done(event: Event, most: int) -> LatelyDone:
    """So many entries and the last step: in one query, unless that lies far back or went back itself."""
    with connection.cursor() as cursor:
        cursor.execute(LATELY, [event.pk])
        newest = [(unpacked(JournalEntry, values), is_kept) for values, is_kept in cursor.fetchall()]
    step = next((one for one, is_kept in newest if is_kept and one.did in (*STEPS, Verb.UNDO, Verb.REDO)), None)
    is_plain = step is not None and step.did in STEPS
    return LatelyDone(tuple(one for one, _ in newest[:most]), step if is_plain else last_step_of(event))


def last_step_of(event: Event) -> JournalEntry | None:
    """What would be undone now: the newest entry, in one query, or what all of them say where that one went back."""
    newest = _known(event).order_by("pk").last()
    return history_of(event).last if newest and newest.did in (Verb.UNDO, Verb.REDO) else newest


def _known(event: Event) -> models.QuerySet[JournalEntry]:
    return steps_kept(event).filter(did__in=(*STEPS, Verb.UNDO, Verb.REDO))


def steps_kept(event: Event) -> models.QuerySet[JournalEntry]:
    """The entries of the event's journal that changed something of it, as far as the history goes back."""
    return JournalEntry.objects.filter(IS_KEPT, event=event)


def step_of(event: Event, number: int) -> JournalEntry | None:
    """The entry of that id, if it is one of them."""
    return steps_kept(event).filter(pk=number).first()


def _step(entry: JournalEntry) -> HistoryStep:
    if entry.did in (Verb.UNDO, Verb.REDO):
        return HistoryStep(entry.after["step"], entry.did)
    return HistoryStep(entry.pk)


def changes_in(entry: JournalEntry) -> dict[Key, Change[Key]]:
    """What that step changed, row by row."""
    of_step = "SELECT * FROM event_changes(%s) WHERE entry_id = %s ORDER BY id"
    return net(map(_change, RowChange.objects.raw(of_step, [entry.event_id, entry.pk])))


UNTIL = """
    WITH noted AS (SELECT * FROM event_changes(%(event)s) WHERE entry_id <= %(entry)s OR entry_id IS NULL)
    SELECT * FROM noted WHERE id <= (SELECT max(id) FROM noted WHERE entry_id IS NOT NULL) ORDER BY id
"""


def changes_of(event: Event) -> Iterable[RowChange]:
    """All that the history says of the event, in order, packed or not."""
    return RowChange.objects.raw("SELECT * FROM event_changes(%s) ORDER BY id", [event.pk])


def rows_at(event: Event, entry: JournalEntry | None = None) -> dict[Key, Row]:
    """The rows of the event after that entry, by its history; without an entry, after everything."""
    noted = changes_of(event)
    if entry:
        noted = RowChange.objects.raw(UNTIL, {"event": event.pk, "entry": entry.pk})
    return {key: row for key, row in rows_after(map(_change, noted)).items() if row is not None}


def state_at(event: Event, entry: JournalEntry) -> EventState:
    """The event as it stood after that entry, with its players as they are called now."""
    by_table: dict[str, list[Row]] = {}
    for (table, _), row in rows_at(event, entry).items():
        by_table.setdefault(table, []).append(row)

    def found[Stored: models.Model](model: type[Stored]) -> list[Stored]:
        return _instances(model, by_table.get(model._meta.db_table, []))

    then = found(Event)[0]
    then.campaign, then.pack, then.version = event.campaign, event.pack, event.version
    return EventState(then, _rows(found, event))


class _Found(Protocol):
    """The objects of a model as they were."""

    def __call__[Stored: models.Model](self, model: type[Stored]) -> list[Stored]: ...


def _rows(found: _Found, event: Event) -> EventRows:
    players = {entrant.pk: entrant.player for entrant in event.entrants.select_related("player")}
    rows = EventRows(rounds=sorted(found(Round), key=lambda round: round.number))
    rounds = {round.pk: round for round in rows.rounds}
    results = {result.match_id: result for result in found(Result)}
    for entrant in sorted(found(Entrant), key=lambda entrant: entrant.number):
        if entrant.pk in players:  # who was removed later never sat down
            entrant.player, entrant.has_fleet = players[entrant.pk], False
            rows.entrants.append(entrant)
    for match in found(Match):
        match.round = rounds[match.round_id]
        Match._meta.get_field("result").set_cached_value(match, results.get(match.pk))
        rows.matches.append(match)
    for seat in sorted(found(Seat), key=lambda seat: seat.side):
        rows.seats[seat.match_id].append((seat.entrant_id, seat.destroyed))
    for penalty in sorted(found(Penalty), key=lambda penalty: penalty.pk):
        rows.penalties[penalty.round_id].append(penalty)
    for roll_off in sorted(found(RollOff), key=lambda roll_off: roll_off.pk):
        roll_off.round = rounds[roll_off.round_id]
        rows.roll_offs.append(roll_off)
    for roll in sorted(found(Roll), key=lambda roll: roll.number):
        rows.rolls[roll.roll_off_id].append(roll)
    return rows


def _instances[Stored: models.Model](model: type[Stored], rows: list[Row]) -> list[Stored]:
    """Objects of these rows, which need not be stored (any more)."""
    table = connection.ops.quote_name(model._meta.db_table)
    sql = f"SELECT * FROM jsonb_populate_recordset(NULL::{table}, %s::jsonb)"
    return list(model._default_manager.raw(sql, [json.dumps(rows)])) if rows else []


def _change(noted: RowChange) -> Change[Key]:
    """Whole rows have every column of now; of one that changed, older history holds the whole row too."""
    before, after = noted.before, noted.after
    if before is None or after is None:
        left_out = ADDED.get(noted.table, {}) | MOSTLY.get(noted.table, {})
        before, after = (row and {**left_out, **row} for row in (before, after))
    return Change((noted.table, noted.row), before, after)


def stored_rows(event: Event) -> dict[Key, Row]:
    """The rows of the event as they are stored now."""
    found: dict[Key, Row] = {}
    for model in MODELS:
        ids = model._default_manager.filter(**{_way_to_event(model): event.pk}).values_list("pk", flat=True)
        found |= rows_with((model._meta.db_table, pk) for pk in ids)
    return found


def rows_with(keys: Iterable[Key]) -> dict[Key, Row]:
    """Those of these rows that there are now, as the history writes them; a query for each table."""
    ids: dict[str, list[int]] = {}
    for table, row in keys:
        ids.setdefault(table, []).append(row)
    found: dict[Key, Row] = {}
    with connection.cursor() as cursor:
        for table, wanted in ids.items():
            hidden = list(UNTRACKED_COLUMNS.get(TABLES[table], ()))
            name = connection.ops.quote_name(table)
            cursor.execute(
                f"SELECT id, (to_jsonb(t) - %s::text[])::text FROM {name} t WHERE id = ANY(%s)", [hidden, wanted]
            )
            found |= {(table, row): _read(data) for row, data in cursor.fetchall()}
    return found


def _read(data: str) -> Row:
    row: Row = RowChange._meta.get_field("after").from_db_value(data, None, connection)
    return row


def _way_to_event(model: type[models.Model]) -> str:
    if model in (PlayerReport, Wish, SheetCheck):
        return "seat__round__event"
    own = {Event: "pk", Entrant: "event", Round: "event", PlayedSheet: "event"}
    far = {Result: "match__round__event", Roll: "roll_off__round__event"}
    return (own | far).get(model, "round__event")


def snapshots_of(event: Event) -> list[JournalEntry]:
    """The steps that can be gone back to, the last one first."""
    return list(steps_kept(event).filter(did__in=SNAPSHOTS).order_by("-pk"))


@dataclass(frozen=True, slots=True)
class RowDifference:
    """A row that is not as the history says; None where it is not there."""

    table: str
    row: int
    history: Row
    stored: Row


def differences(event: Event) -> list[RowDifference]:
    """Where what is stored is not what the history comes to: empty proves that they are equal."""
    history, stored = rows_at(event), stored_rows(event)
    return [
        RowDifference(*key, history.get(key), stored.get(key))
        for key in dict.fromkeys((*history, *stored))
        if history.get(key) != stored.get(key)
    ]


# in words


def moment_in_words(entry: JournalEntry) -> str:
    """How the event stood after that step, for the heading of its snapshot."""
    number, words = (entry.after or {}).get("round"), facts_of(entry.did).moment
    if words is None or ("{round}" in words.id and not number):
        return plainly(entry)
    return str(replace(words, params={"round": number} if number else {}))


@dataclass(frozen=True, slots=True)
class RankAtMoment:
    """A player's rank and points at one moment."""

    rank: int
    battle_points: int
    fleet_points: int


@dataclass(frozen=True, slots=True)
class TableAtMoment:
    """Who sat at a table at one moment, and what came of it; no table number: the bye."""

    who: str | Message
    result: str | Message


@dataclass(frozen=True, slots=True)
class Compared[Thing]:
    """One thing at two moments, under its name; None where it is not there. Things that are the same are left out."""

    label: str | Message
    first: Thing | None
    second: Thing | None

    @property
    def both(self) -> tuple[Thing | None, Thing | None]:
        """What stood at the first moment and at the second, None where it was not there."""
        return self.first, self.second


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs between two moments of an event."""

    ranks: tuple[Compared[RankAtMoment], ...]
    tables: tuple[Compared[TableAtMoment], ...]


def compare(first: EventState, second: EventState) -> Comparison:
    """Ranks after all complete rounds, and the tables of every round."""
    return Comparison(_compared(_ranks(first), _ranks(second)), _compared(_tables(first), _tables(second)))


def _compared[Thing](
    first: dict[str | Message, Thing], second: dict[str | Message, Thing]
) -> tuple[Compared[Thing], ...]:
    labels = dict.fromkeys((*second, *first))
    found = (Compared(label, first.get(label), second.get(label)) for label in labels)
    return tuple(one for one in found if one.first != one.second)


def _ranks(state: EventState) -> dict[str | Message, RankAtMoment]:
    lines = state.standings(len(state.complete_rounds))
    return {state.names[line.id]: RankAtMoment(line.rank, line.battle_points, line.fleet_points) for line in lines}


def _tables(state: EventState) -> dict[str | Message, TableAtMoment]:
    return {label_of(match): _table(state, match) for round in state.rounds for match in round.matches}


def label_of(match: MatchState) -> Message:
    """What a table, or the bye, is called among those of all rounds."""
    if match.table is None:
        return message("Round {round}, bye", round=match.round.number)
    return message("Round {round}, table {table}", round=match.round.number, table=match.table)


def against(state: EventState, match: MatchState) -> str | Message:
    """Who sits there."""
    first, *others = (state.names[number] for number in match.numbers)
    return message("{player} against {opponent}", player=first, opponent=others[0]) if others else first


def _table(state: EventState, match: MatchState) -> TableAtMoment:
    return TableAtMoment(against(state, match), match.score.why if match.score else "")
