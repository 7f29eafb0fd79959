"""Owners can hide the list of steps to their first event."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tourney", "0035_token_messages")]

    operations = [
        migrations.AddField(
            "store",
            "first_event_hidden",
            models.BooleanField(default=False, help_text="the steps on the home page"),
        )
    ]
