"""A store's own month packs: their versions, which never change, and drafts on the way to the next one."""

from typing import Self

from django.db import models

from scoring.models import MonthPack
from tourney.models.store import Store, User
from tourney.runtime import json_shapes as shapes
from tourney.runtime.checked_json import CheckedJSONField

NOTE_LENGTH = 200
LONGEST_TYPED = 70_000


class OwnPackQuerySet(models.QuerySet["OwnPack"]):
    def in_use(self) -> Self:
        """The packs that were not retired: what new events can be made with."""
        return self.filter(retired_at=None)


class OwnPack(models.Model):
    """A month pack of one store. `origin` is the pack that it was copied from or imported as."""

    store = models.ForeignKey(Store, on_delete=models.PROTECT, related_name="own_packs")
    slug = models.SlugField(max_length=60, unique=True)
    origin = models.ForeignKey(MonthPack, on_delete=models.PROTECT, related_name="+")
    retired_at = models.DateTimeField(null=True)

    objects = OwnPackQuerySet.as_manager()

    def __str__(self) -> str:
        return self.slug


class PackVersion(models.Model):
    """One version of a store's own pack, as it was saved; `number` counts from 1."""

    own = models.ForeignKey(OwnPack, on_delete=models.PROTECT, related_name="versions", db_index=False)
    number = models.PositiveIntegerField()
    pack = models.ForeignKey(MonthPack, on_delete=models.PROTECT, related_name="+")
    note = models.CharField(max_length=NOTE_LENGTH, help_text="what changed")
    at = models.DateTimeField()
    by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    by_name = models.CharField(max_length=150)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["own", "number"], name="one_version_per_number_and_pack")]

    def __str__(self) -> str:
        return f"{self.own} version {self.number}"


class PackDraft(models.Model):
    """What one person has typed so far: of a new pack (without `own`), or on top of version `base` of an own one.

    `typed` is the page's form, field by field, right or wrong. `page` names the open page that wrote last, and `edits`
    counts how often one did: a page that was opened before another one wrote goes on as a draft of its own.
    """

    store = models.ForeignKey(Store, on_delete=models.CASCADE, related_name="pack_drafts")
    own = models.ForeignKey(OwnPack, on_delete=models.CASCADE, null=True, related_name="drafts")
    base = models.PositiveIntegerField(default=0)
    origin = models.ForeignKey(MonthPack, on_delete=models.PROTECT, related_name="+")
    by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()
    typed = CheckedJSONField(
        reader=shapes.reader_of(shapes.table_of(shapes.text(100), shapes.list_of(shapes.text(LONGEST_TYPED)))),
        instead=dict,
    )
    edits = models.PositiveIntegerField(default=0)
    page = models.CharField(max_length=20, blank=True)
    saved = models.ForeignKey(PackVersion, on_delete=models.CASCADE, null=True, related_name="+")

    class Meta:
        ordering = ["-at"]

    def __str__(self) -> str:
        return f"draft of {self.own or self.origin}"
