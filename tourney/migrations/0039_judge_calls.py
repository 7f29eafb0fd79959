"""A player calls a judge for anything from the card."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tourney", "0038_dice_by_phone")]

    operations = [
        migrations.CreateModel(
            name="JudgeCall",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "about",
                    models.CharField(
                        choices=[("rules", "Rules"), ("time", "Time"), ("behavior", "Behavior"), ("other", "Other")],
                        max_length=10,
                    ),
                ),
                ("words", models.CharField(blank=True, help_text="for the judge", max_length=200)),
                ("is_answered", models.BooleanField(default=False, help_text="a judge is coming")),
                ("at", models.DateTimeField()),
                (
                    "entrant",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="judge_call", to="tourney.entrant"
                    ),
                ),
            ],
            options={
                "db_table": "tourney_judge_call",
                "ordering": ["at", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("about__in", ["rules", "time", "behavior", "other"])),
                        name="judge_call_is_about_known",
                    )
                ],
            },
        ),
    ]
