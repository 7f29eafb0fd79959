"""Whether a round and a result wait until fleets are recorded and signed (rules 7.1, 7.2)."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tourney", "0030_plays_without_a_faction")]

    operations = [
        migrations.AddField(
            model_name="event",
            name="fleets_recorded",
            field=models.CharField(
                choices=[
                    ("asked", "Asked: the desk sees what is missing, and one press goes on"),
                    ("required", "Required: round 1 and results wait for them"),
                ],
                default="asked",
                max_length=10,
            ),
        ),
        migrations.AddConstraint(
            model_name="event",
            constraint=models.CheckConstraint(
                condition=models.Q(("fleets_recorded__in", ["asked", "required"])),
                name="event_fleets_recorded_known",
            ),
        ),
    ]
