"""The sets that a card comes in."""

from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("fleets", "0002_imports")]

    operations = [
        migrations.AddField(
            model_name="cataloguecard",
            name="sets",
            field=ArrayField(
                models.CharField(max_length=160), default=list, help_text="the names of those it comes in"
            ),
        ),
    ]
