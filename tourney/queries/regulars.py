"""What a player who comes again joins with: the faction and the fleet of the last time."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, F, Q

from tourney.domain.regulars import faction_again, why_not_withdraw
from tourney.models import Event, Fleet, Player, Round
from tourney.queries.months import days_until
from tourney.runtime.messages import Message

MOST_EVENTS = 6
"""So many events ahead a card offers to join."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """The faction that was declared last ("" for none), and the fleet that flew last, if it can be read."""

    last_faction: str
    fleet: Fleet | None

    def faction_at(self, event: Event) -> str | None:
        """The faction to join that event with; None where the player has to be asked (rule 1.4)."""
        return faction_at(event, self.last_faction)


def faction_at(event: Event, last: str) -> str | None:
    """Rule 1.4: the faction to play that event with after this one: "" where it has none, None to be asked."""
    return faction_again(last, event.rules.factions, allegiance=event.rules.allegiance)


@dataclass(frozen=True, slots=True)
class ToJoin:
    """An event that the player may join, with the faction of the last time; None where it has to be asked."""

    event: Event
    is_today: bool
    faction: str | None


def remembered(player: Player) -> Remembered:
    """What is known of the last time, in two queries."""
    declared = player.entries.exclude(faction="").order_by("-event__starts_at", "-pk")
    flown = player.fleets.recorded().exclude(entrant=None).order_by("-entrant__event__starts_at", "-pk")
    fleet = flown.first()
    readable = fleet if fleet and fleet.readable_sheet is not None else None
    return Remembered(declared.values_list("faction", flat=True).first() or "", readable)


def fleets_to_bring(player: Player) -> list[Fleet]:
    """The player's fleets with ships that can be read, those changed last first."""
    return [fleet for fleet in player.fleets.recorded() if fleet.readable_sheet is not None]


def events_to_join(player: Player, last: Remembered, now: datetime) -> list[ToJoin]:
    """The next events of the store that the player is not in and may join by phone, the next one first."""
    here = Event.objects.with_context().filter(campaign__store=player.store_id, starts_at__gt=now - timedelta(days=2))
    open_ones = here.filter(finished_at=None, canceled_at=None, registration_open=True)
    open_ones = open_ones.filter(Q(sign_up_closes_at=None) | Q(sign_up_closes_at__gt=now))
    paired = Count("rounds", filter=~Q(rounds__state=Round.State.DRAFT))
    open_ones = open_ones.alias(paired=paired).filter(paired__lt=F("rounds_planned"))
    events = open_ones.exclude(entrants__player=player).order_by("starts_at", "pk")[:MOST_EVENTS]
    ahead = ((event, days_until(event, now)) for event in events)
    return [ToJoin(event, days == 0, last.faction_at(event)) for event, days in ahead if days >= 0]


def why_no_change(event: Event) -> tuple[Message, ...]:
    """What keeps a player of the event from withdrawing, or changing the faction, without the desk."""
    return why_not_withdraw(event.rounds.values_list("state", flat=True), is_finished=event.is_finished)
