from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tourney", "0010_own_packs"),
    ]

    operations = [
        migrations.AddField(
            model_name="event",
            name="announcements",
            field=models.JSONField(default=list, help_text="of each the text, and until when (null: open end)"),
        ),
    ]
