"""Events are canceled, get another date or are deleted, and campaigns are archived; none that exists was."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tourney", "0039_judge_calls")]

    operations = [
        migrations.AddField("campaign", "archived_at", models.DateTimeField(null=True)),
        migrations.AddField("event", "canceled_at", models.DateTimeField(null=True)),
        migrations.AddField(
            "event",
            "moved_from",
            models.DateTimeField(null=True, help_text="the date that its players knew, where it has another now"),
        ),
        migrations.AddField(
            "event",
            "deleted_at",
            models.DateTimeField(null=True, help_text="no page knows it any more; its journal stays"),
        ),
    ]
