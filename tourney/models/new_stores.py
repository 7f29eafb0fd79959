"""Stores that were asked for, and those that were deleted."""

from django.db import models
from django.db.models.functions import Upper

from tourney.models.store import Store, User


class StoreRequest(models.Model):
    """A store that somebody asks for, and what became of it; decided, it has no more than who asked needs to see.

    Who has no account yet brings one: its password is stored as users' passwords are, and only until the decision.
    `asked_from` tells those of one network apart while they wait; the address itself is never stored.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        APPROVED = "approved"
        DECLINED = "declined"

    key_hash = models.CharField(max_length=64, unique=True, help_text="of the key in the link of who asked")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    name = models.CharField(max_length=80)
    place = models.CharField(max_length=80, default="")
    time_zone = models.CharField(max_length=60)
    locale = models.CharField(max_length=12)
    reason = models.CharField(max_length=300, default="", help_text="of who asks; empty once decided")
    username = models.CharField(max_length=150, default="", help_text="empty for who has an account")
    password = models.CharField(max_length=128, default="", help_text="hashed; empty once decided")
    user = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="+")
    asked_at = models.DateTimeField()
    asked_from = models.CharField(max_length=64, default="", help_text="a digest; empty once decided")
    decided_at = models.DateTimeField(null=True)
    answer = models.CharField(max_length=300, default="", help_text="of who declined")
    store = models.ForeignKey(Store, on_delete=models.CASCADE, null=True, related_name="requests")

    class Meta:
        ordering = ["asked_at", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=["waiting", "approved", "declined"]), name="store_request_state_is_known"
            ),
            models.CheckConstraint(
                condition=models.Q(state="waiting") | models.Q(password="", asked_from="", reason=""),
                name="decided_store_request_keeps_no_secret",
            ),
            models.UniqueConstraint(
                Upper("username"),
                condition=models.Q(state="waiting") & ~models.Q(username=""),
                name="one_waiting_request_per_sign_in_name",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.state})"


class DeletedStore(models.Model):
    """A store that was here, without anything of it: the row that lets its rows be deleted, and then never changes.

    The database takes this row only with the deletion of the store: both at once, or neither (`stores_come_and_go`
    of the migrations).
    """

    number = models.BigIntegerField(unique=True, help_text="the id it had")
    deleted_at = models.DateTimeField()
    by_name = models.CharField(max_length=150, help_text="who deleted it")
    entries = models.PositiveIntegerField(help_text="of its journal")
    head = models.CharField(max_length=64, help_text="the last hash of its journal’s chain; empty: there was none")
    moved_to = models.CharField(max_length=300, default="", help_text="where its links lead on; empty: nowhere")

    class Meta:
        db_table = "tourney_deleted_store"

    def __str__(self) -> str:
        return f"deleted store {self.number}"


class RetiredAddress(models.Model):
    """An address of a deleted store, like /s/harbor/ or /e/harbor-2026-11/: nobody else ever gets it.

    Printed codes and saved links lead there, and must not lead to another store. The short address of an event follows
    from its id (`queries.short_addresses`). Of one that moved there are those of its cards, too, with the hash of the
    key instead of the key.
    """

    path = models.CharField(max_length=110, unique=True)
    event = models.BigIntegerField(null=True, unique=True, help_text="the id of the event: its short address")
    store = models.ForeignKey(DeletedStore, on_delete=models.PROTECT, related_name="addresses")

    class Meta:
        db_table = "tourney_retired_address"

    def __str__(self) -> str:
        return self.path
