"""A store's color and logo."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tourney", "0044_event_template")]

    operations = [
        migrations.AddField(
            "store", "accent", models.CharField(default="", help_text="its color, #rrggbb; empty: none", max_length=7)
        ),
        migrations.AddField(
            "store",
            "logo",
            models.CharField(default="", help_text="the name of its file, which follows its content", max_length=20),
        ),
        migrations.AddField("store", "logo_width", models.PositiveSmallIntegerField(default=0)),
        migrations.AddField("store", "logo_height", models.PositiveSmallIntegerField(default=0)),
        migrations.CreateModel(
            name="StoreLogo",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(choices=[("png", "PNG"), ("jpeg", "JPEG"), ("webp", "WEBP")], max_length=4),
                ),
                ("content", models.BinaryField()),
                (
                    "store",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="logo_file", to="tourney.store"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["png", "jpeg", "webp"])), name="logo_kind_is_known"
                    )
                ],
            },
        ),
    ]
