"""A night played by made-up players in memory: what `simulation.play_event` comes to, and no database is asked.

The rows are those that the actions would save, with numbers of their own for ids; whatever follows from them is worked
out by `EventState`, and what may be done next is asked of `progress`, as the desk does.
"""

from collections.abc import Sequence
from copy import copy
from datetime import timedelta
from random import Random

from tourney.actions.record import Actor, Refused
from tourney.actions.results import fill_result
from tourney.actions.rounds import planned_matches
from tourney.actions.simulation import Night, later, made_up_players, make_up
from tourney.domain import progress
from tourney.domain.tables import Needs
from tourney.models import Entrant, Event, Match, Player, Result, RollOff, Round
from tourney.queries.matches import RollOffState
from tourney.queries.results import ResultInput
from tourney.queries.roll_offs import rolled_by_software
from tourney.queries.rows import EventRows
from tourney.queries.state import EventState
from tourney.runtime.messages import Message

BETWEEN_RESULTS = timedelta(seconds=90)


def play_in_memory(event: Event, night: Night, *, random: Random, by: Actor) -> EventState:
    """The finished event as it would stand; the same random gives the night that the actions give.

    The event has nobody yet, and need not be saved; it stays as it is. Players bring no fleets and need no table.
    Raises Refused where people would have to decide.
    """
    playing = _Playing(copy(event), random, by)
    playing.arrive(night.players)
    arrivals = sorted(random.randint(2, max(2, event.rounds_planned)) for _ in range(night.late))
    for number in range(1, event.rounds_planned + 1):
        if newcomers := arrivals.count(number):
            playing.arrive(newcomers)
        playing.draw()
        playing.play_round()
        if number < event.rounds_planned:
            playing.leave(night.drop_rate)
    playing.finish()
    return playing.state


class _Playing:
    """The night so far: its rows, the state that follows from them, whose turn it is and when."""

    def __init__(self, event: Event, random: Random, by: Actor) -> None:
        self.event, self.random, self.by = event, random, by
        self.rows = EventRows()
        self._look()

    def _look(self) -> None:
        """The event as it stands now."""
        self.state = EventState(self.event, self.rows)
        self.state.memoized("needs", lambda: dict.fromkeys(self.state.by_number, Needs()))

    def arrive(self, players: int) -> None:
        """Register and check in so many more made-up players."""
        there = {name.lower() for name in self.state.names.values()}
        people = made_up_players(self.event.rules, there, players, self.random)
        for number, (name, faction) in enumerate(people, start=len(self.rows.entrants) + 1):
            player = Player(pk=number, name=name)
            entrant = Entrant(pk=number, event=self.event, player=player, number=number, faction=faction)
            entrant.registered_at, entrant.checked_in, entrant.has_fleet = self.by.at, True, False
            self.rows.entrants.append(entrant)
        self.by = later(self.by, minutes=15)
        self._look()

    def draw(self) -> None:
        """Pair and publish the next round, and start its clock."""
        state = self.state
        _ask(progress.why_not_pair(state.facts))
        number = len(state.rounds) + 1
        pairing = state.pairing(number, seed=self.random.randrange(2**31))
        round = Round(pk=number, event=self.event, number=number, seed=pairing.seed, state=Round.State.DRAFT)
        round.relaxed_rules = [reason.as_data() for reason in pairing.relaxed]
        self.rows.rounds.append(round)
        for match, numbers in planned_matches(state, round, pairing):
            self._seat(match, numbers)
        self._look()
        _ask(progress.why_not_publish(self.state.facts, number))
        round.state, round.published_at = Round.State.PUBLISHED, later(self.by, minutes=1).at
        self.by = later(self.by, minutes=5)
        round.ends_at = self.by.at + timedelta(minutes=self.event.minutes)

    def _seat(self, match: Match, numbers: Sequence[int]) -> None:
        match.pk = len(self.rows.matches) + 1
        Match._meta.get_field("result").set_cached_value(match, None)
        self.rows.matches.append(match)
        self.rows.seats[match.pk] += [(number, []) for number in numbers]

    def play_round(self) -> None:
        """A made-up result at every table, all roll-offs; then the round is closed."""
        round, at = self.state.rounds[-1], later(self.by, minutes=20).at
        for place, match in enumerate(round.missing, start=1):
            result = Result(match=match.row, version=1)  # the match has it from now on
            fill_result(result, ResultInput(make_up(self.event.rules, self.random)))
            result.entered_by, result.entered_at = self.by.name, at + place * BETWEEN_RESULTS
            match.row.result_save_count = 1
        self._look()
        self._roll_all(RollOff.Kind.TABLE, [tuple(sorted(one.numbers)) for one in self.state.rounds[-1].tied])
        self._roll_all(RollOff.Kind.STANDING, self.state.ties(round.number))
        if round.number >= self.event.rounds_planned and (champions := self.state.faction_tie(round.number)):
            self._roll_all(RollOff.Kind.FACTION, [champions])
        _ask(progress.why_not_close(self.state.facts, round.number))
        self.by = later(self.by, minutes=self.event.minutes)
        round.row.state, round.row.closed_at, round.row.ends_at = Round.State.CLOSED, self.by.at, None
        self.by = later(self.by, minutes=5)
        self._look()

    def _roll_all(self, kind: str, groups: Sequence[Sequence[int]]) -> None:
        for group in groups:
            self._roll(kind, sorted(group), f"{self.random.getrandbits(64):016x}")
        if groups:
            self._look()

    def _roll(self, kind: str, group: list[int], seed: str) -> None:
        row = RollOff(pk=len(self.rows.roll_offs) + 1, round=self.rows.rounds[-1], kind=kind, group=group)
        self.rows.roll_offs.append(row)
        while (rolling := RollOffState(row, self.rows.rolls[row.pk])).still_tied:
            self.rows.rolls[row.pk].append(rolled_by_software(self.event.rules, rolling, seed))

    def leave(self, drop_rate: float) -> None:
        """Each player drops with this chance, as long as two are left."""
        following = len(self.state.rounds) + 1
        there = self.state.present(following)
        staying = len(there)
        for entrant in there:
            if staying > 2 and self.random.random() < drop_rate:
                entrant.dropped_from = following
                staying -= 1
        if staying < len(there):
            self._look()

    def finish(self) -> None:
        """The ranks are final."""
        _ask(progress.why_not_finish(self.state.facts))
        self.event.finished_at, self.event.registration_open = self.by.at, False
        self.event.last_entrant_number = len(self.rows.entrants)
        self._look()


def _ask(reasons: tuple[Message, ...]) -> None:
    if reasons:
        raise Refused(*reasons)
