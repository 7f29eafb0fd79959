"""The language that a player chose goes with the card to another phone."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tourney", "0028_store_locale")]

    operations = [
        migrations.AddField(
            model_name="playercard",
            name="language",
            field=models.CharField(blank=True, default="", max_length=10),
        ),
    ]
