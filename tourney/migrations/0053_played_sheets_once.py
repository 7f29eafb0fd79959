"""A sheet that played is a row of its own, to which seats point: the rounds of an event mostly repeat those before.

Nothing is moved: a seat of before keeps its sheet, as its history says. The new rows have a history like all others.

And the steps in which a fleet was built, each with a whole sheet, go with the end of its event, which locks it for good.
"""

from importlib import import_module

import django.db.models.deletion
from django.db import migrations, models

CHANGED_COLUMNS = import_module("tourney.migrations.0025_changed_columns")
ARRIVING = import_module("tourney.migrations.0049_store_archive")
TABLE = "playedsheet"

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
    dependencies = [("tourney", "0051_request_passed_on")]

    operations = [
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
        migrations.RunSQL(PAST_STEPS, migrations.RunSQL.noop, elidable=True),
    ]
