"""The history of an event: every row of it that was added, changed or deleted, in order.

Triggers of the database write it (`changed_columns` and `lighter_nights` of the migrations), whoever makes the change.
Nothing is left out but what is known, so the event can be built anew from it. What was recorded of an event that is
long over is packed (`PackedHistory`): `queries.history` reads both.
"""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from tourney.models.event import Event
from tourney.models.journal import JournalEntry
from tourney.runtime import json_shapes as shapes
from tourney.runtime.checked_json import CheckedJSONField


class RowChange(models.Model):
    """What happened to one row: `before` is None where it was added, `after` where it was deleted.

    The other one is then the whole row; of one that was added without the columns that hold what most new rows do
    (`MOSTLY` of `queries.history`). Of a row that changed both have the columns that are different. Older history has
    all columns.

    `table` is the database's name, `row` the row's id there. `entry` is the step it was part of, None for what is no
    entry of the journal. Columns that only ever count on are left out (`UNTRACKED_COLUMNS` of `queries.history`).
    """

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="changes", db_index=False)
    entry = models.ForeignKey(JournalEntry, on_delete=models.PROTECT, null=True, related_name="changes")
    transaction = models.BigIntegerField()
    table = models.CharField(max_length=40)
    row = models.BigIntegerField()
    before = CheckedJSONField(null=True, reader=shapes.reader_of(dict))
    after = CheckedJSONField(null=True, reader=shapes.reader_of(dict))

    class Meta:
        db_table = "tourney_change"
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["event", "id"], name="history_of_an_event"),
            models.Index(fields=["transaction"], condition=models.Q(entry=None), name="changes_without_entry"),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.row}"


class PackedHistory(models.Model):
    """The changes of an event whose entries were chained when it was packed, which are in their table no more.

    The database fills it (migration `packed_history`): to make one packs them, to delete it puts them back with the ids
    they had. `lines` are the changes in JSON, one a line, and `entries` those that they are part of.
    """

    event = models.OneToOneField(Event, on_delete=models.PROTECT, primary_key=True, related_name="packed_history")
    lines = models.TextField(default="")
    entries = models.GeneratedField(
        expression=models.Func("lines", function="entries_of_lines"),
        output_field=ArrayField(models.BigIntegerField()),
        db_persist=True,
    )

    class Meta:
        db_table = "tourney_packed_history"
        ordering = ["event"]

    def __str__(self) -> str:
        return str(self.event)
