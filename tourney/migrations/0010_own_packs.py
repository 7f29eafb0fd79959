import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0001_initial"),
        ("tourney", "0009_prizes"),
    ]

    operations = [
        migrations.CreateModel(
            name="OwnPack",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.SlugField(max_length=60, unique=True)),
                ("retired_at", models.DateTimeField(null=True)),
                (
                    "origin",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="scoring.monthpack"
                    ),
                ),
                (
                    "store",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="own_packs", to="tourney.store"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="PackVersion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("note", models.CharField(help_text="what changed", max_length=200)),
                ("at", models.DateTimeField()),
                ("by_name", models.CharField(max_length=150)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "own",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="versions", to="tourney.ownpack"
                    ),
                ),
                (
                    "pack",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="scoring.monthpack"
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="PackDraft",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("base", models.PositiveIntegerField(default=0)),
                ("at", models.DateTimeField()),
                ("typed", models.JSONField()),
                ("edits", models.PositiveIntegerField(default=0)),
                ("page", models.CharField(blank=True, max_length=20)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "origin",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="scoring.monthpack"
                    ),
                ),
                (
                    "own",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="drafts",
                        to="tourney.ownpack",
                    ),
                ),
                (
                    "store",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="pack_drafts", to="tourney.store"
                    ),
                ),
                (
                    "saved",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tourney.packversion",
                    ),
                ),
            ],
            options={
                "ordering": ["-at"],
            },
        ),
        migrations.AddConstraint(
            model_name="packversion",
            constraint=models.UniqueConstraint(fields=("own", "number"), name="one_version_per_number_and_pack"),
        ),
    ]
