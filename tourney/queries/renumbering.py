"""Rows with other ids: those that they have in a file, or had at another installation.

Of one store all ids go up or down by the same number, so that they keep their order; month packs belong to all stores,
and each has an id of its own.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db.models import Field, Model

from scoring.models import MonthPack
from tourney.domain.verbs import Verb
from tourney.models import JournalEntry, PlayerMerge, RowChange, User
from tourney.queries.history import TABLES

type RowData = dict[str, Any]

ARRAYS_OF_IDS: dict[type[Model], tuple[str, ...]] = {PlayerMerge: ("entries", "fleets", "older_names")}
FACTS_OF_IDS = {Verb.UNDO: "step", Verb.REDO: "step", Verb.RESTORE: "step", Verb.RENAME_PLAYER: "player"}
"""What an entry of the journal says of other rows by their ids; all else it says by names and numbers."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a table, by its database names, that hold ids: of rows of the store, and of month packs."""

    ids: tuple[str, ...]
    packs: tuple[str, ...]


@cache
def columns_of(model: type[Model]) -> Columns:
    """Which columns hold ids. Accounts are no rows of a store: columns of them are in neither."""
    pointing = [field for field in model._meta.concrete_fields if _points_at(field) not in (None, User)]
    packs = tuple(name_of(field) for field in pointing if _points_at(field) is MonthPack)
    ids = tuple(name_of(field) for field in pointing if _points_at(field) is not MonthPack)
    return Columns((*ids, "row") if model is RowChange else ids, packs)


def name_of(field: Field[Any, Any]) -> str:
    """What the database calls the column."""
    return str(field.column)


def key_of(model: type[Model]) -> str:
    """The column with the key of the table."""
    return name_of(model._meta.pk)


def _points_at(field: Field[Any, Any]) -> type[Model] | None:
    """The model of whose rows the column holds ids: its own where it is the key, else another; None for a value."""
    if field.is_relation:
        related = field.related_model
        return related if isinstance(related, type) else None
    return field.model if field.primary_key else None


@dataclass(frozen=True, slots=True)
class Renumbering:
    """From one numbering to another: `shift` is added to ids of the store, and `packs` has the new id of each pack."""

    shift: int
    packs: Mapping[int, int]

    def row(self, model: type[Model], row: RowData) -> RowData:
        """The row of that model’s table; a month pack that is not known becomes 0."""
        new = self._columns(columns_of(model), row)
        for name in ARRAYS_OF_IDS.get(model, ()):
            new[name] = [one + self.shift for one in row[name] if one + self.shift > 0]
        if model is RowChange:
            new |= {name: self.change(row["table"], row[name]) for name in ("before", "after")}
        elif model is JournalEntry:
            new |= {name: self.facts(row["did"], row[name]) for name in ("before", "after")}
        return new

    def change(self, table: str, row: RowData | None) -> RowData | None:
        """The row of an event's history, or its columns that changed."""
        model = TABLES.get(table)
        return row and self._columns(columns_of(model), row) if model else row

    def facts(self, did: str, facts: RowData | None) -> RowData | None:
        """What an entry of the journal says that it changed."""
        name = FACTS_OF_IDS.get(did)  # type: ignore[call-overload]  # a text is as good as its verb
        if not facts or name is None or not isinstance(facts.get(name), int):
            return facts
        return {**facts, name: facts[name] + self.shift}

    def change_as_text(self, table: str, text: str | None) -> str | None:
        """`change` of what the database writes for a row."""
        return text and _as_database_writes(self.change(table, json.loads(text)))

    def facts_as_text(self, did: str, text: str | None) -> str | None:
        """`facts` of what the database writes for them."""
        if not text or did not in FACTS_OF_IDS:
            return text
        return _as_database_writes(self.facts(did, json.loads(text)))

    def _columns(self, columns: Columns, row: RowData) -> RowData:
        new = dict(row)
        for name in columns.ids:
            if isinstance(row.get(name), int):
                new[name] = row[name] + self.shift
        for name in columns.packs:
            if isinstance(row.get(name), int):
                new[name] = self.packs.get(row[name], 0)
        return new


def _as_database_writes(data: RowData | None) -> str:
    return json.dumps(data, ensure_ascii=False)
