"""The ledger of the Commendation Award Token (rule 6)."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from scoring.domain.commendation import LedgerKind, LedgerLine
from tourney.models.event import Entrant, Event
from tourney.runtime.checked_json import CheckedJSONField
from tourney.runtime.messages import Message, kept_message


class TokenLine(models.Model):
    """What happened to the one token of an event. The database lets nobody change or delete a line.

    `number` counts from 1 in the event, so that of two who write at once one is refused. `entrant` is who got it,
    spent it …, or who should have had it by corrected ranks (None: nobody). `here` are the numbers of those who
    could get it when it was granted or passed on: a correction is measured by them. `reason` is in English, or people's
    own words; `said` is the message of which `why` is made in the reader's language, None for people's own words.
    """

    KINDS = [(kind.value, kind.value.capitalize()) for kind in LedgerKind]

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="token_lines", db_index=False)
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=10, choices=KINDS)
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, null=True, related_name="token_lines")
    round = models.PositiveSmallIntegerField(null=True)
    here = ArrayField(models.PositiveSmallIntegerField(), default=list)
    reason = models.TextField(blank=True)
    said = CheckedJSONField(null=True, reader=Message.from_data)
    by_name = models.CharField(max_length=150)
    at = models.DateTimeField()

    class Meta:
        ordering = ["event", "number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="one_token_line_per_number_and_event"),
            models.CheckConstraint(
                condition=models.Q(kind__in=[kind.value for kind in LedgerKind]), name="token_line_kind_is_known"
            ),
            models.CheckConstraint(
                condition=models.Q(entrant__isnull=False) | models.Q(kind=LedgerKind.CORRECTED.value),
                name="a_token_is_somebodys",
            ),
            models.CheckConstraint(
                condition=models.Q(kind__in=[LedgerKind.SPENT.value, LedgerKind.UNSPENT.value], round__isnull=False)
                | (
                    ~models.Q(kind__in=[LedgerKind.SPENT.value, LedgerKind.UNSPENT.value])
                    & models.Q(round__isnull=True)
                ),
                name="a_token_is_spent_in_a_round",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.entrant or 'nobody'}"

    @property
    def why(self) -> str | Message:
        """The reason, to be said in any language; the text where no message was kept."""
        return kept_message(self.said, self.reason)

    @property
    def facts(self) -> LedgerLine:
        """The line for the rules; people are the numbers of entrants."""
        return LedgerLine(LedgerKind(self.kind), self.entrant.number if self.entrant else None, self.round)
