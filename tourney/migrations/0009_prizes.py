from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tourney", "0008_shown_names"),
    ]

    operations = [
        migrations.AddField(
            model_name="event",
            name="prizes",
            field=models.TextField(
                blank=True, default="", help_text="a line for each, as scoring.domain.prizes reads them"
            ),
            preserve_default=False,
        ),
    ]
