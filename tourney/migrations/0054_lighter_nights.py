"""What a night leaves in the database, made less.

A sheet that played is a row of its own, to which seats point: the rounds of an event mostly repeat those before. Nothing
is moved: a seat of before keeps its sheet, as its history says. The new rows have a history like all others.

The history of a new row leaves columns out that hold what new rows mostly do. What is recorded stays as it is, whole
rows and all: `tourney.queries.history` reads both.

The steps in which a fleet was built, each with a whole sheet, go with the end of its event, which locks it for good.
"""

import json
from importlib import import_module

import django.db.models.deletion
from django.db import migrations, models

CHANGED_COLUMNS = import_module("tourney.migrations.0025_changed_columns")
ARRIVING = import_module("tourney.migrations.0049_store_archive")
TABLE = "playedsheet"

NOTHING_SAID = dict.fromkeys(("address", "bring", "description", "entry_fee", "prizes", "shop_link"), "")
NO_MOMENT = dict.fromkeys(("canceled_at", "deleted_at", "finished_at", "moved_from", "sign_up_closes_at"))
NO_FACTS: dict[str, object] = {"condition": None, "condition_side": "", "out": "", "tallies_a": {}, "tallies_b": {}}
MOSTLY = {
    "event": NOTHING_SAID
    | NO_MOMENT
    | {
        "announcements": [],
        "break_minutes": None,
        "checks_in_by_phone": False,
        "ends": None,
        "fleets_recorded": "asked",
    }
    | {"other_tables": False, "places": None, "tables": []},
    "entrant": {"by_self": False, "checked_in": False, "dropped_from": None, "paid": False}
    | {"place_released": False, "plays_without": False},
    "round": dict.fromkeys(("closed_at", "ends_at", "paused_left", "published_at"))
    | {"by_hand": "", "relaxed": [], "state": "draft"},
    "match": {"by_hand": "", "moved_from": None},
    "seat": {"destroyed": [], "dice": [], "played_sheet": None, "sheet_id": None},
    "result": NO_FACTS | {"adjustment_a": 0, "adjustment_b": 0, "ruling": "", "sp_ruling": ""},
    "report": NO_FACTS | {"words": ""},
}
"""What is left out of a new row of each table. It is as frozen as the history: a row without the column had this."""

WHOLE = "t.id, to_jsonb(t) - hidden FROM added t"
LESS = """t.id, (
                SELECT jsonb_object_agg(key, value) FROM jsonb_each(to_jsonb(t) - hidden)
                WHERE value IS DISTINCT FROM '{mostly}'::jsonb -> key
            ) FROM added t"""


def note(table: str, *, whole: bool) -> str:
    event, _, always = CHANGED_COLUMNS.TABLES[table]
    sql = CHANGED_COLUMNS.NOTE.format(table=table, event=event, always=",".join(always))
    less = LESS.format(mostly=json.dumps(MOSTLY[table]))
    again: str = ARRIVING.replaced(sql if whole else sql.replace(WHOLE, less))
    return again


NOTE = CHANGED_COLUMNS.NOTE.format(table=TABLE, event="t.event_id", always="") + "".join(
    CHANGED_COLUMNS.TRIGGER.format(what=what, table=TABLE, rows=rows, hidden="")
    for what, rows in CHANGED_COLUMNS.ROWS.items()
)
PAST_STEPS = """
DELETE FROM tourney_fleetstep s USING tourney_fleet f, tourney_entrant n, tourney_event e
    WHERE f.id = s.fleet_id AND n.id = f.entrant_id AND e.id = n.event_id AND e.finished_at IS NOT NULL
"""
NO_NOTE = "".join(f"DROP TRIGGER note_{what} ON tourney_{TABLE};" for what in CHANGED_COLUMNS.ROWS)


class Migration(migrations.Migration):
    dependencies = [("tourney", "0053_stores_come_and_go")]

    operations = [
        migrations.RunSQL(PAST_STEPS, migrations.RunSQL.noop, elidable=True),  # first: what follows locks the seats
        migrations.CreateModel(
            name="PlayedSheet",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("data", models.JSONField()),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="played_sheets",
                        to="tourney.event",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="seat",
            name="sheet",
            field=models.ForeignKey(
                db_index=False,
                help_text="the fleet as it was when the round closed (rule 7.1)",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="seats",
                to="tourney.playedsheet",
            ),
        ),
        migrations.AlterField(
            model_name="seat",
            name="played_sheet",
            field=models.JSONField(help_text="the same, of rounds that closed before sheets had rows", null=True),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                condition=models.Q(("sheet__isnull", False)), fields=["sheet"], name="seats_of_a_played_sheet"
            ),
        ),
        migrations.RunSQL(NOTE, f"{NO_NOTE} DROP FUNCTION note_{TABLE}();"),
        migrations.RunSQL(
            ARRIVING.QUIET.format(table=TABLE, hidden=""), ARRIVING.AS_BEFORE.format(table=TABLE, hidden="")
        ),
        *(migrations.RunSQL(note(table, whole=False), note(table, whole=True)) for table in MOSTLY),
    ]
