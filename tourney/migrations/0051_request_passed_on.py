"""A judge, who may only decline a request to drop, passes it on to an organizer."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tourney", "0050_wrong_codes")]

    operations = [
        migrations.AddField(
            model_name="wish",
            name="passed_on",
            field=models.BooleanField(default=False, help_text="a judge gave it to an organizer"),
        ),
    ]
