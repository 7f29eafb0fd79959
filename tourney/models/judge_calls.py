"""What a player calls a judge for."""

from django.db import models

from tourney.models.event import Entrant


class JudgeCall(models.Model):
    """A player calls a judge to where they are: one call at a time, gone once it is over; the journal keeps it.

    It is about anything but a fleet sheet (`SheetCheck`), and needs no round.
    """

    class About(models.TextChoices):
        RULES = "rules"
        TIME = "time"
        BEHAVIOR = "behavior"
        OTHER = "other"

    entrant = models.OneToOneField(Entrant, on_delete=models.CASCADE, related_name="judge_call")
    about = models.CharField(max_length=10, choices=About)
    words = models.CharField(max_length=200, blank=True, help_text="for the judge")
    is_answered = models.BooleanField(default=False, help_text="a judge is coming")
    at = models.DateTimeField()

    class Meta:
        db_table = "tourney_judge_call"
        ordering = ["at", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(about__in=["rules", "time", "behavior", "other"]), name="judge_call_is_about_known"
            ),
        ]

    def __str__(self) -> str:
        return f"call for a judge: {self.about}"
