"""Who was asked for a faction, and plays without one (rule 1.4)."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tourney", "0029_player_card_language")]

    operations = [
        migrations.AddField(
            model_name="entrant",
            name="plays_without",
            field=models.BooleanField(default=False, help_text="a faction, as the desk was told (rule 1.4)"),
        ),
    ]
