"""Fleets of players, what they took part in, and the look that opponents take at them (rule 7)."""

import json
from dataclasses import replace
from typing import Annotated, Self

from django.db import models
from django.utils.translation import gettext_lazy as _
from msgspec import Meta

from fleets.domain.allowed import Rulings
from fleets.domain.card_data import HIGHEST_ID, sheet_as_data, sheet_from_data
from fleets.domain.sheet import Sheet
from tourney.models.event import Entrant, Player
from tourney.models.play import Seat
from tourney.runtime import json_shapes as shapes
from tourney.runtime.checked_json import CheckedJSONField
from tourney.runtime.messages import Message


class StoredFleetRuling(shapes.ExactRecord):
    """What an organizer allowed on one line of a fleet (rule 7.15)."""

    rule: Annotated[str, Meta(max_length=20)]
    line: Annotated[int, Meta(ge=0, le=HIGHEST_ID)]
    sentence: Annotated[str, Meta(max_length=2000)]
    reason: Annotated[str, Meta(max_length=1000)]


def empty_sheet() -> dict[str, object]:
    """The data of a sheet without lines: the column's default."""
    return sheet_as_data(Sheet())


def readable_sheet(data: object) -> Sheet | None:
    """The sheet that is stored so; None for what cannot be read (any more)."""
    try:
        return sheet_from_data(data)
    except Exception:  # of whatever cause: the pages that show it say so at its line
        return None


class FleetQuerySet(models.QuerySet["Fleet"]):
    def with_event(self) -> Self:
        """The fleets with player, store, event and pack, joined."""
        return self.select_related("player__store", "entrant__event__campaign__store", "entrant__event__pack")

    def recorded(self) -> Self:
        """The fleets with a ship, and those that cannot be read (any more): rule 7.1 asks for no more."""
        return self.exclude(data__ships=[])


class Fleet(models.Model):
    """A Fleet Build Sheet of a player. The one with an `entrant` flies at that event, and locks with its round 1.

    `version` counts every change of the sheet, one taken back too; `rulings` are what an organizer allowed, as
    [{"rule", "line", "sentence", "reason"}] (rule 7.15). With a `share_key`, whoever knows it may read the sheet.
    """

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="fleets")
    entrant = models.OneToOneField(Entrant, on_delete=models.SET_NULL, null=True, related_name="fleet")
    name = models.CharField(max_length=60)
    data = CheckedJSONField(default=empty_sheet, reader=sheet_from_data)
    rulings = CheckedJSONField(default=list, reader=shapes.reader_of(shapes.list_of(StoredFleetRuling)), instead=list)
    version = models.PositiveIntegerField(default=0)
    unlocked = models.CharField(max_length=200, blank=True, help_text="why it may be changed after round 1 began")
    share_key = models.CharField(max_length=32, blank=True, default="")
    changed_at = models.DateTimeField()

    objects = FleetQuerySet.as_manager()

    class Meta:
        ordering = ["-changed_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=~models.Q(name=""), name="fleet_has_a_name"),
            models.UniqueConstraint(
                fields=["share_key"], condition=~models.Q(share_key=""), name="a_share_link_leads_to_one_fleet"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def readable_sheet(self) -> Sheet | None:
        """The sheet; None where what is stored cannot be read (any more)."""
        return readable_sheet(self.data)

    @property
    def sheet(self) -> Sheet:
        """The sheet; an empty one where what is stored cannot be read."""
        return self.readable_sheet or Sheet()

    @property
    def rulings_by_line(self) -> Rulings:
        """The reason of each ruling, by rule, line id and sentence (in English)."""
        return {(one["rule"], one["line"], one["sentence"]): one["reason"] for one in self.rulings}


LONGEST_STEP = 200


def kept_step(did: str | Message) -> str:
    """What a step was, as `FleetStep.did` keeps it; of a very long title only the beginning."""
    if isinstance(did, str):
        return did
    text = json.dumps(did.as_data(), ensure_ascii=False)
    longest = max((value for value in did.params.values() if isinstance(value, str)), key=len, default="")
    if len(text) <= LONGEST_STEP or len(longest) < 2:
        return text
    shorter = f"{longest[: max(0, len(longest) - len(text) + LONGEST_STEP - 1)]}…"
    return kept_step(
        replace(did, params=dict(did.params) | {n: shorter for n, v in did.params.items() if v == longest})
    )


class FleetStep(models.Model):
    """A step of building, with the sheet before it: what undo goes back to. `key` is the sender's, so that a step
    that was sent twice is made once. `did` is a message as JSON; older ones are sentences."""

    fleet = models.ForeignKey(Fleet, on_delete=models.CASCADE, related_name="steps", db_index=False)
    number = models.PositiveIntegerField()
    did = models.CharField(max_length=LONGEST_STEP)
    before = CheckedJSONField(reader=sheet_from_data)
    key = models.CharField(max_length=40, blank=True)
    undone = models.BooleanField(default=False)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["fleet", "number"], name="one_step_per_number_and_fleet"),
            models.UniqueConstraint(fields=["fleet", "key"], condition=~models.Q(key=""), name="a_step_is_made_once"),
        ]

    def __str__(self) -> str:
        return str(self.said)

    @property
    def said(self) -> str | Message:
        """What it was, in a sentence."""
        try:
            return Message.from_data(json.loads(self.did))
        except (AttributeError, LookupError, TypeError, ValueError):
            return self.did


class SheetCheck(models.Model):
    """Rule 7.2: what the player at a seat says of the opponent's sheet at the start of a round.

    Signed (it matches the table), or a judge was called about `line` (0: the whole sheet) with `words`.
    """

    class State(models.TextChoices):
        SIGNED = "signed", _("Signed")
        CALLED = "called", _("Judge called")

    seat = models.OneToOneField(Seat, on_delete=models.CASCADE, related_name="check_of_opponent")
    state = models.CharField(max_length=10, choices=State)
    line = models.PositiveIntegerField(default=0)
    words = models.CharField(max_length=200, blank=True)
    on_paper = models.BooleanField(default=False, help_text="signed on the sheet on the table, recorded at the desk")
    by_name = models.CharField(max_length=150)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=["signed", "called"]), name="sheet_check_state_is_known"
            )
        ]

    def __str__(self) -> str:
        return f"{self.get_state_display()}: {self.seat}"
