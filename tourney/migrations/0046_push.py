"""The site's key for notifications, and the browsers that asked for them."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tourney", "0045_branding")]

    operations = [
        migrations.CreateModel(
            name="PushKey",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("private", models.CharField(max_length=43)),
                ("public", models.CharField(max_length=87)),
            ],
            options={
                "constraints": [models.CheckConstraint(condition=models.Q(("pk", 1)), name="push_key_is_one")],
            },
        ),
        migrations.CreateModel(
            name="PushSubscription",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("endpoint", models.CharField(max_length=1000)),
                ("public_key", models.CharField(help_text="of the browser, base64url", max_length=87)),
                ("secret", models.CharField(help_text="shared with the browser, base64url", max_length=22)),
                ("kinds", django.contrib.postgres.fields.ArrayField(models.CharField(max_length=10))),
                ("language", models.CharField(max_length=10)),
                ("site", models.CharField(max_length=300)),
                ("asked_at", models.DateTimeField(help_text="by the browser, the last time")),
                (
                    "card",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="push_subscriptions",
                        to="tourney.playercard",
                    ),
                ),
                (
                    "membership",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="push_subscriptions",
                        to="tourney.membership",
                    ),
                ),
            ],
            options={
                "db_table": "tourney_push_subscription",
                "ordering": ["asked_at", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("endpoint", "card"), name="one_push_per_browser_and_card"),
                    models.UniqueConstraint(fields=("endpoint", "membership"), name="one_push_per_browser_and_role"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("card", None), ("membership__isnull", False)),
                            models.Q(("card__isnull", False), ("membership", None)),
                            _connector="OR",
                        ),
                        name="push_is_for_a_card_or_a_role",
                    ),
                ],
            },
        ),
    ]
