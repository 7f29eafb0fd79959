"""Rehearsals: an event played beforehand by made-up results, at a store of its own that nobody else finds."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tourney.models.event import Event


class Pace(models.TextChoices):
    """How a rehearsal goes on."""

    STEP = "step", _("Step by step")
    MINUTE = "minute", _("One round per minute")
    FAST = "fast", _("As fast as possible")


class Rehearsal(models.Model):
    """A copy of `event` that is played at the store `store`, whose `rehearsal` is this one (`actions/rehearsal.py`).

    `held` counts those who could not be checked in for want of a legal fleet, where the event asks for one.
    """

    event = models.OneToOneField(Event, on_delete=models.PROTECT, related_name="rehearsal")
    pace = models.CharField(max_length=10, choices=Pace)
    seed = models.BigIntegerField()
    registered = models.PositiveSmallIntegerField()
    made_up = models.PositiveSmallIntegerField()
    held = models.PositiveSmallIntegerField(default=0)
    by_name = models.CharField(max_length=150)
    begun_at = models.DateTimeField()
    ends_at = models.DateTimeField(help_text="from then on nobody sees it, and it is thrown away")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(pace__in=Pace.values), name="rehearsal_pace_is_known"),
        ]

    def __str__(self) -> str:
        return f"rehearsal of {self.event}"
