"""Who signed in or tried to, for the owners of a store."""

from django.db import models

from tourney.models.store import Store, User
from tourney.runtime.client_address import network_in_words
from tourney.runtime.messages import Message


class SignInOutcome(models.TextChoices):
    SIGNED_IN = "signed_in"
    WRONG_PASSWORD = "wrong_password"
    WRONG_CODE = "wrong_code"
    NOT_TRIED = "not_tried"


class SignInAttempt(models.Model):
    """A sign-in by the name of somebody with a role at the store. What was typed as a name is never kept."""

    store = models.ForeignKey(Store, on_delete=models.CASCADE, related_name="sign_in_attempts", db_index=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()
    outcome = models.CharField(max_length=20, choices=SignInOutcome)
    network = models.CharField(max_length=50, help_text="the address without its end")
    device = models.CharField(max_length=60, help_text="browser and system, in words of ours")

    class Meta:
        indexes = [models.Index(fields=["store", "at"], name="sign_ins_of_a_store")]
        constraints = [
            models.CheckConstraint(condition=models.Q(outcome__in=SignInOutcome.values), name="sign_in_outcome_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.outcome}"

    @property
    def network_in_words(self) -> str | Message:
        """From which network, for people to read."""
        return network_in_words(self.network)
