"""The journal: who did what, when, and why.

A database trigger forbids changing or deleting an entry; only a forgotten name gives way to a mark.
"""

from django.db import models

from scoring.checked_json import CheckedJSONField
from scoring.domain import json_shapes as shapes
from tourney.models.event import Event
from tourney.models.store import Store, User


class JournalEntry(models.Model):
    """One action. `what` is a sentence; `before` and `after` are the facts it changed.

    `version` is the one that its event got by it, None where that is not known.
    """

    store = models.ForeignKey(Store, on_delete=models.PROTECT, related_name="journal")
    event = models.ForeignKey(Event, on_delete=models.PROTECT, null=True, related_name="journal")
    version = models.PositiveIntegerField(null=True)
    at = models.DateTimeField()
    by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    by_name = models.CharField(max_length=150)
    did = models.CharField(max_length=40)
    what = models.TextField()
    before = CheckedJSONField(null=True, reader=shapes.table)
    after = CheckedJSONField(null=True, reader=shapes.table)
    reason = models.TextField(blank=True)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "journal entries"
        indexes = [models.Index(fields=["event", "id"], name="journal_of_an_event")]

    def __str__(self) -> str:
        return self.what
