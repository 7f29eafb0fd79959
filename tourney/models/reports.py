"""What players send from their phones: one side's word about a match, and wishes to the desk."""

from django.db import models

from scoring.domain.points import Ending
from tourney.models.event import Entrant
from tourney.models.play import SIDES, Seat, TableFacts

KEY_LENGTH = 64


class PlayerReport(TableFacts):
    """One side's word about its match. It is never changed: a new one takes its place, so `pk` says which was seen."""

    seat = models.OneToOneField(Seat, on_delete=models.CASCADE, related_name="report")
    words = models.CharField(max_length=200, blank=True, help_text="for the opponent and the desk")
    at = models.DateTimeField()

    adjustment_a = adjustment_b = 0  # a ruling is the desk's (rule 2.12)

    class Meta:
        db_table = "tourney_report"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ending__in=[e.value for e in Ending]), name="report_ending_is_known"
            ),
            models.CheckConstraint(condition=models.Q(out__in=("", *SIDES)), name="report_out_is_a_side"),
        ]

    def __str__(self) -> str:
        return f"report of {self.seat}"


class Wish(models.Model):
    """Something a player asks the desk for; `answer` is empty until the desk has said something."""

    class Kind(models.TextChoices):
        CONCEDE = "concede"
        DROP = "drop"

    class Answer(models.TextChoices):
        APPROVED = "granted", "Granted"
        DECLINED = "declined"

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="wishes", db_index=False)
    kind = models.CharField(max_length=10, choices=Kind)
    at = models.DateTimeField()
    answer = models.CharField(max_length=10, blank=True, choices=Answer)
    words = models.CharField(max_length=200, blank=True, help_text="why it was declined")
    passed_on = models.BooleanField(default=False, help_text="a judge gave it to an organizer")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["seat", "kind"], name="one_wish_per_kind_and_seat"),
            models.CheckConstraint(condition=models.Q(kind__in=["concede", "drop"]), name="wish_kind_is_known"),
            models.CheckConstraint(
                condition=models.Q(answer__in=["", "granted", "declined"]), name="wish_answer_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"wish to {self.kind}"


class IdempotencyKey(models.Model):
    """An idempotency key that a phone sent along with something that was done: the same key again does nothing."""

    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="receipts", db_index=False)
    key = models.CharField(max_length=KEY_LENGTH)
    at = models.DateTimeField()

    class Meta:
        db_table = "tourney_receipt"
        constraints = [models.UniqueConstraint(fields=["entrant", "key"], name="each_key_counts_once")]

    def __str__(self) -> str:
        return f"idempotency key {self.key}"
