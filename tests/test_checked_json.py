"""JSON columns: nothing is saved that its reader refuses, and no column is without one."""

from collections.abc import Callable
from datetime import UTC, datetime
from itertools import product
from typing import Any

import pytest
from django.apps import apps
from django.db import models, transaction
from django.db.models import Value
from msgspec import ValidationError

from tests.support.nights import make_night
from tests.support.unreadable import BROKEN, overwrite
from tourney.models import Event, Fleet, Match, Result, Roll
from tourney.runtime import json_shapes as shapes
from tourney.runtime.checked_json import CheckedJSONField, UnreadableValue

COLUMNS = [
    (model, field)
    for app in ("fleets", "scoring", "tourney")
    for model in apps.get_app_config(app).get_models(include_auto_created=True)
    for field in model._meta.concrete_fields
    if isinstance(field, models.JSONField)
]
NAMES = [f"{model._meta.label}.{field.name}" for model, field in COLUMNS]


def deep(levels: int) -> Any:
    return [deep(levels - 1)] if levels else []


BAD = {
    "a word": "wrong",
    "a number": 17,
    "true": True,
    "a list of what it does not hold": [[object()]],
    "NUL": {"a": "\0"},
    "NUL in a name": {"\0": 1},
    "half a letter": {"a": "\ud800"},
    "a number without end": {"a": float("inf")},
    "no number": {"a": float("nan")},
    "a number of 131 digits": {"a": 10**130},
    "a moment": {"a": datetime(2026, 11, 20, tzinfo=UTC)},
    "deeper than any": {"a": deep(100)},
}
WRITERS: dict[str, Callable] = {
    "save": lambda model, field, bad: model(**{field.attname: bad}).save(force_insert=True),
    "save again": lambda model, field, bad: model(pk=1, **{field.attname: bad}).save(update_fields=[field.name]),
    "bulk_create": lambda model, field, bad: model.objects.bulk_create([model(**{field.attname: bad})]),
    "bulk_update": lambda model, field, bad: model.objects.bulk_update(
        [model(pk=1, **{field.attname: bad})], [field.name]
    ),
    "update": lambda model, field, bad: model.objects.update(**{field.name: bad}),
    "update by Value": lambda model, field, bad: model.objects.update(**{field.name: Value(bad, field)}),
}


@pytest.mark.parametrize(("model", "field"), COLUMNS, ids=NAMES)
def test_a_json_column_has_a_reader(model, field):
    assert isinstance(field, CheckedJSONField)
    assert callable(field.reader)


def test_there_are_json_columns_to_look_at():
    assert {"tourney.Fleet.data", "tourney.Seat.played_sheet", "fleets.CatalogueCard.data"} <= set(NAMES)
    assert len(NAMES) >= 20


def test_a_json_column_without_a_reader_cannot_be_made():
    with pytest.raises(TypeError, match="reader"):
        CheckedJSONField(default=dict)


@pytest.mark.django_db
@pytest.mark.parametrize(("model", "field"), COLUMNS, ids=NAMES)
def test_what_the_reader_refuses_is_not_saved_in_any_way(model, field):
    for write, bad in product(WRITERS.values(), BAD.values()):
        with pytest.raises(UnreadableValue, match=rf"^{model._meta.label}\.{field.name}: "), transaction.atomic():
            write(model, field, bad)


@pytest.mark.parametrize(("model", "field"), [(one, field) for one, field in COLUMNS if field.has_default()])
def test_what_a_new_row_begins_with_can_be_read_but_for_a_match_which_is_made_with_its_reason(model, field):
    assert (model, field.name) == (Match, "reason") or field.is_readable(shapes.as_stored(field.get_default()))


@pytest.mark.parametrize(("model", "field"), [row for row in COLUMNS if row[1].instead])
def test_what_stands_in_for_an_unreadable_value_can_be_saved(model, field):
    assert field.is_readable(shapes.as_stored(field.instead()))


def test_migrations_know_a_json_column_without_its_reader():
    field = Fleet._meta.get_field("data")

    assert type(field.clone()) is models.JSONField
    assert field.deconstruct()[1] == "django.db.models.JSONField"


@pytest.mark.django_db
def test_a_small_value_that_cannot_be_read_is_read_as_what_stands_in_for_it():
    event = make_night(players=0).event
    overwrite(event, "tables", [{"number": "one"}])

    assert Event.objects.get(pk=event.pk).tables == []
    assert list(Event.objects.filter(pk=event.pk).values_list("tables", flat=True)) == [[]]


@pytest.mark.parametrize("model", [Match, Result, Roll])
def test_a_row_that_the_database_packed_is_read_like_any_other(model):
    from tourney.runtime.packed import unpacked

    fields = model._meta.concrete_fields
    row = unpacked(model, ["wrong" if isinstance(field, models.JSONField) else None for field in fields])

    assert all(field.is_readable(getattr(row, field.name)) for field in fields if isinstance(field, models.JSONField))


@pytest.mark.django_db
def test_a_sheet_is_checked_as_it_will_be_read_and_not_as_it_is_in_memory():
    with pytest.raises(UnreadableValue, match=r"resource\.card\.title should be one line of 1 to 120 characters"):
        Fleet(data=BROKEN).save()


@pytest.mark.parametrize(
    ("value", "stored"),
    [({1: (2, 3)}, {"1": [2, 3]}), ([True, None, 1.5, "é"], [True, None, 1.5, "é"]), ("\U0001f680", "\U0001f680")],
)
def test_a_value_is_looked_at_as_json_gives_it_back(value, stored):
    assert shapes.as_stored(value) == stored


class Lamp(shapes.ExactRecord):
    on: bool


SHAPES = {
    "text": (shapes.text(3), "abé", ["abcd", 1, None]),
    "number": (shapes.number(1, 3), 3, [0, 4, True, 1.0, "1"]),
    "instant": (shapes.Instant, "2026-11-20T17:45:00+00:00", ["2026-11-20T17:45:00", "soon", 5, None]),
    "maybe": (bool | None, None, [1, []]),
    "list": (shapes.list_of(bool, most=2), [True, False], [[1], [True] * 3, {}, "ab"]),
    "pair": (tuple[bool, shapes.text(2)], [True, "ab"], [[True], [True, "ab", 1], ["ab", True], 5]),
    "object": (dict, {"a": [1]}, [[], None, "a"]),
    "object of": (shapes.table_of(shapes.text(1), bool, most=1), {"a": True}, [{"ab": True}, {"a": 1}, []]),
    "object by number": (
        shapes.table_of(shapes.number(1, 30), bool),
        {"17": True},
        [{one: True} for one in ("0", "31", "-1", "٣", "017", " 1", "9" * 20)],
    ),
    "record": (Lamp, {"on": True}, [{}, {"on": True, "b": True}, {"on": 1}, []]),
}


@pytest.mark.parametrize(("shape", "right", "wrong"), SHAPES.values(), ids=SHAPES)
def test_a_shape_takes_what_it_says_and_nothing_else(shape, right, wrong):
    read = shapes.reader_of(shape, by_number=True)
    read(right)
    for value in wrong:
        with pytest.raises(ValidationError):
            read(value)
