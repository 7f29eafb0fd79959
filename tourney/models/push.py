"""Where browsers are told while Flagship is closed, and the key with which we say who tells them."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.sessions.models import Session
from django.db import models

from tourney.models.players import PlayerCard
from tourney.models.store import Membership


class PushKey(models.Model):
    """The one key pair of this site (RFC 8292), base64url: browsers take notifications of whoever signs with it alone.

    It is never changed: each subscription ends with it.
    """

    private = models.CharField(max_length=43)
    public = models.CharField(max_length=87)

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(pk=1), name="push_key_is_one")]

    def __str__(self) -> str:
        return "push key"


class PushSubscription(models.Model):
    """A browser that is told something, as it said itself: `endpoint` is an address of its maker's push service.

    It ends with the card, or with the role, for which it was asked; for a role also with the session in which it was:
    who signs out there, or whose session is over, is told nothing more. One browser has one endpoint, whoever uses it:
    somebody who judges at one store and plays at another has a row for each. `kinds` are those of
    `sharing.domain.push.PushKind`; `site` is the address under which these pages were open then.
    """

    endpoint = models.CharField(max_length=1000)
    public_key = models.CharField(max_length=87, help_text="of the browser, base64url")
    secret = models.CharField(max_length=22, help_text="shared with the browser, base64url")
    kinds = ArrayField(models.CharField(max_length=10))
    language = models.CharField(max_length=10)
    site = models.CharField(max_length=300)
    asked_at = models.DateTimeField(help_text="by the browser, the last time")
    card = models.ForeignKey(PlayerCard, on_delete=models.CASCADE, null=True, related_name="push_subscriptions")
    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, null=True, related_name="push_subscriptions")

    session = models.ForeignKey(
        Session, on_delete=models.CASCADE, null=True, related_name="push_subscriptions", db_index=False
    )

    class Meta:
        db_table = "tourney_push_subscription"
        ordering = ["asked_at", "pk"]
        indexes = [models.Index(fields=["session"], name="push_of_session")]
        constraints = [
            models.UniqueConstraint(fields=["endpoint", "card"], name="one_push_per_browser_and_card"),
            models.UniqueConstraint(fields=["endpoint", "membership"], name="one_push_per_browser_and_role"),
            models.CheckConstraint(
                condition=models.Q(card=None, membership__isnull=False) | models.Q(card__isnull=False, membership=None),
                name="push_is_for_a_card_or_a_role",
            ),
        ]

    def __str__(self) -> str:
        return f"push subscription {self.pk}"
