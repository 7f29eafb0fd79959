"""Rows of several tables in one answer: the database packs them as JSON arrays, which become rows of models again.

To ask for them table by table takes longer than all else on most pages: Django writes every query anew. Whether rows
are those that were read before, PostgreSQL's own columns of each row tell, xmin and ctid, which are named here alone.
"""

from collections.abc import Callable
from datetime import datetime
from functools import cache
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import DEFAULT_DB_ALIAS, models

from tourney.runtime.checked_json import CheckedJSONField

type Packed = list[Any]
"""The values of a row in the order of its columns, as JSON has them."""
type Reader = Callable[[Any], Any]
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
    any more becomes what its column has instead."""
    names, readers = _fields(model)
    for place, read in readers:
        if values[place] is not None:
            values[place] = read(values[place])
    return model.from_db(DEFAULT_DB_ALIAS, names, values)


@cache
def _fields(model: type[models.Model]) -> tuple[list[str], list[tuple[int, Reader]]]:
    """The names of all fields, and the places of those that need a reader."""
    fields = model._meta.concrete_fields
    readers = [(place, read) for place, field in enumerate(fields) if (read := _reader_of(field))]
    return [field.attname for field in fields], readers


def _reader_of(field: "models.Field[Any, Any]") -> Reader | None:
    """What reads values of the field, None where they come as they are. Raises TypeError for a type not known."""
    if type(field) not in READERS:
        raise TypeError(f"{field}: how {type(field).__name__} comes out of JSON is not known in {__name__}.")
    return READERS[type(field)](field)


def _of_elements(field: "ArrayField[Any, Any]") -> None:
    if _reader_of(field.base_field):
        raise TypeError(f"{field}: an array of what does not come as it is, is not known in {__name__}.")


READERS: "dict[type[models.Field[Any, Any]], Callable[[Any], Reader | None]]" = {
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
        ),
        lambda field: None,
    ),
    models.DateTimeField: lambda field: datetime.fromisoformat,
    CheckedJSONField: lambda field: field.as_read if field.instead else None,
    ArrayField: _of_elements,
    models.ForeignKey: lambda field: _reader_of(field.target_field),
    models.OneToOneField: lambda field: _reader_of(field.target_field),
}
"""By the very type of a field, for one that inherits from it may read in a way of its own."""
