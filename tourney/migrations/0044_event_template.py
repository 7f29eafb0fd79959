"""What a store's new events begin with."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tourney", "0043_season_rules")]

    operations = [
        migrations.AddField(
            "store",
            "event_template",
            models.JSONField(default=dict, help_text="what its events begin with; empty: nobody said"),
        ),
    ]
