"""A store's webhook, and what was sent there."""

import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tourney", "0041_before_round_1")]

    operations = [
        migrations.CreateModel(
            name="Webhook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("address", models.CharField(max_length=500)),
                ("format", models.CharField(choices=[("json", "Json"), ("discord", "Discord")], max_length=10)),
                ("kinds", models.JSONField()),
                ("secret", models.CharField(max_length=64)),
                ("site", models.CharField(max_length=300)),
                ("is_on", models.BooleanField(default=True)),
                (
                    "store",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="webhook", to="tourney.store"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("format__in", ["json", "discord"])), name="webhook_format_is_known"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.UUIDField(default=uuid.uuid4)),
                ("kind", models.CharField(max_length=20)),
                ("made_at", models.DateTimeField()),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("parts_sent", models.PositiveSmallIntegerField(default=0)),
                ("next_at", models.DateTimeField(null=True)),
                ("tried_at", models.DateTimeField(null=True)),
                ("outcome", models.CharField(blank=True, max_length=20)),
                ("status", models.PositiveSmallIntegerField(null=True)),
                ("answer", models.CharField(blank=True, max_length=200)),
                (
                    "entry",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tourney.journalentry",
                    ),
                ),
                (
                    "webhook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="deliveries", to="tourney.webhook"
                    ),
                ),
            ],
            options={"verbose_name_plural": "deliveries", "ordering": ["-pk"]},
        ),
    ]
