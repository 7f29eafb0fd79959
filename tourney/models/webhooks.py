"""A store's webhook, and what was sent there."""

import uuid

from django.db import models

from tourney.models.journal import JournalEntry
from tourney.models.store import Store
from tourney.runtime import json_shapes as shapes
from tourney.runtime.checked_json import CheckedJSONField


class WebhookFormat(models.TextChoices):
    JSON = "json"
    DISCORD = "discord"


class Webhook(models.Model):
    """Where a store's news goes. `kinds` are those of `sharing.domain.webhooks.News` that its owners chose.

    `site` is the address under which an owner knows these pages, for links; it begins what is sent.
    """

    store = models.OneToOneField(Store, on_delete=models.CASCADE, related_name="webhook")
    address = models.CharField(max_length=500)
    format = models.CharField(max_length=10, choices=WebhookFormat)
    kinds = CheckedJSONField(reader=shapes.reader_of(shapes.list_of(shapes.text(20), most=10)))
    secret = models.CharField(max_length=64)
    site = models.CharField(max_length=300)
    is_on = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(format__in=WebhookFormat.values), name="webhook_format_is_known"),
        ]

    def __str__(self) -> str:
        return f"webhook of {self.store_id}"


class Delivery(models.Model):
    """Something to tell a webhook, and what came of it. It holds no names: what is sent is made when it is sent.

    `entry` is the action of which it tells; None for a test. `key` is the same in each try. `next_at` is when it is
    tried again, None once it is over; `outcome` is of the last try, "" before the first: delivered, a `Trouble` of
    `runtime.outgoing`, or why nothing was sent. `parts_sent`: how many messages of it have arrived.
    """

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    entry = models.ForeignKey(JournalEntry, on_delete=models.PROTECT, null=True, related_name="+")
    key = models.UUIDField(default=uuid.uuid4)
    kind = models.CharField(max_length=20)
    made_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    parts_sent = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(null=True)
    tried_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=20, blank=True)
    status = models.PositiveSmallIntegerField(null=True)
    answer = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "deliveries"

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"
