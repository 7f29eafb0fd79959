"""What each card did lately, counted by all processes together; not logged, as the wrong keys and passwords."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tourney", "0046_push")]

    operations = [
        migrations.CreateModel(
            name="CardSteps",
            fields=[
                (
                    "player",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="tourney.player",
                    ),
                ),
                ("since", models.DateTimeField()),
                ("done", models.PositiveIntegerField()),
            ],
        ),
        migrations.RunSQL("ALTER TABLE tourney_cardsteps SET UNLOGGED", migrations.RunSQL.noop),
    ]
