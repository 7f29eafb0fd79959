"""Owners see who signed in at their store, or tried to."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tourney", "0017_talon_classes"),
    ]

    operations = [
        migrations.CreateModel(
            name="SignInAttempt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("signed_in", "Signed in"),
                            ("wrong_password", "Wrong password"),
                            ("not_tried", "Not tried: too many wrong passwords"),
                        ],
                        max_length=20,
                    ),
                ),
                ("network", models.CharField(help_text="the address without its end", max_length=50)),
                ("device", models.CharField(help_text="browser and system, in words of ours", max_length=60)),
                (
                    "store",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sign_in_attempts",
                        to="tourney.store",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["store", "at"], name="sign_ins_of_a_store")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("outcome__in", ["signed_in", "wrong_password", "not_tried"])),
                        name="sign_in_outcome_known",
                    )
                ],
            },
        ),
    ]
