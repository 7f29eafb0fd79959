"""The sets that a player owns, kept with the card."""

from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tourney", "0031_fleets_recorded")]

    operations = [
        migrations.AddField(
            model_name="playercard",
            name="sets",
            field=ArrayField(models.CharField(max_length=160), default=list),
        ),
        migrations.AddField(
            model_name="playercard",
            name="only_own_sets",
            field=models.BooleanField(default=False),
        ),
    ]
