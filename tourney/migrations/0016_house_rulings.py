"""A store rules what the sheet leaves open."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tourney", "0015_tables"),
    ]

    operations = [
        migrations.CreateModel(
            name="HouseRuling",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("beside", models.CharField(blank=True, max_length=8)),
                ("topic", models.CharField(max_length=60)),
                ("text", models.CharField(max_length=500)),
                (
                    "store",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="house_rulings", to="tourney.store"
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("store", "number"), name="one_house_ruling_per_number")
                ],
            },
        ),
    ]
