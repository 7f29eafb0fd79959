"""Penalties beside results, matches decided by a ruling, and which version of the event an entry of the journal made."""

import django.db.models.deletion
from django.db import migrations, models

NOTE = """
CREATE TRIGGER note_change AFTER INSERT OR UPDATE OR DELETE ON tourney_penalty
    FOR EACH ROW EXECUTE FUNCTION note_change(
        '(SELECT event_id FROM tourney_round WHERE id = ($1 ->> ''round_id'')::bigint)'
    );
"""


class Migration(migrations.Migration):
    dependencies = [
        ("tourney", "0013_rehearsal"),
    ]

    operations = [
        migrations.CreateModel(
            name="Penalty",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("battle_points", models.SmallIntegerField(default=0)),
                ("fleet_points", models.SmallIntegerField(default=0)),
                ("reason", models.CharField(max_length=200)),
                ("given_by", models.CharField(help_text="the sign-in name of whoever gave it", max_length=150)),
                ("given_at", models.DateTimeField()),
            ],
            options={
                "verbose_name_plural": "penalties",
            },
        ),
        migrations.RemoveConstraint(
            model_name="report",
            name="report_ending_is_known",
        ),
        migrations.RemoveConstraint(
            model_name="result",
            name="result_ending_is_known",
        ),
        migrations.AddField(
            model_name="journalentry",
            name="version",
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AlterField(
            model_name="report",
            name="ending",
            field=models.CharField(
                choices=[
                    ("elimination", "elimination"),
                    ("both_eliminated", "both eliminated"),
                    ("time", "time"),
                    ("scenario", "scenario"),
                    ("concession", "concession"),
                    ("no_show", "no show"),
                    ("neither_came", "neither came"),
                    ("double_loss", "double loss"),
                    ("ruling", "ruling"),
                ],
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="result",
            name="ending",
            field=models.CharField(
                choices=[
                    ("elimination", "elimination"),
                    ("both_eliminated", "both eliminated"),
                    ("time", "time"),
                    ("scenario", "scenario"),
                    ("concession", "concession"),
                    ("no_show", "no show"),
                    ("neither_came", "neither came"),
                    ("double_loss", "double loss"),
                    ("ruling", "ruling"),
                ],
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="result",
            name="ruling",
            field=models.CharField(blank=True, help_text="reason of what a judge decided", max_length=200),
        ),
        migrations.AddConstraint(
            model_name="report",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "ending__in",
                        [
                            "elimination",
                            "both_eliminated",
                            "time",
                            "scenario",
                            "concession",
                            "no_show",
                            "neither_came",
                            "double_loss",
                            "ruling",
                        ],
                    )
                ),
                name="report_ending_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="result",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "ending__in",
                        [
                            "elimination",
                            "both_eliminated",
                            "time",
                            "scenario",
                            "concession",
                            "no_show",
                            "neither_came",
                            "double_loss",
                            "ruling",
                        ],
                    )
                ),
                name="result_ending_is_known",
            ),
        ),
        migrations.AddField(
            model_name="penalty",
            name="entrant",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="penalties", to="tourney.entrant"
            ),
        ),
        migrations.AddField(
            model_name="penalty",
            name="round",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="penalties", to="tourney.round"
            ),
        ),
        migrations.AddConstraint(
            model_name="penalty",
            constraint=models.UniqueConstraint(
                fields=("round", "entrant", "battle_points", "fleet_points", "reason"), name="a_penalty_is_given_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="penalty",
            constraint=models.CheckConstraint(
                condition=models.Q(("battle_points", 0), ("fleet_points", 0), _negated=True),
                name="a_penalty_changes_points",
            ),
        ),
        migrations.AddConstraint(
            model_name="penalty",
            constraint=models.CheckConstraint(
                condition=models.Q(("reason", ""), _negated=True), name="a_penalty_has_its_reason"
            ),
        ),
        migrations.RunSQL(NOTE, "DROP TRIGGER note_change ON tourney_penalty"),
    ]
