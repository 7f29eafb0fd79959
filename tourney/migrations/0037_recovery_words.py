"""Words that bring a player's card to another phone, kept as their hash; no card that exists has any."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tourney", "0036_first_event_hidden")]

    operations = [
        migrations.AddField("playercard", "words_hash", models.CharField(max_length=64, blank=True, default="")),
        migrations.AddConstraint(
            "playercard",
            models.UniqueConstraint(
                fields=["words_hash"], condition=~models.Q(words_hash=""), name="recovery_words_open_one_card"
            ),
        ),
    ]
