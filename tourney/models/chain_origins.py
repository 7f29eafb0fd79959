"""Where the first links of a store's chain were made, if not here."""

from typing import Annotated

from django.db import models
from msgspec import Meta

from tourney.models.store import Store
from tourney.runtime import json_shapes as shapes
from tourney.runtime.checked_json import CheckedJSONField

DIGEST = Annotated[str, Meta(max_length=64)]
NAME = Annotated[str, Meta(max_length=150)]


class ChainOrigin(models.Model):
    """The links of a store's chain up to number `until` were made at another installation, by other ids.

    A row that has the id n here had n - `shift` there; the month pack with a digest had the id that `packs` says. The
    hashes hold for the ids of there (docs/journal.md). `staff` are the names and roles of those who worked at the
    store when it came here; they have no account by that. The database lets nobody add one to a store that has
    links, or change one.
    """

    store = models.ForeignKey(Store, on_delete=models.PROTECT, related_name="origins", db_index=False)
    until = models.PositiveIntegerField()
    shift = models.BigIntegerField()
    packs = CheckedJSONField(reader=shapes.reader_of(shapes.table_of(DIGEST, shapes.number(1, shapes.GREATEST))))
    staff = CheckedJSONField(default=list, reader=shapes.reader_of(shapes.list_of(tuple[NAME, NAME])))

    class Meta:
        db_table = "tourney_chain_origin"
        ordering = ["until"]
        constraints = [models.UniqueConstraint(fields=["store", "until"], name="one_origin_per_number_and_store")]

    def __str__(self) -> str:
        return f"links up to {self.until}"
