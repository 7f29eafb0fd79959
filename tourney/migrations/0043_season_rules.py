"""A campaign has rules of its own for its season; none that exists has any."""

from django.db import migrations, models

ORDERS = ("", "rank", "months", "reversed")


class Migration(migrations.Migration):
    dependencies = [("tourney", "0042_webhook")]

    operations = [
        migrations.AddField(
            "campaign",
            "best_of",
            models.PositiveSmallIntegerField(null=True, help_text="months that count of each player; null: all"),
        ),
        migrations.AddField(
            "campaign",
            "at_least",
            models.PositiveSmallIntegerField(null=True, help_text="months a player needs to rank with the others"),
        ),
        migrations.AddField(
            "campaign",
            "for_attendance",
            models.PositiveSmallIntegerField(default=0, help_text="Battle Points for each month played"),
        ),
        migrations.AddField(
            "campaign",
            "pick_order",
            models.CharField(max_length=8, blank=True, default="", help_text="of grand prizes; empty: none"),
        ),
        migrations.AddConstraint(
            "campaign",
            models.CheckConstraint(
                condition=models.Q(best_of__gte=1, best_of__lte=24), name="campaign_best_of_1_to_24"
            ),
        ),
        migrations.AddConstraint(
            "campaign",
            models.CheckConstraint(
                condition=models.Q(at_least__gte=2, at_least__lte=24), name="campaign_at_least_2_to_24"
            ),
        ),
        migrations.AddConstraint(
            "campaign",
            models.CheckConstraint(condition=models.Q(for_attendance__lte=10), name="campaign_for_attendance_to_10"),
        ),
        migrations.AddConstraint(
            "campaign",
            models.CheckConstraint(condition=models.Q(pick_order__in=ORDERS), name="campaign_has_a_known_pick_order"),
        ),
    ]
