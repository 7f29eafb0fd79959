"""Month packs as they were when an event was made with them."""

import hashlib
import json
from functools import cached_property

from django.db import models

from scoring.domain.pack import MonthPack as Rules
from scoring.domain.pack import as_data, parse
from tourney.runtime.checked_json import CheckedJSONField


class MonthPackQuerySet(models.QuerySet["MonthPack"]):
    def keep(self, rules: Rules) -> "MonthPack":
        """The stored row of this very pack, made on first use; a row is never changed afterwards."""
        data = as_data(rules)
        digest = hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()
        row, _ = self.get_or_create(
            digest=digest, defaults={"slug": rules.slug, "version": rules.version, "data": data}
        )
        return row


class MonthPack(models.Model):
    """One version of a month's rules. An event keeps the version it was made with."""

    slug = models.SlugField(max_length=80)
    version = models.PositiveIntegerField()
    digest = models.CharField(max_length=64, unique=True)
    data = CheckedJSONField(reader=parse)

    objects = MonthPackQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.slug} v{self.version}"

    @cached_property
    def rules(self) -> Rules:
        """The parsed rules of the stored data. Raises what `parse` raises."""
        return parse(self.data)
