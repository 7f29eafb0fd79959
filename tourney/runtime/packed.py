"""Rows of several tables in one answer: the database packs them as JSON arrays, which become rows of models again.

To ask for them table by table takes longer than all else on most pages: Django writes every query anew.
"""

from collections.abc import Callable
from datetime import datetime
from functools import cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS
from django.db.models import DateTimeField, Model

from tourney.runtime.checked_json import CheckedJSONField

type Packed = list[Any]
"""The values of a row in the order of its columns, as JSON has them."""


@cache
def packed(model: type[Model], alias: str) -> str:
    """The SQL that packs a row of the model's table, called `alias`, or null where a join found none."""
    columns = ", ".join(f'{alias}."{field.column}"' for field in model._meta.concrete_fields)
    return f'CASE WHEN {alias}."{model._meta.pk.column}" IS NOT NULL THEN json_build_array({columns}) END'


def unpacked[Row: Model](model: type[Row], values: Packed) -> Row:
    """The row that the database packed. Arrays come out of it as they are, moments as text; JSON that cannot be read
    any more becomes what its column has instead."""
    names, readers = _fields(model)
    for place, read in readers:
        if values[place] is not None:
            values[place] = read(values[place])
    return model.from_db(DEFAULT_DB_ALIAS, names, values)


@cache
def _fields(model: type[Model]) -> tuple[list[str], list[tuple[int, Callable[[Any], Any]]]]:
    fields = model._meta.concrete_fields
    readers: list[tuple[int, Callable[[Any], Any]]] = []
    for place, field in enumerate(fields):
        if isinstance(field, DateTimeField):
            readers.append((place, datetime.fromisoformat))
        elif isinstance(field, CheckedJSONField) and field.instead:
            readers.append((place, field.as_read))
    return [field.attname for field in fields], readers
