"""Campaigns, events, who takes part, and what is announced to them."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Annotated, Self
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models.functions import Lower
from django.urls import reverse
from msgspec import Meta

from scoring.domain.pack import MonthPack as Rules
from scoring.domain.season import MOST_FOR_ATTENDANCE, MOST_MONTHS, PICK_ORDERS, PickOrder, SeasonRules
from scoring.models import MonthPack
from tourney.domain.places import why_no_sign_up
from tourney.domain.timetable import TimetableSlot, timetable
from tourney.models.habits import FleetsRecorded, FleetsShown, ReportedBy, StoredTable
from tourney.models.store import Store
from tourney.runtime import json_shapes as shapes
from tourney.runtime.checked_json import CheckedJSONField


class Campaign(models.Model):
    """A storyline played month by month at one store."""

    store = models.ForeignKey(Store, on_delete=models.PROTECT, related_name="campaigns", db_index=False)
    slug = models.SlugField(max_length=80, db_index=False)
    storyline = models.CharField(max_length=80)
    archived_at = models.DateTimeField(null=True)
    best_of = models.PositiveSmallIntegerField(null=True, help_text="months that count of each player; null: all")
    at_least = models.PositiveSmallIntegerField(null=True, help_text="months a player needs to rank with the others")
    for_attendance = models.PositiveSmallIntegerField(default=0, help_text="Battle Points for each month played")
    pick_order = models.CharField(max_length=8, blank=True, default="", help_text="of grand prizes; empty: none")

    months: int
    """How many events it has, where `tourney.queries.campaigns` loaded it for the page of its store."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["store", "slug"], name="one_campaign_per_slug_and_store"),
            models.CheckConstraint(
                condition=models.Q(best_of__gte=1, best_of__lte=MOST_MONTHS), name="campaign_best_of_1_to_24"
            ),
            models.CheckConstraint(
                condition=models.Q(at_least__gte=2, at_least__lte=MOST_MONTHS), name="campaign_at_least_2_to_24"
            ),
            models.CheckConstraint(
                condition=models.Q(for_attendance__lte=MOST_FOR_ATTENDANCE), name="campaign_for_attendance_to_10"
            ),
            models.CheckConstraint(
                condition=models.Q(pick_order__in=PICK_ORDERS), name="campaign_has_a_known_pick_order"
            ),
        ]

    def __str__(self) -> str:
        return self.storyline

    def get_absolute_url(self) -> str:
        return reverse("campaign", args=[self.store.slug, self.slug])

    @property
    def season_rules(self) -> SeasonRules:
        """Rule 5.8: what the store set for the season."""
        order: PickOrder = next((one for one in PICK_ORDERS if one == self.pick_order), "")
        return SeasonRules(self.best_of, self.at_least, self.for_attendance, order)


class PlayerQuerySet(models.QuerySet["Player"]):
    def not_merged(self) -> Self:
        """Everybody once: without the names that were found to be somebody else's."""
        return self.filter(merged_into=None)


class NameKeys(models.Model):
    """Under what a player's name is found by one that is like it (`naming.keys_kept`); none of who was erased.

    Written where a player is made (`actions.entrants.players_named`), renamed or erased. Without them nobody is asked
    “Are you …?” of that player, and nothing else is missing.
    """

    player = models.OneToOneField("Player", on_delete=models.CASCADE, primary_key=True, related_name="name_keys")
    keys = ArrayField(models.BigIntegerField())

    objects: "models.Manager[NameKeys]" = models.Manager()

    class Meta:
        indexes = [GinIndex(fields=["keys"], name="players_by_similar_names")]

    def __str__(self) -> str:
        return f"{len(self.keys)} keys of player {self.pk}"


class Player(models.Model):
    """A person at one store, the same over all months. Names differ at least in more than capitals.

    A player who was found to be another is that other one under an older name. `name` of somebody who was erased
    is a mark.
    """

    store = models.ForeignKey(Store, on_delete=models.PROTECT, related_name="players")
    name = models.CharField(max_length=60)
    fixed_table = models.PositiveSmallIntegerField(null=True, help_text="a need; no page for everybody shows it")
    near_door = models.BooleanField(default=False)
    quiet = models.BooleanField(default=False)
    merged_into = models.ForeignKey("self", on_delete=models.CASCADE, null=True, related_name="older_names")
    forgotten_at = models.DateTimeField(null=True)

    objects = PlayerQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(Lower("name"), "store", name="one_player_per_name_and_store"),
            models.CheckConstraint(condition=~models.Q(name=""), name="player_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name

    @cached_property
    def full_name(self) -> str:
        """The name itself, also where `name` is what the public reads (`queries/shown_names.py`)."""
        return self.name

    @property
    def person(self) -> "Player":
        """The player as who this one counts."""
        return self.merged_into or self


class EventQuerySet(models.QuerySet["Event"]):
    def with_context(self) -> Self:
        """The events with campaign, store and pack, joined."""
        return self.select_related("campaign__store", "pack")


AllEvents = models.Manager.from_queryset(EventQuerySet)


class EventManager(AllEvents["Event"]):
    """All events but those that were deleted: their rows stay for the journal's sake, and no page knows them."""

    def get_queryset(self) -> EventQuerySet:
        """Without those that were deleted."""
        return EventQuerySet(self.model, using=self._db).filter(deleted_at=None)


@dataclass(frozen=True, slots=True)
class Announcement:
    """A sentence for everybody; `until` is when it goes by itself, None: when it is taken down."""

    text: str
    until: datetime | None = None

    @property
    def row(self) -> list[str | None]:
        """As the event stores it."""
        return [self.text, shapes.instant(self.until)]


class Event(models.Model):
    """One month of a campaign, played on one evening by the rules of one month pack."""

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="events")
    slug = models.SlugField(max_length=100, unique=True)
    name = models.CharField(max_length=100)
    pack = models.ForeignKey(MonthPack, on_delete=models.PROTECT, related_name="+")
    sp_limit = models.PositiveSmallIntegerField()
    rounds_planned = models.PositiveSmallIntegerField()
    minutes = models.PositiveSmallIntegerField()
    starts_at = models.DateTimeField()
    registration_open = models.BooleanField(default=True)
    fleets_shown = models.CharField(max_length=10, choices=FleetsShown, default=FleetsShown.OPPONENT)
    fleets_must_be_legal = models.BooleanField(default=False, help_text="for check-in; otherwise it only warns")
    fleets_recorded = models.CharField(max_length=10, choices=FleetsRecorded, default=FleetsRecorded.ASKED)
    reported_by = models.CharField(max_length=10, choices=ReportedBy, default=ReportedBy.PLAYERS)
    accept_after = models.PositiveSmallIntegerField(
        default=5, help_text="minutes after which the desk may accept one side's word"
    )
    announcements = CheckedJSONField(
        default=list,
        reader=shapes.reader_of(shapes.list_of(tuple[Annotated[str, Meta(max_length=1000)], shapes.Instant | None])),
        instead=list,
        help_text="of each the text, and until when (null: open end)",
    )
    tables = CheckedJSONField(
        default=list,
        reader=shapes.reader_of(shapes.list_of(StoredTable, most=999)),
        instead=list,
        help_text="a row for each table, as tourney.queries.tables reads them",
    )
    other_tables = models.BooleanField(default=False, help_text="nobody twice at one table, where that can be avoided")
    prizes = models.TextField(blank=True, help_text="a line for each, as scoring.domain.prizes reads them")
    join_word = models.CharField(max_length=20, blank=True, help_text="asked of who registers by phone; empty: none is")
    description = models.CharField(max_length=1000, blank=True, default="", help_text="for players, in plain text")
    address = models.CharField(max_length=200, blank=True, default="")
    ends = models.TimeField(null=True, help_text="by the store's clock, the first after the start")
    entry_fee = models.CharField(max_length=80, blank=True, default="")
    bring = models.CharField(max_length=400, blank=True, default="", help_text="what players bring along")
    break_minutes = models.PositiveSmallIntegerField(
        null=True, help_text="between two rounds; players see a timetable unless it is null"
    )
    shop_link = models.CharField(max_length=300, blank=True, default="", help_text="https alone")
    places = models.PositiveSmallIntegerField(null=True, help_text="null: for everybody")
    sign_up_closes_at = models.DateTimeField(null=True, help_text="for players; the desk registers until the end")
    checks_in_by_phone = models.BooleanField(default=False, help_text="whether players check themselves in")
    finished_at = models.DateTimeField(null=True)
    canceled_at = models.DateTimeField(null=True)
    moved_from = models.DateTimeField(null=True, help_text="the date that its players knew, where it has another now")
    deleted_at = models.DateTimeField(null=True, help_text="no page knows it any more; its journal stays")
    version = models.PositiveIntegerField(default=0, help_text="counts the actions, so that open pages notice")
    last_entrant_number = models.PositiveSmallIntegerField(
        default=0, help_text="entrant numbers; none is given twice", db_column="numbers_given"
    )

    objects = EventManager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(sp_limit__gte=1, sp_limit__lte=1000), name="event_sp_limit_1_to_1000"
            ),
            models.CheckConstraint(
                condition=models.Q(rounds_planned__gte=1, rounds_planned__lte=12), name="event_rounds_1_to_12"
            ),
            models.CheckConstraint(condition=models.Q(minutes__gte=1, minutes__lte=600), name="event_minutes_1_to_600"),
            models.CheckConstraint(
                condition=models.Q(fleets_shown__in=FleetsShown.values), name="event_fleets_shown_known"
            ),
            models.CheckConstraint(
                condition=models.Q(fleets_recorded__in=FleetsRecorded.values), name="event_fleets_recorded_known"
            ),
            models.CheckConstraint(
                condition=models.Q(reported_by__in=ReportedBy.values), name="event_reported_by_known"
            ),
            models.CheckConstraint(condition=models.Q(accept_after__lte=600), name="event_accept_after_to_600"),
            models.CheckConstraint(condition=models.Q(break_minutes__lte=240), name="event_break_minutes_to_240"),
            models.CheckConstraint(condition=models.Q(places__gte=1, places__lte=2000), name="event_places_1_to_2000"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("event", args=[self.slug])

    @property
    def store(self) -> Store:
        """The store of the event's campaign."""
        return self.campaign.store

    @property
    def is_finished(self) -> bool:
        """Whether its ranks are final; what that keeps from happening is said by `tourney.domain.progress`."""
        return self.finished_at is not None

    @property
    def is_canceled(self) -> bool:
        """Whether it doesn't take place; until it is held after all, nobody registers or plays."""
        return self.canceled_at is not None

    @cached_property
    def rules(self) -> Rules:
        """The pack's rules with what was chosen for this event."""
        return replace(self.pack.rules, sp_limit=self.sp_limit, rounds=self.rounds_planned, minutes=self.minutes)

    @property
    def ends_at(self) -> datetime | None:
        """When it is to end, the first time after the start at which the store's clock shows that; None: not said."""
        if self.ends is None:
            return None
        starts = self.starts_at.astimezone(ZoneInfo(self.store.time_zone))
        day = starts.date() if self.ends > starts.time() else starts.date() + timedelta(days=1)
        return datetime.combine(day, self.ends, starts.tzinfo)

    @property
    def timetable(self) -> tuple[TimetableSlot, ...]:
        """Rounds and breaks as they are planned, where the length of a break is said."""
        if self.break_minutes is None:
            return ()
        facts = {"rounds": self.rounds_planned, "minutes": self.minutes, "break_minutes": self.break_minutes}
        return timetable(self.starts_at, **facts)

    @property
    def shop(self) -> str:
        """The host that its link to a shop leads to; empty where there is none that may be shown."""
        return (urlsplit(self.shop_link).hostname or "") if self.shop_link.startswith("https://") else ""

    @property
    def has_facts(self) -> bool:
        """Whether the store told players more of it than name, start and rounds."""
        told = (self.description, self.address, self.entry_fee, self.bring, self.shop)
        return any(told) or self.ends is not None or self.break_minutes is not None

    def takes_sign_ups(self, now: datetime) -> bool:
        """Whether players may register themselves at that moment, as far as the desk decides it."""
        return not why_no_sign_up(self.registration_open, self.sign_up_closes_at, now)

    def announced(self, now: datetime) -> list[Announcement]:
        """What everybody is told at that moment, in the order in which it was announced; nothing after the event."""
        if self.is_finished:
            return []
        rows = (Announcement(text, until and datetime.fromisoformat(until)) for text, until in self.announcements)
        return [one for one in rows if one.until is None or one.until > now]


class Entrant(models.Model):
    """A player in one event. `number` counts from 1 in the event; it is the id the rules, the archive and dice use."""

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="entrants", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    number = models.PositiveSmallIntegerField()
    faction = models.CharField(max_length=40, blank=True)
    plays_without = models.BooleanField(default=False, help_text="a faction, as the desk was told (rule 1.4)")
    checked_in = models.BooleanField(default=False)
    dropped_from = models.PositiveSmallIntegerField(null=True)
    registered_at = models.DateTimeField()
    by_self = models.BooleanField(default=False)
    paid = models.BooleanField(default=False, help_text="as the desk ticked it")
    place_released = models.BooleanField(default=False, help_text="for who waits, while the player was not here")

    has_fleet: bool
    """Whether a fleet of theirs flies at the event, where `tourney.queries.rows` loaded them."""

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "player"], name="one_entry_per_player_and_event"),
            models.UniqueConstraint(fields=["event", "number"], name="one_entrant_per_number_and_event"),
        ]

    def __str__(self) -> str:
        return self.player.name
