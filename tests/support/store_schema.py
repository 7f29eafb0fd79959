"""The JSON schema of a store's archive, as the models ask for it; `python -m tests.support.store_schema` writes it."""

import json
from pathlib import Path
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models

PATH = Path(__file__).parents[2] / "tourney/actions/store-1.schema.json"
INTEGERS = {
    models.PositiveSmallIntegerField: (0, 2**15 - 1),
    models.SmallIntegerField: (-(2**15), 2**15 - 1),
    models.PositiveIntegerField: (0, 2**31 - 1),
    models.IntegerField: (-(2**31), 2**31 - 1),
    models.BigIntegerField: (-(2**63) + 1, 2**63 - 1),
}
ID = {"type": "integer", "minimum": 1, "maximum": 2**53}
SHIFT = {"type": "integer", "minimum": -(2**53), "maximum": 2**53}
TEXT = {"type": "string"}
HEX = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
JSON = {"anyOf": [{"type": "object"}, {"type": "array"}]}
PATTERNS = {
    "tourney.Event.shop_link": "^(https://[^\\s]+)?$",
    "tourney.Store.accent": "^(#[0-9a-f]{6})?$",
    "tourney.Store.logo": "^([0-9a-f]{12}\\.(png|jpeg|webp))?$",
}
"""What forms make sure of, and the column does not say."""
ADDED_LATER: set[tuple[str, str]] = {("seat", "sheet_id"), ("store", "place")}
"""Columns (of a kind, by name) that archives of this version need not have: they were added after it."""


def schema() -> dict[str, Any]:
    """The schema of a line."""
    from tourney.queries.store_archive import WAYS, kind_of

    origin = {"until": {"type": "integer", "minimum": 1, "maximum": 2**31 - 1}, "shift": SHIFT}
    origin |= {"packs": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1}}}
    head = {"number": {**origin["until"], "minimum": 0}, "hash": HEX}
    packs = {"id": ID, "slug": {**TEXT, "maxLength": 80}, "version": {"type": "integer", "minimum": 0}}
    packs |= {"digest": HEX, "data": {"type": "object"}}
    kinds = {
        "store archive": exact(
            {"format": {"const": "flagship-store"}, "version": {"const": 1}, "history": exact(head)}
        ),
        "chainorigin": exact(origin),
        "staff": exact({"name": {**TEXT, "maxLength": 150}, "role": {"enum": ["owner", "organizer", "judge"]}}),
        "monthpack": exact(packs),
        **{kind_of(model): of_model(model) for model in WAYS},
        "end": exact({"lines": {"type": "integer", "minimum": 1}, "sha256": HEX}),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of the archive of a Flagship store, version 1 (docs/store-archive.md)",
        "type": "object",
        "minProperties": 1,
        "maxProperties": 1,
        "additionalProperties": False,
        "properties": kinds,
    }


def exact(fields: dict[str, Any], optional: set[str] = frozenset()) -> dict[str, Any]:
    needed = sorted(set(fields) - optional)
    return {"type": "object", "properties": fields, "required": needed, "additionalProperties": False}


def of_model(model: type[models.Model]) -> dict[str, Any]:
    from tourney.queries.store_archive import COLUMNS_LEFT_OUT, kind_of

    left_out, kind = COLUMNS_LEFT_OUT.get(model, {}), kind_of(model)
    fields = {one.column: of_column(one) for one in model._meta.concrete_fields if one.column not in left_out}
    return exact(fields, {name for name in fields if (kind, name) in ADDED_LATER})


def of_column(field: models.Field) -> dict[str, Any]:
    found = of_value(field)
    return {"anyOf": [*found.get("anyOf", [found]), {"type": "null"}]} if field.null else found


def of_value(field: models.Field) -> dict[str, Any]:
    if field.is_relation or field.primary_key:
        return ID
    if isinstance(field, ArrayField):
        return {"type": "array", "items": of_value(field.base_field)}
    if isinstance(field, models.JSONField):
        return JSON
    if isinstance(field, models.BooleanField):
        return {"type": "boolean"}
    if isinstance(field, models.DateTimeField):
        return {"type": "string", "format": "date-time"}
    if isinstance(field, models.TimeField):
        return {"type": "string", "pattern": "^[0-2][0-9]:[0-5][0-9]:[0-5][0-9]$"}
    if isinstance(field, models.BinaryField):
        return {"type": "string", "pattern": "^\\\\x([0-9a-f]{2})*$"}
    for kind, (low, high) in INTEGERS.items():
        if type(field) is kind:
            return {"type": "integer", "minimum": low, "maximum": high}
    return of_text(field)


def of_text(field: models.Field) -> dict[str, Any]:
    if field.choices:
        return {"enum": sorted({*(value for value, _ in field.flatchoices), *([""] if field.blank else [])})}
    longest = {"maxLength": field.max_length} if field.max_length else {}
    if pattern := PATTERNS.get(str(field)):
        return {"type": "string", "pattern": pattern, **longest}
    if isinstance(field, models.SlugField):
        return {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$", **longest}
    return {"type": "string", **longest}


def written() -> str:
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    import django

    django.setup()
    PATH.write_text(written())
