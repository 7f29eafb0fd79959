"""What each player's phone says of the next throw at a tied table (rule 4.1)."""

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tourney", "0037_recovery_words")]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="dice",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.PositiveSmallIntegerField(),
                default=list,
                help_text="this player's word on a throw at the table (rule 4.1): its number, and what sides a and b "
                "threw, or nothing more where software is to roll",
                size=None,
            ),
        ),
    ]
