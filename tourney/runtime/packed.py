"""Rows of several tables in one answer: the database packs them as JSON arrays, which become rows of models again.

To ask for them table by table takes longer than all else on most pages: Django writes every query anew. Whether rows
are those that were read before, PostgreSQL's own columns of each row tell, xmin and ctid, which are named here alone.
"""

import json
from collections.abc import Callable, Sequence
from datetime import datetime, time
from functools import cache
from itertools import product
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import DEFAULT_DB_ALIAS, connection, models
from django.db.models.base import ModelState

from tourney.runtime.checked_json import CheckedJSONField
from tourney.runtime.found_by import FoundByField

type Packed = list[Any]
"""The values of a row in the order of its columns, as JSON has them."""
type ColumnReader = Callable[[Any], Any]
"""From what JSON gave to what Django would have read of the column."""


@cache
def packed(model: type[models.Model], alias: str) -> str:
    """The SQL that packs a row of the model's table, called `alias`, or null where a join found none.

    Raises TypeError for a model with a field of a type that is not known here to come out of JSON as it was.
    """
    _fields(model)
    columns = ", ".join(f'{alias}."{field.column}"' for field in model._meta.concrete_fields)
    return f'CASE WHEN {alias}."{model._meta.pk.column}" IS NOT NULL THEN json_build_array({columns}) END'


def version_of(alias: str) -> str:
    """The SQL of what is another for every stored version of a row: which transaction wrote it, and where it lies."""
    return f"{alias}.xmin, {alias}.ctid"


def digest(*stored: str) -> str:
    """The SQL of a number that is another when any row of which these (SQL) are stored is another, comes or goes."""
    return f"sum(hash_record_extended(row({', '.join(stored)}), 0))"


def unpacked[Row: models.Model](model: type[Row], values: Packed) -> Row:
    """The row that the database packed. Arrays come out of it as they are, moments as text; JSON that cannot be read
    any more becomes what its column has instead.

    The values are put where the model's own attributes keep them: `from_db` sets one after the other, which takes half
    of the time to load an event.
    """
    names, readers = _fields(model)
    for place, read in readers:
        if values[place] is not None:
            values[place] = read(values[place])
    row = _stored(model)
    row.__dict__.update(zip(names, values, strict=True))
    return row


def new_row[Row: models.Model](model: type[Row], **values: Any) -> Row:
    """A row that is not saved yet, by the names of its fields; what is not given is None.

    The same as calling the model, in a third of the time, for thousands of rows of which every value is known.
    """
    row = model.__new__(model)
    row._state = ModelState()
    for field, name, attname in _names(model):
        value = values.get(name)
        if name != attname and value is not None:
            field.set_cached_value(row, value)
            value = value.pk
        row.__dict__[attname] = value
    return row


def insert_packed(rows: Sequence[models.Model]) -> None:
    """Insert new rows of one model in one statement, and give them their keys in this order.

    `bulk_create` writes every value of every row into the statement, which takes ten times as long for hundreds of
    rows. Raises UnreadableValue before any SQL for JSON that could not be read again.
    """
    if not rows:
        return
    meta = rows[0]._meta
    fields = [field for field in meta.concrete_fields if not isinstance(field, models.AutoField)]
    checked = [field for field in fields if isinstance(field, CheckedJSONField)]
    for field, row in product(checked, rows):
        if (value := getattr(row, field.attname)) is not None:
            field.check_value(value)
    places = [(field.column, field.attname) for field in fields]
    columns = ", ".join(f'"{column}"' for column, _ in places)
    contents = json.dumps([{column: getattr(row, attname) for column, attname in places} for row in rows])
    table = meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({columns}) SELECT {columns} FROM json_populate_recordset(NULL::{table}, %s)"
            f' RETURNING "{meta.pk.column}"',
            [contents],
        )
        for row, (key,) in zip(rows, cursor.fetchall(), strict=True):
            row.pk, row._state.adding, row._state.db = key, False, DEFAULT_DB_ALIAS


@cache
def _names(model: type[models.Model]) -> list[tuple[Any, str, str]]:
    """Every field of the model with its name, and that of its column’s value."""
    return [(field, field.name, field.attname) for field in model._meta.concrete_fields]


def with_columns[Row: models.Model](model: type[Row], columns: Sequence[str], values: Sequence[Any]) -> Row:
    """The row of which only these columns were read; any other asks the database. `values` are as Python has them."""
    row = _stored(model)
    row.__dict__.update(zip(columns, values, strict=True))
    return row


def _stored[Row: models.Model](model: type[Row]) -> Row:
    """A row of the database without any values yet: `from_db` takes longer than all else of a page of many rows."""
    row = model.__new__(model)
    row._state = ModelState()
    row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS
    return row


@cache
def _fields(model: type[models.Model]) -> tuple[list[str], list[tuple[int, ColumnReader]]]:
    """The names of all fields, and the places of those that need a reader."""
    fields = model._meta.concrete_fields
    readers = [(place, read) for place, field in enumerate(fields) if (read := _reader_of(field))]
    return [field.attname for field in fields], readers


def _reader_of(field: "models.Field[Any, Any]") -> ColumnReader | None:
    """What reads values of the field, None where they come as they are. Raises TypeError for a type not known."""
    if type(field) not in READERS:
        raise TypeError(f"{field}: how {type(field).__name__} comes out of JSON is not known in {__name__}.")
    return READERS[type(field)](field)


def _of_elements(field: "ArrayField[Any, Any]") -> None:
    if _reader_of(field.base_field):
        raise TypeError(f"{field}: an array of what does not come as it is, is not known in {__name__}.")


READERS: dict[type["models.Field[Any, Any]"], Callable[[Any], ColumnReader | None]] = {
    **dict.fromkeys(
        (
            models.BigAutoField,
            models.BigIntegerField,
            models.BooleanField,
            models.CharField,
            models.PositiveIntegerField,
            models.PositiveSmallIntegerField,
            models.SlugField,
            models.SmallIntegerField,
            models.TextField,
            FoundByField,
        ),
        lambda field: None,
    ),
    models.DateTimeField: lambda field: datetime.fromisoformat,
    models.TimeField: lambda field: time.fromisoformat,
    CheckedJSONField: lambda field: field.as_read if field.instead else None,
    ArrayField: _of_elements,
    models.ForeignKey: lambda field: _reader_of(field.target_field),
    models.OneToOneField: lambda field: _reader_of(field.target_field),
}
"""By the very type of a field, for one that inherits from it may read in a way of its own."""
