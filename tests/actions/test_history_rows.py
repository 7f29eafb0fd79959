"""What the history keeps of each row: all of it where it comes or goes, else the columns that are different."""

import json
import re
from importlib import import_module
from random import Random

import pytest
from django.db import connection
from django.db.models import F

from tests.support.nights import AT, BY, make_night, make_store
from tests.support.tables import enter, on_time
from tests.support.undoing import redo, undo
from tourney.actions import entrants, simulation
from tourney.models import Event, Round, RowChange, Seat
from tourney.queries.history import ADDED, MOSTLY, differences, history_of, stored_rows

pytestmark = pytest.mark.django_db


def changes_after(event: Event, number: int) -> list[tuple[str, dict | None, dict | None]]:
    """Table, before and after of what the history noted since its entry of that number."""
    noted = RowChange.objects.filter(event=event, pk__gt=number).order_by("pk")
    return [(one.table.removeprefix("tourney_"), one.before, one.after) for one in noted]


def last_change(event: Event) -> int:
    return RowChange.objects.filter(event=event).order_by("pk").last().pk


def test_of_a_row_that_changes_the_columns_are_kept_that_are_different():
    event = make_night(players=4, open_round=True).event
    enter(event, 1, on_time(40, 20))
    seen = last_change(event)

    enter(event, 1, on_time(40, 30), version=1)
    entrants.drop(event, 1, by=BY)

    assert changes_after(event, seen) == [
        ("result", {"version": 1, "sp_left_b": 20}, {"version": 2, "sp_left_b": 30}),
        ("entrant", {"dropped_from": None}, {"dropped_from": 2}),
    ]


def test_a_statement_that_changes_nothing_leaves_no_history():
    event = make_night(players=4, open_round=True).event
    seen = last_change(event)

    Seat.objects.filter(round__event=event).update(destroyed=[])
    Event.objects.filter(pk=event.pk).update(version=F("version") + 1)

    assert changes_after(event, seen) == []


def test_seats_say_whose_they_are_with_every_change_of_one_statement():
    event = make_night(players=4, open_round=True).event
    seen, seats = last_change(event), Seat.objects.filter(round__event=event).order_by("pk")

    seats.update(destroyed=[2])

    assert changes_after(event, seen) == [
        ("seat", {"entrant_id": one.entrant_id, "destroyed": []}, {"entrant_id": one.entrant_id, "destroyed": [2]})
        for one in seats
    ]


def test_of_a_new_row_what_most_new_rows_hold_is_left_out():
    event = make_night(players=4, open_round=True).event
    seen, seat = last_change(event), Seat.objects.filter(round__event=event).order_by("pk").first()
    enter(event, 1, on_time(40, 20))

    ((table, before, result),) = changes_after(event, seen)
    line = RowChange.objects.get(table="tourney_seat", row=seat.pk)

    assert (table, before) == ("result", None)
    assert set(result) == {"id", "ending", "version", "match_id", "sp_left_a", "sp_left_b", "entered_at", "entered_by"}
    assert line.after == {name: getattr(seat, name) for name in ("id", "match_id", "round_id", "entrant_id", "side")}
    assert differences(event) == []


def test_what_triggers_leave_out_is_what_is_read_where_it_is_missing():
    with connection.cursor() as cursor:
        cursor.execute("SELECT proname::text, prosrc FROM pg_proc WHERE proname LIKE 'note\\_%'")
        found = {name: re.search(r"IS DISTINCT FROM '(.*)'::jsonb", source) for name, source in cursor.fetchall()}

    left_out = {f"tourney_{name[5:]}": json.loads(match[1]) for name, match in found.items() if match}

    assert left_out == MOSTLY
    for table, columns in MOSTLY.items():
        assert ADDED.get(table, {}) | columns == columns | ADDED.get(table, {})


def test_a_history_of_whole_rows_goes_on_with_changed_columns():
    """As it was written before the migration, which leaves it as it is."""
    migration = import_module("tourney.migrations.0025_changed_columns")
    connection.check_constraints()  # no trigger waits for its transaction, as none does when one migrates
    with connection.cursor() as cursor:
        cursor.execute(import_module("tourney.migrations.0012_history").NOTE)
        for table in migration.TABLES:
            cursor.execute(migration.backwards(table))
    event = make_night(players=5, rounds=1, open_round=True, store=make_store()[0]).event
    connection.check_constraints()
    whole = [row.after for row in event.changes.filter(table="tourney_round").filter(before__isnull=False)]
    with connection.cursor() as cursor:
        for table in migration.TABLES:
            cursor.execute(migration.forwards(table))
    recorded = list(event.changes.order_by("pk").values())

    simulation.play_round(event, random=Random(1), by=simulation.actor_at(AT))
    there, undone = [stored_rows(event)], []
    while history_of(event).last:
        undone.append(undo(event))
        there.append(stored_rows(event))
    back, again = there[-1:], []
    while history_of(event).next:
        again.append(redo(event))
        back.append(stored_rows(event))

    assert {len(row) for row in whole} == {len(Round._meta.concrete_fields)}
    assert (again, back) == (undone[::-1], there[::-1])
    assert differences(event) == []
    assert list(event.changes.order_by("pk").values())[: len(recorded)] == recorded
