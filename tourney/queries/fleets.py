"""Fleets as they stand: counted and checked by the rules of their event, and who may see and change them (rule 7)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from zoneinfo import ZoneInfo

from django.db import connection

from fleets.domain.cards import Card
from fleets.domain.cost import Costs, costs
from fleets.domain.foreign import without_costs_by_hand
from fleets.domain.legality import Format, Tournament, Violation, violations
from fleets.domain.sheet import Sheet
from fleets.models import CatalogueCard
from scoring.domain.building import FleetFormat
from scoring.domain.pack import MonthPack
from scoring.domain.words import building_sentences
from scoring.shipped import shipped_packs
from tourney.models import Entrant, Event, Fleet, FleetsShown, FleetStep, Player, Seat, Store
from tourney.queries.building import month_rules
from tourney.queries.slices import EventSlice
from tourney.queries.state import EventState
from tourney.runtime.locales import written
from tourney.runtime.messages import Message, message

EVERYTHING_GOES = Format(sp_limit=1000, resource_rule="any number")
"""What a fleet is checked against that flies at no event yet."""


class FleetState:
    """A fleet with what the rules make of it.

    `event` is the one it flies at, if any; `is_seated` whether its player sits in a published round there.
    """

    def __init__(self, row: Fleet, event: Event | None, *, is_seated: bool = False) -> None:
        self.row, self.event, self.is_seated = row, event, is_seated
        self.format = format_of(event) if event else None

    @property
    def is_locked(self) -> bool:
        """Rule 7.1: from the first published round the player sits in, until an organizer unlocks it; then for good."""
        if self.event is None:
            return False
        return self.event.is_finished or (self.is_seated and not self.row.unlocked)

    @cached_property
    def _stored(self) -> Sheet | None:
        stored = self.row.readable_sheet
        return replace(stored, month=self.format.month) if stored and self.format else stored

    @property
    def is_unreadable(self) -> bool:
        """Whether what is stored cannot be read (any more): nothing is known of the fleet but its name."""
        return self._stored is None

    @property
    def sheet(self) -> Sheet:
        """The sheet; an empty one where it cannot be read."""
        return self._stored or Sheet()

    @property
    def building(self) -> tuple[Message, ...]:
        """Rule 7.17: what the event's month prints about building, in sentences."""
        return building_sentences(self.event.rules) if self.event else ()

    @cached_property
    def costs(self) -> Costs:
        """The fleet's costs in SP, ship by ship."""
        return costs(self.sheet)

    @cached_property
    def costs_by_rules(self) -> Costs:
        """The costs as they would be if no cost stood by hand."""
        return costs(without_costs_by_hand(self.sheet))

    @property
    def total(self) -> int:
        """The fleet's cost in SP."""
        return self.costs.total

    @cached_property
    def violations(self) -> tuple[Violation, ...]:
        """Everything that is wrong, with what an organizer allowed of it; nothing of how many where no event asks.

        Of what cannot be read, nothing is known to be wrong.
        """
        if self.is_unreadable:
            return ()
        if self.event is None or self.format is None:
            return violations(self.sheet, EVERYTHING_GOES, date.min)
        return violations(self.sheet, self.format, day_of(self.event), self.row.rulings_by_line)

    @property
    def wrong(self) -> tuple[Violation, ...]:
        """What is wrong and nobody has allowed."""
        return tuple(violation for violation in self.violations if not violation.allowed)

    @property
    def is_legal(self) -> bool:
        """Whether it can be read and breaks no rule of section 7."""
        return not self.wrong and not self.is_unreadable

    @property
    def is_empty(self) -> bool:
        """Whether the sheet has no line."""
        return not self.sheet.lines


@dataclass(frozen=True, slots=True)
class Status:
    """What a list says of an entrant's fleet: `kind` is missing, unreadable, wrong or legal; total in SP."""

    kind: str
    total: int = 0
    wrong: int = 0


def format_of(event: Event) -> Format:
    """What the event asks of a fleet, by its month pack (rules 7.5, 7.11, 7.12, 7.17)."""
    return format_of_pack(event.rules, event.sp_limit)


def format_of_pack(rules: MonthPack, sp_limit: int) -> Format:
    """The same, of an event with that limit in SP."""
    of_storyline = _resources_of_the_storyline(rules) if rules.resource.choice == "storyline" else ()
    return Format(
        sp_limit=sp_limit,
        resource_rule=rules.resource.rule,
        resources=rules.resource.only or of_storyline,
        available=rules.resource.choice != "storyline",
        retire=rules.resource.choice == "not retired",
        tournament=_tournament(rules.fleet),
        booster=rules.fleet.booster,
        month=month_rules(rules),
    )


def _tournament(fleet: FleetFormat) -> Tournament | None:
    """Rule 7.12: the format of 2016, with another number of oversized bases where the month prints one."""
    if fleet.format != "2016":
        return None
    return Tournament() if fleet.oversized is None else Tournament(oversized=fleet.oversized)


def _resources_of_the_storyline(rules: MonthPack) -> tuple[str, ...]:
    """Rule 7.11: those its months have brought so far, this month's first."""
    earlier = (
        pack.resource.name
        for pack in reversed(shipped_packs())
        if pack.storyline == rules.storyline and (pack.month or 0) <= (rules.month or 0)
    )
    return tuple(dict.fromkeys(name for name in (rules.resource.name, *earlier) if name))


def day_of(event: Event) -> date:
    """The date of the event at its store."""
    return event.starts_at.astimezone(ZoneInfo(event.store.time_zone)).date()


def fleet_name_for(event: Event) -> str:
    """What a fleet is called that is made for the event."""
    return str(message("Fleet of {month}", month=written(day_of(event), "month")))


def fleets_of(state: EventSlice, numbers: Iterable[int] | None = None) -> dict[int, FleetState]:
    """The fleets that fly at the event, by entrant number (all, or those), in one query."""
    rows = Fleet.objects.filter(entrant__event=state.event)
    if numbers is not None:
        rows = rows.filter(entrant__number__in=list(numbers))
    seated = state.seated_numbers
    found = {}
    for row in rows.select_related("entrant"):
        if row.entrant is None:
            continue
        number = row.entrant.number
        found[number] = FleetState(row, state.event, is_seated=number in seated)
    return found


def fleet_of(state: EventSlice, number: int) -> FleetState | None:
    """The fleet of one entrant, if there is one."""
    return fleets_of(state, [number]).get(number)


def state_of_fleet(row: Fleet) -> FleetState:
    """One fleet with its event, in a constant number of queries."""
    if row.entrant is None:
        return FleetState(row, None)
    event = row.entrant.event
    return FleetState(row, event, is_seated=Seat.objects.in_published_rounds().filter(entrant=row.entrant).exists())


def statuses(state: EventState, fleets: Mapping[int, FleetState]) -> dict[int, Status]:
    """What the lists of the desk say of everybody's fleet."""
    return {number: _status(fleets.get(number)) for number in state.by_number}


def _status(fleet: FleetState | None) -> Status:
    if fleet and fleet.is_unreadable:
        return Status("unreadable")
    if fleet is None or fleet.is_empty:
        return Status("missing")
    return Status("legal" if fleet.is_legal else "wrong", fleet.total, len(fleet.wrong))


def may_see(state: EventState, viewer: int | None, owner: int) -> bool:
    """Whether an entrant (None: anybody else) sees that entrant's fleet, by the setting of the event."""
    if viewer == owner:
        return True
    if state.event.fleets_shown == FleetsShown.ALL:
        return True
    if not state.public_rounds:
        return False
    if state.event.fleets_shown == FleetsShown.ROUND_1:
        return True
    match = state.public_rounds[-1].match_of(viewer) if viewer else None
    return match is not None and owner in match.numbers


def fleets_of_player(player: Player) -> list[FleetState]:
    """All fleets of a player, those changed last first; each with the event it flies at."""
    rows = Fleet.objects.with_event().filter(player=player)
    seated = set(Seat.objects.in_published_rounds().filter(entrant__player=player).values_list("entrant", flat=True))
    return [
        FleetState(row, row.entrant.event if row.entrant else None, is_seated=row.entrant_id in seated) for row in rows
    ]


def fleet_with_event(number: int) -> Fleet:
    """The fleet of that id, with the event where it flies."""
    return Fleet.objects.with_event().get(pk=number)


def shared_fleet_of(store: Store, key: str) -> Fleet | None:
    """The fleet of the store that is shared by this key."""
    rows = Fleet.objects.with_event().filter(player__store=store)
    return rows.filter(share_key=key).exclude(share_key="").first()


def own_fleet(player: Player, number: int) -> Fleet | None:
    """The fleet of that id, if it is the player's."""
    return Fleet.objects.filter(player=player, pk=number).first()


def other_fleets(entrant: Entrant) -> list[Fleet]:
    """Fleets of the player that could fly instead: those that can be read."""
    others = Fleet.objects.filter(player=entrant.player).exclude(entrant=entrant)
    return [one for one in others if one.readable_sheet is not None]


def brings_one(entrant: Entrant) -> bool:
    """Whether a fleet of theirs flies at the event."""
    return Fleet.objects.filter(entrant=entrant).exists()


def entries_to_come(player: Player) -> list[Entrant]:
    """Where the player is registered and the event is not over, the next one first."""
    entries = Entrant.objects.filter(player=player, event__finished_at=None)
    return list(entries.select_related("event__campaign__store", "event__pack").order_by("event__starts_at"))


type Entry = tuple[Entrant, FleetState | None]
"""Where a player is registered, and the fleet that flies there."""


def flying_at(player: Player, fleets: Iterable[FleetState]) -> list[Entry]:
    """Where the player is registered and the event is not over, each with the one of all their fleets that flies."""
    flying = {fleet.event.pk: fleet for fleet in fleets if fleet.event}
    return [(entry, flying.get(entry.event_id)) for entry in entries_to_come(player)]


def could_fly_at(fleet: FleetState, entries: Iterable[Entry]) -> tuple[Entrant, ...]:
    """The entries where the fleet could fly: none flies there yet, or another that is not locked."""
    if fleet.is_unreadable:
        return ()
    return tuple(
        entry for entry, flying in entries if flying is None or (flying.row.pk != fleet.row.pk and not flying.is_locked)
    )


def step_to_undo(fleet: Fleet) -> FleetStep | None:
    """The last change of it that was not taken back."""
    return fleet.steps.filter(undone=False).last()


def newer_cards(sheet: Sheet) -> dict[int, Card]:
    """The cards, by line, that the catalogue has otherwise now than when they were taken."""
    keys = {line.card.key for line in sheet.lines if line.card.key}
    now = {row.key: row.card for row in CatalogueCard.objects.filter(key__in=keys)} if keys else {}
    return {line.id: now[line.card.key] for line in sheet.lines if now.get(line.card.key, line.card) != line.card}


USED = """
    WITH recent AS (
        SELECT fleet.data, fleet.player_id = %s AS own
        FROM tourney_fleet fleet JOIN tourney_player player ON player.id = fleet.player_id
        WHERE player.store_id = %s ORDER BY fleet.id DESC LIMIT %s
    )
    SELECT key #>> '{}' FROM recent, jsonb_path_query(data, 'strict $.ships[*].**.key', silent => true) key
    GROUP BY key ORDER BY count(*) FILTER (WHERE own) DESC, count(*) DESC, key LIMIT %s
"""
RECENT, MOST_USED = 200, 400
"""How many fleets of the store are looked through, and how many cards are remembered of them."""


def most_used(player: Player) -> list[str]:
    """The keys of the cards on ships in the newest fleets of the store, those of this player's own fleets first."""
    with connection.cursor() as cursor:
        cursor.execute(USED, [player.pk, player.store_id, RECENT, MOST_USED])
        return [key for (key,) in cursor.fetchall()]
