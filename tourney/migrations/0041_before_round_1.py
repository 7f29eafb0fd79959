"""What players are told of an event before round 1; its places, until when they sign up, and who paid."""

from django.db import migrations, models

TEXTS = {"description": 1000, "address": 200, "entry_fee": 80, "bring": 400, "shop_link": 300}
HELP = {
    "description": "for players, in plain text",
    "bring": "what players bring along",
    "shop_link": "https alone",
}


def text(name: str) -> "models.CharField[str, str]":
    return models.CharField(max_length=TEXTS[name], blank=True, default="", help_text=HELP.get(name, ""))


class Migration(migrations.Migration):
    dependencies = [("tourney", "0040_change_of_plans")]

    operations = [
        *(migrations.AddField("event", name, text(name)) for name in TEXTS),
        migrations.AddField(
            "event",
            "ends",
            models.TimeField(null=True, help_text="by the store's clock, the first after the start"),
        ),
        migrations.AddField(
            "event",
            "break_minutes",
            models.PositiveSmallIntegerField(
                null=True, help_text="between two rounds; players see a timetable unless it is null"
            ),
        ),
        migrations.AddConstraint(
            "event",
            models.CheckConstraint(condition=models.Q(break_minutes__lte=240), name="event_break_minutes_to_240"),
        ),
        migrations.AddField(
            "event", "places", models.PositiveSmallIntegerField(null=True, help_text="null: for everybody")
        ),
        migrations.AddField(
            "event",
            "sign_up_closes_at",
            models.DateTimeField(null=True, help_text="for players; the desk registers until the end"),
        ),
        migrations.AddField(
            "event",
            "checks_in_by_phone",
            models.BooleanField(default=False, help_text="whether players check themselves in"),
        ),
        migrations.AddConstraint(
            "event",
            models.CheckConstraint(condition=models.Q(places__gte=1, places__lte=2000), name="event_places_1_to_2000"),
        ),
        migrations.AddField("entrant", "paid", models.BooleanField(default=False, help_text="as the desk ticked it")),
        migrations.AddField(
            "entrant",
            "place_released",
            models.BooleanField(default=False, help_text="for who waits, while the player was not here"),
        ),
    ]
