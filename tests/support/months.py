"""Two months of a campaign, for tests: the first is finished, the second about to begin."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from random import Random

from tests.support.copied import copied
from tests.support.nights import BY, Night, make_night
from tests.support.tables import eliminated, enter
from tourney.actions import entrants, events, simulation
from tourney.models import Entrant, Event, Store, TokenLine
from tourney.queries.state import state_of

MONTH = timedelta(days=28)


@dataclass
class Months:
    """`first` is finished, in the `order` of its players; `second` has some of them, checked in."""

    first: Night
    second: Night
    order: list[str]

    @property
    def event(self) -> Event:
        """The second month, as it is now."""
        return Event.objects.with_context().get(pk=self.second.event.pk)

    def who(self, place: int) -> Entrant:
        """Who finished the first month on that place (0 is the Admiral), in the second."""
        return self.event.entrants.select_related("player").get(player__name=self.order[place])

    def number(self, place: int) -> int:
        return self.who(place).number

    def arrive(self, *places: int) -> None:
        register(self.event, [self.order[place] for place in places])

    def ledger(self) -> list[tuple[str, str | None]]:
        """The lines of the second month: what happened, and whom it names."""
        rows = TokenLine.objects.filter(event=self.second.event).select_related("entrant__player")
        return [(row.kind, row.entrant and row.entrant.player.name) for row in rows]


@copied
def two_months(present: Sequence[int] = (0, 1, 2, 3), *, guests: Sequence[str] = (), store: Store | None = None):
    """Month five with four players and three rounds; month six with those of these places, and guests."""
    first = make_night(players=4, rounds=3, finish=True, pack="dominion-war-5", store=store)
    Event.objects.filter(pk=first.event.pk).update(starts_at=first.event.starts_at - MONTH)
    state = state_of(first.event)
    order = [state.names[line.id] for line in state.standings(3)]
    months = Months(first, make_night(players=0, store=first.store), order)
    register(months.event, [*(order[place] for place in present), *guests])
    return months


def register(event: Event, names: Sequence[str]) -> None:
    if names:
        entrants.register(event, [(name, "Klingon") for name in names], by=BY, checked_in=True)


def draw(event: Event, *, close: bool = False) -> None:
    """The next round is published; with `close` it is played too."""
    simulation.draw(event, random=Random(1), by=BY)
    if close:
        simulation.play_round(event, random=Random(2), by=BY)


def play_on(event: Event, rounds: int) -> None:
    for _ in range(rounds):
        draw(event, close=True)


def dethrone(months: Months, place: int = 0) -> str:
    """Month five is opened again, corrected so that its Admiral lost everything, and finished; the new Admiral.

    `place` is of somebody else who lost instead.
    """
    event, loser = months.first.event, months.order[place]
    events.reopen_event(event, reason="the slip was read wrong", by=BY)
    for round in state_of(event).rounds:
        match = next(one for one in round.tables if loser in [str(entrant) for entrant in one.entrants])
        out = [str(entrant) for entrant in match.entrants].index(loser)
        enter(event, match.table, eliminated(out, left=99), number=round.number, version=match.version, reason="again")
    simulation.roll_off_tables(event, random=Random(1), by=BY)
    simulation.roll_off_standings(event, random=Random(1), by=BY)
    events.finish_event(event, by=BY)
    state = state_of(event)
    return state.names[state.standings(3)[0].id]
