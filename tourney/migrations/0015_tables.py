"""Tables of the room, what players need of them, and why a draft was changed by hand; the history knows it too."""

from django.db import migrations, models

KNOWN = """
UPDATE tourney_change SET before = before || {new}, after = after || {new} WHERE "table" = '{table}'
"""
EVENT = KNOWN.format(table="tourney_event", new="""'{"tables": [], "other_tables": false}'::jsonb""")
MATCH = KNOWN.format(table="tourney_match", new="""'{"moved_from": null}'::jsonb""")
ROUND = KNOWN.format(table="tourney_round", new="""'{"by_hand": ""}'::jsonb""")


class Migration(migrations.Migration):
    dependencies = [("tourney", "0014_penalties")]

    operations = [
        migrations.AddField(
            model_name="event",
            name="other_tables",
            field=models.BooleanField(default=False, help_text="nobody twice at one table, where that can be avoided"),
        ),
        migrations.AddField(
            model_name="event",
            name="tables",
            field=models.JSONField(
                default=list, help_text="a row for each table, as tourney.queries.tables reads them"
            ),
        ),
        migrations.AddField(
            model_name="player",
            name="fixed_table",
            field=models.PositiveSmallIntegerField(help_text="a need; no page for everybody shows it", null=True),
        ),
        migrations.AddField(model_name="player", name="near_door", field=models.BooleanField(default=False)),
        migrations.AddField(model_name="player", name="quiet", field=models.BooleanField(default=False)),
        migrations.AddField(
            model_name="round",
            name="by_hand",
            field=models.CharField(blank=True, help_text="why this draft was last changed by hand", max_length=200),
        ),
        migrations.AddField(
            model_name="match",
            name="moved_from",
            field=models.PositiveSmallIntegerField(help_text="its table when it was published", null=True),
        ),
        migrations.RunSQL(EVENT, migrations.RunSQL.noop),
        migrations.RunSQL(MATCH, migrations.RunSQL.noop),
        migrations.RunSQL(ROUND, migrations.RunSQL.noop),
    ]
