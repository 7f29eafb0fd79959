"""What a store does alike from event to event, and what its next one begins with."""

from datetime import time
from typing import Annotated

from django.db import models
from django.utils.translation import gettext_lazy as _
from msgspec import Meta, to_builtins

from tourney.domain.joining import MOST_ENTRANTS
from tourney.runtime import json_shapes as shapes


class StoredTable(shapes.ExactRecord):
    """A table of the store, as `tourney.queries.tables` reads it."""

    number: Annotated[int, Meta(ge=1, le=999)]
    name: Annotated[str, Meta(max_length=200)]
    near_door: bool
    quiet: bool
    closed: bool


class FleetsShown(models.TextChoices):
    """Who sees the fleet of another player."""

    ROUND_1 = "round 1", _("Everyone, once round 1 is published")
    OPPONENT = "opponent", _("Only their current opponent")
    ALL = "all", _("Everyone, at any time")


class FleetsRecorded(models.TextChoices):
    """Whether a round and a result wait until fleets are recorded and signed (rules 7.1, 7.2)."""

    ASKED = "asked", _("Asked: the desk sees what’s missing and can go on anyway")
    REQUIRED = "required", _("Required: round 1 and results wait for them")


class ReportedBy(models.TextChoices):
    """Who gives the results of the tables; the desk always may."""

    PLAYERS = "players", _("Players by phone, and the desk")
    DESK = "desk", _("Only the desk")


type Written = Annotated[str, Meta(max_length=4000)]
"""A text of the template: the form takes less, and a mark in place of a name may be longer than it."""


class EventTemplate(shapes.ExactRecord, omit_defaults=True):
    """What a new event of the store begins with, where no month came before it."""

    weekday: Annotated[int, Meta(ge=0, le=6)] | None = None
    start: time | None = None
    ends: time | None = None
    description: Written = ""
    address: Written = ""
    entry_fee: Written = ""
    bring: Written = ""
    break_minutes: Annotated[int, Meta(ge=0, le=240)] | None = None
    shop_link: Written = ""
    places: Annotated[int, Meta(ge=1, le=MOST_ENTRANTS)] | None = None
    checks_in_by_phone: bool = False
    fleets_shown: FleetsShown = FleetsShown.OPPONENT
    fleets_must_be_legal: bool = False
    fleets_recorded: FleetsRecorded = FleetsRecorded.ASKED
    reported_by: ReportedBy = ReportedBy.PLAYERS
    accept_after: Annotated[int, Meta(ge=0, le=600)] = 5
    tables: Annotated[list[StoredTable], Meta(max_length=999)] = []
    other_tables: bool = False

    @property
    def row(self) -> dict[str, object]:
        """As the store keeps it: what is as usual is left out."""
        row: dict[str, object] = to_builtins(self)
        return row


read_template = shapes.reader_of(EventTemplate)
WRITTEN = frozenset({"description", "address", "entry_fee", "bring", "shop_link", "tables"})
"""The fields where somebody may have written a player's name."""
