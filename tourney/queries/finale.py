"""The end of an event for one player: rank, faction, what they get, and when the next one is."""

from dataclasses import dataclass
from datetime import datetime

from scoring.domain.factions import FactionLine, victorious
from scoring.domain.standings import Standing
from tourney.models import Entrant, Event
from tourney.queries.awards import Gift, awards_of
from tourney.queries.calendars import next_event_of
from tourney.queries.finding import standing_after
from tourney.queries.state import EventState


@dataclass(frozen=True, slots=True)
class Finale:
    """What a finished event is to one of its players.

    `faction` is the line of their own faction and `victorious` that of the victorious one, None where there is none.
    `next` is the event that follows, `gets_token` whether its token is theirs if they come (rule 6.1).
    """

    standing: Standing
    players: int
    factions: int
    faction: FactionLine | None
    victorious: FactionLine | None
    gifts: tuple[Gift, ...]
    next: Event | None
    gets_token: bool

    @property
    def is_victorious(self) -> bool:
        """Whether their own faction is the victorious one."""
        return self.faction is not None and self.faction is self.victorious

    @property
    def has_facts(self) -> bool:
        """Whether there is more to say than the rank."""
        return bool(self.victorious or self.faction or self.gifts or self.gets_token)


def finale_of(state: EventState, entrant: Entrant, now: datetime) -> Finale | None:
    """The end for that player; None before it, and for somebody who didn't play."""
    after = len(state.closed_rounds)
    standing = standing_after(state, entrant, after)
    if not state.is_finished or standing is None:
        return None
    factions = state.faction_lines(after)
    coming = next_of(state, now)
    return Finale(
        standing=standing,
        players=len(state.standings(after)),
        factions=len(factions),
        faction=next((line for line in factions if line.faction == entrant.faction), None),
        victorious=victorious(factions),
        gifts=state.memoized("gifts", lambda: _gifts(state)).get(entrant.number, ()),
        next=coming,
        gets_token=coming is not None and _gets_token(state, standing, coming),
    )


def next_of(state: EventState, now: datetime) -> Event | None:
    """The event that follows, while it is ahead; whatever changes it changes the version of this one."""
    found = state.memoized("next event", lambda: next_event_of(state.event))
    return found if found and found.starts_at > now else None


def _gets_token(state: EventState, standing: Standing, coming: Event) -> bool:
    is_first = standing.rank == 1 and not standing.shared
    return is_first and coming.campaign_id == state.event.campaign_id and bool(coming.rules.token)


def _gifts(state: EventState) -> dict[int, tuple[Gift, ...]]:
    return {line.entrant.number: line.gifts for line in awards_of(state).lines}
