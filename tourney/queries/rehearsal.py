"""What a rehearsal shows of itself at the desk: how it goes on, and what it found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db.models import QuerySet

from tourney.domain import swiss
from tourney.models import Event, Pace, Rehearsal
from tourney.queries.matches import RoundState
from tourney.queries.state import EventState
from tourney.runtime.messages import Message, message

AROUND = 10  # minutes for pairing, results and dice, around each round
AT_ONCE = 400  # ms between two steps of the quick pace, in which the other parts of the page catch up
PORTIONS = 6  # in so many steps the results of a round come in, if they are not too many
MOST_AT_ONCE = 12  # results or roll-offs in a step, so that with hundreds of players one does not take long either
OTHER_STEPS = 4  # of a round: pair, publish, roll off, close

NEXT = {
    "check_in": lambda round: message("Next: everyone arrives and is checked in"),
    "pair": lambda round: message("Next: round {round} is paired", round=round),
    "publish": lambda round: message("Next: round {round} is published, and its clock starts", round=round),
    "results": lambda round: message("Next: results come in from the tables"),
    "roll_off": lambda round: message("Next: tied players roll off"),
    "close": lambda round: message("Next: round {round} closes", round=round),
    "finish": lambda round: message("Next: the ranks become final"),
}
"""How it goes on from each kind of step of that round."""


@dataclass(frozen=True, slots=True)
class Length:
    """How long the real evening lasts, if it begins in time."""

    rounds: int
    minutes: int
    around: int
    begins: datetime
    ends: datetime


@dataclass(frozen=True, slots=True)
class RoundSummary:
    """What happened in one round: who had the bye, ties rolled off, and what could not be kept (rule 3.7)."""

    round: RoundState
    bye: str
    rolled: int
    relaxed: Sequence[Message]


@dataclass(frozen=True, slots=True)
class Panel:
    """A rehearsal at its desk. `delay` is the time in ms until it goes on by itself, None: it does not.

    `promises` says rule 3.4 for those who came, then for one fewer and one more.
    """

    rehearsal: Rehearsal
    next: Message | None
    delay: int | None
    players: int
    length: Length
    promises: Sequence[Message]
    found: Sequence[RoundSummary]
    undeclared: int
    tables: int
    winner: str

    @property
    def real(self) -> Event:
        """The event that the rehearsal is a copy of."""
        return self.rehearsal.event

    @property
    def rolled(self) -> int:
        """The number of ties that were rolled off."""
        return sum(found.rolled for found in self.found)

    @property
    def relaxed(self) -> int:
        """How often the pairing could not keep something (rule 3.7)."""
        return sum(len(found.relaxed) for found in self.found)


def panel_of(state: EventState, relaxed: Mapping[int, Sequence[Message]]) -> Panel:
    """`relaxed` holds the sentences of each round that needed any. Raises LookupError for what is no rehearsal."""
    row = state.event.store.rehearsal
    if row is None:
        raise LookupError(f"{state.event} is no rehearsal")
    coming = [entrant for entrant in state.entrants if entrant.dropped_from is None]
    here = state.present(1) or coming
    step = state.next_step
    return Panel(
        rehearsal=row,
        next=NEXT[step.kind](step.round) if step.kind in NEXT else None,
        delay=None if state.is_finished else _delay(row.pace, len(coming) // 2),
        players=len(here),
        length=length_of(state.event),
        promises=promises(len(here), state.event.rounds_planned),
        found=[_found(state, round, relaxed.get(round.number, ())) for round in state.public_rounds],
        undeclared=_undeclared(row.event) if state.rules.allegiance else 0,
        tables=max((len(round.tables) for round in state.rounds), default=len(here) // 2),
        winner=state.names[state.standings(len(state.rounds))[0].id] if state.is_finished else "",
    )


def _undeclared(real: Event) -> int:
    """How many the desk still has to ask for a faction on the night (rule 1.4)."""
    return real.entrants.filter(dropped_from=None, faction="", plays_without=False).count()


def _delay(pace: str, tables: int) -> int | None:
    portions = -(-tables // tables_at_once(tables)) if tables else 1
    delays: dict[str, int] = {Pace.MINUTE: 60_000 // (OTHER_STEPS + portions), Pace.FAST: AT_ONCE}
    return delays.get(pace)


def tables_at_once(tables: int) -> int:
    """How many of the tables of a round play in one step."""
    return min(-(-tables // PORTIONS), MOST_AT_ONCE)


def length_of(event: Event) -> Length:
    """How long the night takes, from its rounds and minutes."""
    lasts = timedelta(minutes=event.rounds_planned * (event.minutes + AROUND))
    return Length(event.rounds_planned, event.minutes, AROUND, event.starts_at, event.starts_at + lasts)


def promises(players: int, rounds: int) -> list[Message]:
    """Rule 3.4 before round 1 for that many; then for one fewer and for one more, where that is another promise."""
    first = swiss.promise(players, rounds)
    others = [swiss.promise(number, rounds) for number in (players - 1, players + 1) if number >= 2]
    return [first, *(one for one in others if _apart_from_players(one) != _apart_from_players(first))]


def _apart_from_players(promise: Message) -> Message:
    return replace(promise, params={**promise.params, "players": ""})


def _found(state: EventState, round: RoundState, relaxed: Sequence[Message]) -> RoundSummary:
    rolled = [one for one in state.roll_offs if one.row.round.number == round.number and one.is_broken]
    return RoundSummary(round, state.names[round.bye.a.number] if round.bye else "", len(rolled), relaxed)


def running_of(event: Event, now: datetime) -> Rehearsal | None:
    """The rehearsal of this event whose days last, with its store."""
    return Rehearsal.objects.filter(event=event, ends_at__gt=now).select_related("store").first()


def rehearsals_of(event: Event) -> QuerySet[Rehearsal]:
    """Of this event, with their stores."""
    return Rehearsal.objects.filter(event=event).select_related("store")
