"""Rounds, matches, seats and the sheets that played there, results, penalties and dice."""

import json
from collections.abc import Iterable
from typing import Any, Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from fleets.domain.card_data import sheet_from_data
from scoring.domain.points import Ending
from scoring.domain.roll_offs import DICE
from tourney.domain import swiss
from tourney.models.event import Entrant, Event
from tourney.runtime import json_shapes as shapes
from tourney.runtime.checked_json import CheckedJSONField

SIDES = ("a", "b")
TALLIES = shapes.reader_of(shapes.table_of(shapes.text(100), shapes.number(0, 1000)))
REASONS = shapes.reader_of(shapes.list_of(dict))
ENTRANT = shapes.number(1, 2**15 - 1)
AT_ONCE = 500
"""Rows that are saved by one statement at most."""


def read_reasons(value: Any) -> list[swiss.Reason]:
    """The reasons of a list. Raises what `swiss.read_reason` raises, and ValidationError for what is no list."""
    return [swiss.read_reason(one) for one in REASONS(value)]


class Round(models.Model):
    """A Battle Round: drafted, published, closed. Its clock stands in `ends_at` or `paused_seconds_left`."""

    class State(models.TextChoices):
        DRAFT = "draft"
        PUBLISHED = "published"
        CLOSED = "closed"

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="rounds", db_index=False)
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    seed = models.BigIntegerField()
    relaxed_rules = CheckedJSONField(db_column="relaxed", default=list, reader=read_reasons, instead=list)
    manual_reason = models.CharField(
        max_length=200, blank=True, help_text="why this draft was last changed by hand", db_column="by_hand"
    )
    published_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    ends_at = models.DateTimeField(null=True)
    paused_seconds_left = models.PositiveIntegerField(
        null=True, help_text="seconds left while the clock is paused", db_column="paused_left"
    )

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="one_round_per_number_and_event"),
            models.UniqueConstraint(
                fields=["event"], condition=~models.Q(state="closed"), name="one_open_round_per_event"
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["draft", "published", "closed"]), name="round_state_is_known"
            ),
            models.CheckConstraint(
                condition=models.Q(ends_at__isnull=True) | models.Q(paused_seconds_left__isnull=True),
                name="a_clock_runs_or_is_paused",
            ),
        ]

    def __str__(self) -> str:
        return f"round {self.number}"


class Match(models.Model):
    """Two players at a table, or a bye: a match with one seat and no table."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="matches", db_index=False)
    table = models.PositiveSmallIntegerField(null=True)
    moved_from = models.PositiveSmallIntegerField(null=True, help_text="its table when it was published")
    reason = CheckedJSONField(default=dict, reader=swiss.read_reason, instead=swiss.UNKNOWN.as_data)
    manual_reason = models.CharField(max_length=200, blank=True, db_column="by_hand")
    result_save_count = models.PositiveIntegerField(
        default=0, help_text="of results: none has the version of another", db_column="savings"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["round", "table"],
                name="one_match_per_table_and_round",
                deferrable=models.Deferrable.DEFERRED,
            ),
        ]

    def __str__(self) -> str:
        return f"table {self.table}" if self.table else "bye"


class PlayedSheetQuerySet(models.QuerySet["PlayedSheet"]):
    def keep(self, event: int, sheets: Iterable[object]) -> list["PlayedSheet"]:
        """The row of each of these sheets at the event of that id, in their order, made on first use.

        Ask under the event's lock.
        """
        asked = [(_as_text(data), data) for data in sheets]
        rows = {_as_text(row.data): row for row in self.filter(event=event)} if asked else {}
        new = {text: PlayedSheet(event_id=event, data=data) for text, data in asked if text not in rows}
        rows |= zip(new, self.bulk_create(new.values(), batch_size=AT_ONCE), strict=True)
        return [rows[text] for text, _ in asked]


def _as_text(data: object) -> str:
    return json.dumps(data, sort_keys=True)


class PlayedSheet(models.Model):
    """A fleet as it was when a round closed. What is the same at an event is one row, and no row is changed."""

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="played_sheets")
    data = CheckedJSONField(reader=sheet_from_data)

    objects = PlayedSheetQuerySet.as_manager()

    def __str__(self) -> str:
        return f"played sheet {self.pk}"


class SeatQuerySet(models.QuerySet["Seat"]):
    def in_published_rounds(self) -> Self:
        """The seats without those of drafts."""
        return self.exclude(round__state=Round.State.DRAFT)

    def sheets(self, *columns: str) -> Iterable[tuple[Any, ...]]:
        """These columns of the seats where a sheet played, with its data behind them; in one query."""
        played = self.annotate(played=Coalesce("sheet__data", "played_sheet")).filter(played__isnull=False)
        return played.values_list(*columns, "played")


class Seat(models.Model):
    """One player's place in one round; the database lets nobody sit twice."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats", db_index=False)
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="seats", db_index=False)
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="seats")
    side = models.CharField(max_length=1, choices=[(side, side) for side in SIDES])
    destroyed = ArrayField(models.PositiveIntegerField(), default=list, help_text="lines of the own fleet (rule 2.3)")
    dice = ArrayField(
        models.PositiveSmallIntegerField(),
        default=list,
        help_text="this player's word on a throw at the table (rule 4.1): its number, and what sides a and b threw, "
        "or nothing more where software is to roll",
    )

    sheet = models.ForeignKey(
        PlayedSheet,
        on_delete=models.PROTECT,
        null=True,
        related_name="seats",
        db_index=False,
        help_text="the fleet as it was when the round closed (rule 7.1)",
    )
    played_sheet = CheckedJSONField(
        null=True, reader=sheet_from_data, help_text="the same, of rounds that closed before sheets had rows"
    )

    objects = SeatQuerySet.as_manager()

    class Meta:
        ordering = ["side"]
        constraints = [
            models.UniqueConstraint(
                fields=["round", "entrant"],
                name="one_seat_per_entrant_and_round",
                deferrable=models.Deferrable.DEFERRED,
            ),
            models.UniqueConstraint(fields=["match", "side"], name="one_seat_per_side_and_match"),
            models.CheckConstraint(condition=models.Q(side__in=SIDES), name="seat_side_is_a_or_b"),
        ]
        indexes = [
            models.Index(fields=["sheet"], condition=models.Q(sheet__isnull=False), name="seats_of_a_played_sheet")
        ]

    def __str__(self) -> str:
        return f"seat {self.side}"


class TableFacts(models.Model):
    """What happened at a table, as it was seen there; points are computed from it."""

    FACT_FIELDS = (
        *("ending", "out", "condition", "condition_side"),
        *("sp_left_a", "sp_left_b", "tallies_a", "tallies_b"),
    )

    ending = models.CharField(max_length=20, choices=[(e.value, e.value.replace("_", " ")) for e in Ending])
    out = models.CharField(max_length=1, blank=True, choices=[(side, side) for side in SIDES])
    condition = models.PositiveSmallIntegerField(null=True)
    condition_side = models.CharField(max_length=1, blank=True, choices=[(side, side) for side in SIDES])
    sp_left_a = models.PositiveSmallIntegerField(default=0)
    sp_left_b = models.PositiveSmallIntegerField(default=0)
    tallies_a = CheckedJSONField(default=dict, reader=TALLIES, instead=dict)
    tallies_b = CheckedJSONField(default=dict, reader=TALLIES, instead=dict)

    class Meta:
        abstract = True

    @property
    def facts(self) -> dict[str, object]:
        """What happened, as data: two who say the same have the same."""
        return {name: getattr(self, name) for name in self.FACT_FIELDS}


class Result(TableFacts):
    """What counts for one match.

    `version` counts the savings at this match, those before a taking back included.
    """

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="result")
    version = models.PositiveIntegerField()
    adjustment_a = models.SmallIntegerField(default=0)
    adjustment_b = models.SmallIntegerField(default=0)
    ruling = models.CharField(max_length=200, blank=True, help_text="reason of what a judge decided")
    sp_ruling = models.CharField(max_length=200, blank=True, help_text="why SP left that the fleet cannot leave stand")
    entered_by = models.CharField(max_length=150, help_text="the sign-in name of whoever saved it last")
    entered_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ending__in=[e.value for e in Ending]), name="result_ending_is_known"
            ),
            models.CheckConstraint(condition=models.Q(out__in=("", *SIDES)), name="result_out_is_a_side"),
        ]

    def __str__(self) -> str:
        return f"result of {self.match}"


class Penalty(models.Model):
    """Rule 2.12: points that a ruling takes from a player of a round, or gives, beside whatever the result is.

    The same penalty is given once: a second press is none, and another reason is another penalty.
    """

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="penalties", db_index=False)
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="penalties")
    battle_points = models.SmallIntegerField(default=0)
    fleet_points = models.SmallIntegerField(default=0)
    reason = models.CharField(max_length=200)
    given_by = models.CharField(max_length=150, help_text="the sign-in name of whoever gave it")
    given_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "penalties"
        constraints = [
            models.UniqueConstraint(
                fields=["round", "entrant", "battle_points", "fleet_points", "reason"], name="a_penalty_is_given_once"
            ),
            models.CheckConstraint(
                condition=~models.Q(battle_points=0, fleet_points=0), name="a_penalty_changes_points"
            ),
            models.CheckConstraint(condition=~models.Q(reason=""), name="a_penalty_has_its_reason"),
        ]

    def __str__(self) -> str:
        return f"penalty of {self.entrant}"


class RollOff(models.Model):
    """A tie that is rolled off: at a table, in the standings after a round, or between factions (rule 4)."""

    class Kind(models.TextChoices):
        TABLE = "table", _("At the table")
        STANDING = "standing", _("In the standings")
        FACTION = "faction", _("Between factions")

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="roll_offs", db_index=False)
    kind = models.CharField(max_length=10, choices=Kind)
    group = ArrayField(models.PositiveSmallIntegerField(), help_text="entrant numbers, ascending")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "kind", "group"], name="one_roll_off_per_tie"),
            models.CheckConstraint(condition=models.Q(group__len__gte=2), name="roll_off_needs_two"),
        ]

    def __str__(self) -> str:
        return f"roll-off {self.kind} {self.group}"


class Roll(models.Model):
    """One roll of a roll-off: Battle Stations per entrant number; by software with its seed and faces."""

    roll_off = models.ForeignKey(RollOff, on_delete=models.PROTECT, related_name="rolls", db_index=False)
    number = models.PositiveSmallIntegerField()
    counts = CheckedJSONField(
        reader=shapes.reader_of(shapes.table_of(ENTRANT, shapes.number(0, DICE)), by_number=True), instead=dict
    )
    faces = CheckedJSONField(
        default=dict,
        reader=shapes.reader_of(shapes.table_of(ENTRANT, shapes.list_of(shapes.text(20))), by_number=True),
        instead=dict,
    )
    seed = models.CharField(max_length=64, blank=True)

    class Meta:
        db_table = "tourney_throw"
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["roll_off", "number"], name="one_throw_per_number_and_roll_off")]

    def __str__(self) -> str:
        return f"roll {self.number}"
