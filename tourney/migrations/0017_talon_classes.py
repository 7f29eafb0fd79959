"""A store saves the Talon classes that its tables play."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tourney", "0016_house_rulings"),
    ]

    operations = [
        migrations.CreateModel(
            name="TalonClass",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("name", models.CharField(max_length=60)),
                ("curves", models.CharField(max_length=80)),
                ("saved_by", models.CharField(max_length=150)),
                ("saved_at", models.DateTimeField()),
                (
                    "store",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="talon_classes", to="tourney.store"
                    ),
                ),
            ],
            options={
                "ordering": ["name", "number"],
                "constraints": [models.UniqueConstraint(fields=("store", "number"), name="one_talon_class_per_number")],
            },
        ),
    ]
