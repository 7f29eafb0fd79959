"""One event as it stands: its rows, loaded in a constant number of queries, and everything computed from them."""

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from contextlib import nullcontext
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from typing import Any, NamedTuple

from django.utils.translation import get_language

from scoring.domain import factions, roll_offs
from scoring.domain.points import Score
from scoring.domain.standings import (
    Groups,
    Participant,
    Standing,
    groups_by_points,
    standings_of,
    tied_of,
    ties_left,
    why,
)
from tourney.domain import missing, progress, swiss
from tourney.domain.places import free_places, waiting_list
from tourney.models import Entrant, Event, RollOff, Round
from tourney.queries.contenders import contenders_of
from tourney.queries.matches import MatchState, PenaltyState, RollOffState, RoundState
from tourney.queries.places import claims_of
from tourney.queries.rows import EventRows, rows_of
from tourney.queries.shown_names import short_names
from tourney.queries.slices import EventSlice
from tourney.queries.snapshot import repeatable_read
from tourney.runtime.messages import Message


@dataclass(slots=True)
class StandingLine:
    """A row of the standings for a page."""

    standing: Standing
    entrant: Entrant
    why: Message


OF_NO_ROUND = frozenset({"needs", "room", "sent", "token", *(("roll-offs", kind) for kind in RollOff.Kind.values)})
"""What is memoized by `EventState.memoized` and depends on no round."""


type RollOffFacts = Sequence[roll_offs.RollOffRolls]


class OfRound(NamedTuple):
    """A key for `EventState.memoized`: what depends on that round alone."""

    what: str
    number: int


class EventState(EventSlice):
    """Everything about one event. Build it with `state_of`."""

    def __init__(self, event: Event, rows: EventRows, last: "EventState | None" = None) -> None:
        """`last` is the same event at an earlier moment: what `rows` says is as it was then is taken over from it."""
        super().__init__(event, rows)
        self.by_player = {entrant.player_id: entrant for entrant in self.entrants}
        self.rounds = self._rounds(rows)
        self._follows: dict[tuple[Hashable, int], Any] = {}
        self._before: tuple[EventState, int] | None = None
        self._made: dict[tuple[str | None, Hashable], Any] = {}
        if last and rows.same_rounds:
            self._take_over(last, frozenset(rows.same_rounds))

    def _take_over(self, last: "EventState", same: Collection[int]) -> None:
        """The rounds that are the same, and the standings after them as long as none before is another."""
        rounds = (round for round in last.rounds if round.row.pk in same)
        self.rounds = sorted([*rounds, *self.rounds], key=lambda round: round.number)
        self.round_rows = [round.row for round in self.rounds]
        self.matches = [match for round in self.rounds for match in round.matches]
        kept = (roll_off for roll_off in last.roll_offs if roll_off.row.round_id in same)
        self.roll_offs = sorted([*kept, *self.roll_offs], key=lambda roll_off: roll_off.row.pk)
        if [roll_off.facts for roll_off in self.roll_offs] == [roll_off.facts for roll_off in last.roll_offs]:
            unbroken = sum(1 for _ in takewhile(lambda round: round.row.pk in same, self.rounds))
            self._follows = {(what, n): found for (what, n), found in last._follows.copy().items() if n <= unbroken}

    def _rounds(self, rows: EventRows) -> list[RoundState]:
        matches: defaultdict[int, list[MatchState]] = defaultdict(list)
        for match in self.matches:
            matches[match.row.round_id].append(match)
        by_id = {entrant.pk: entrant for entrant in self.entrants}
        return [
            RoundState(
                row,
                matches[row.pk],
                self.rules,
                [PenaltyState(penalty, by_id[penalty.entrant_id]) for penalty in rows.penalties[row.pk]],
            )
            for row in rows.rounds
        ]

    def with_round(self, round: RoundState) -> "EventState":
        """The event with that round in place of its own, in memory; what follows from the rounds before it stays."""
        changed = copy(self)
        for computed in ("facts", "seated_numbers"):
            changed.__dict__.pop(computed, None)
        changed.rounds = [round if one.number == round.number else one for one in self.rounds]
        changed.matches = [match for one in changed.rounds for match in one.matches]
        changed._follows, changed._before = {}, (self, round.number)
        changed._made = self._made_without(round.number)
        return changed

    def unshared(self) -> "EventState":
        """The same event for one who tries something: but for what follows from its rounds, nothing is kept for all."""
        own = copy(self)
        own._made = self._made_without(None)
        return own

    def _made_without(self, number: int | None) -> dict[tuple[str | None, Hashable], Any]:
        def holds(key: Hashable) -> bool:
            return key in OF_NO_ROUND or (isinstance(key, OfRound) and number not in (None, key.number))

        return {key: made for key, made in self._made.copy().items() if holds(key[1])}

    def memoized[Thing](self, key: Hashable, make: Callable[[], Thing]) -> Thing:
        """What `make` returns, memoized by `key`: it depends on this state alone, and many ask (`shared_state`).

        Readers of several languages each have their own, since it may hold words; what follows from no round, or one,
        holds none.
        """
        spoken = None if key in OF_NO_ROUND or isinstance(key, OfRound) else get_language(), key
        if spoken not in self._made:
            self._made[spoken] = make()
        made: Thing = self._made[spoken]
        return made

    def memoized_after[Thing](self, what: Hashable, after: int, make: Callable[[], Thing]) -> Thing:
        """The same for what follows from the first `after` rounds alone; of a state `with_round` what its own says."""
        if self._before and after < self._before[1]:
            return self._before[0].memoized_after(what, after, make)
        if (what, after) not in self._follows:
            self._follows[what, after] = make()
        found: Thing = self._follows[what, after]
        return found

    @property
    def is_before(self) -> bool:
        """Whether no round is drawn yet of an event that takes place."""
        return not (self.rounds or self.is_finished or self.event.is_canceled)

    @cached_property
    def waiting_list(self) -> tuple[int, ...]:
        """The numbers of those who wait for a place, the next one first."""
        places = self.event.places
        return () if places is None else waiting_list(claims_of(self.entrants), places)

    @cached_property
    def with_place(self) -> list[Entrant]:
        """Everybody registered who doesn't wait for a place."""
        return [one for one in self.entrants if one.number not in self.waiting_list]

    @property
    def queued(self) -> list[Entrant]:
        """Those who wait for a place, the next one first."""
        return [self.by_number[number] for number in self.waiting_list]

    @property
    def places_taken(self) -> int:
        """How many have a place and may still come."""
        return sum(one.dropped_from is None for one in self.with_place)

    @property
    def is_full(self) -> bool:
        """Whether who joins now waits for a place."""
        return free_places(claims_of(self.entrants), self.event.places) == 0

    # rounds

    @property
    def last_round(self) -> RoundState | None:
        """The last round, a draft too; None before the first."""
        return self.rounds[-1] if self.rounds else None

    @property
    def public_rounds(self) -> list[RoundState]:
        """The rounds without drafts."""
        return [round for round in self.rounds if round.state != Round.State.DRAFT]

    @property
    def complete_rounds(self) -> list[RoundState]:
        """The rounds whose results are all in, from the first on without a gap."""
        complete = []
        for round in self.public_rounds:
            if not round.is_complete:
                break
            complete.append(round)
        return complete

    @property
    def closed_rounds(self) -> list[RoundState]:
        """The rounds that are closed."""
        return [round for round in self.rounds if round.state == Round.State.CLOSED]

    def round(self, number: int) -> RoundState | None:
        """The round of that number, None if there is none."""
        return next((round for round in self.rounds if round.number == number), None)

    # standings

    def participants(self, after: int) -> tuple[Participant, ...]:
        """Everybody who sat in one of the first `after` rounds."""
        return self.memoized_after("participants", after, lambda: self._participants(after))

    def _participants(self, after: int) -> tuple[Participant, ...]:
        first: dict[int, int] = {}
        for round in self.rounds[:after]:
            for match in round.matches:
                for number in match.numbers:
                    first.setdefault(number, round.number)
        return tuple(
            Participant(number, self.by_number[number].faction, first[number], self.by_number[number].dropped_from)
            for number in sorted(first)
        )

    def scores(self, after: int) -> list[dict[int, Score]]:
        """The scores of the first `after` rounds, each by entrant number."""
        return [round.scores for round in self.rounds[:after]]

    def roll_off_facts(self, kind: str = RollOff.Kind.STANDING) -> tuple[roll_offs.RollOffRolls, ...]:
        """The roll-offs of that kind as the rules read them."""
        return self.memoized(
            ("roll-offs", kind),
            lambda: tuple(roll_off.facts for roll_off in self.roll_offs if roll_off.row.kind == kind),
        )

    def standings(self, after: int) -> tuple[Standing, ...]:
        """Rule 5.1 after that many rounds."""
        return self.memoized_after(
            "standings",
            after,
            lambda: standings_of(self.rules, self._groups(after), min(after, len(self.rounds)), self.roll_off_facts()),
        )

    def _groups(self, after: int) -> Groups:
        return self.memoized_after(
            "groups", after, lambda: groups_by_points(self.participants(after), self.scores(after))
        )

    def standing_lines(self, after: int) -> list[StandingLine]:
        """The standings after so many rounds, each line with its entrant and why it stands there."""
        table = self.standings(after)
        reasons = why(table, self.names, self.roll_off_facts())
        return [StandingLine(line, self.by_number[line.id], reasons[line.id]) for line in table]

    def faction_lines(self, after: int) -> tuple[factions.FactionLine, ...]:
        """Rule 5.3 after that many rounds; empty where the pack has no allegiance."""
        if not self.rules.allegiance:
            return ()
        return factions.faction_table(*self._of_factions(after))

    # ties

    def ties(self, after: int) -> tuple[tuple[int, ...], ...]:
        """The tied groups after that many rounds whose roll-off is not decided, whether it must be or not."""
        return self.memoized_after(
            "ties",
            after,
            lambda: ties_left(self._tied(after), after, self.roll_off_facts()),
        )

    def faction_tie(self, after: int) -> tuple[int, ...]:
        """The champions who roll for the victorious faction (rule 5.3), if the lead is tied."""
        if not self.rules.allegiance:
            return ()
        return factions.faction_tie(*self._of_factions(after))

    def _of_factions(self, after: int) -> tuple[Sequence[Standing], Sequence[Participant], RollOffFacts, RollOffFacts]:
        """What rule 5.3 reads after that many rounds."""
        for_victory = self.roll_off_facts(RollOff.Kind.FACTION)
        return self.standings(after), self.participants(after), for_victory, self.roll_off_facts()

    def ties_to_roll(self, after: int) -> tuple[tuple[int, ...], ...]:
        """Rule 4.4: after the last planned round every tie, before it every tie or those that change the pairing."""
        groups = self.ties(after)
        if after >= self.event.rounds_planned or self.rules.roll_offs_between_rounds == "every" or not groups:
            return groups
        return swiss.ties_that_change_pairing(
            self.contenders(after + 1),
            groups,
            options=self.options,
            rounds_left=self.event.rounds_planned - after - 1,
        )

    def roll_off(self, round_number: int, kind: str, group: tuple[int, ...]) -> RollOffState | None:
        """The roll-off of that round, kind and group, None if nobody has rolled."""
        return next(
            (
                roll_off
                for roll_off in self.roll_offs
                if roll_off.row.round.number == round_number
                and roll_off.row.kind == kind
                and roll_off.group == tuple(sorted(group))
            ),
            None,
        )

    def in_order(self, round_number: int, kind: str, group: Sequence[int]) -> tuple[int, ...]:
        """Who rolls off, as every page names them: as they sit at the table, otherwise by their numbers."""
        match = self.rounds[round_number - 1].match_of(group[0]) if kind == RollOff.Kind.TABLE else None
        return match.numbers if match and {*match.numbers} == {*group} else tuple(sorted(group))

    def levels_in_order(self, roll_off: RollOffState) -> tuple[tuple[int, ...], ...]:
        """The groups that the rolls left, best first; who is still tied, as every page names them."""
        order = self.in_order(roll_off.row.round.number, roll_off.row.kind, roll_off.group)
        return tuple(tuple(sorted(level, key=order.index)) for level in roll_off.levels)

    def is_void(self, roll_off: RollOffState) -> bool:
        """Rule 4.3: whether the tie it was rolled for no longer exists."""
        number = roll_off.row.round.number
        if roll_off.row.kind == RollOff.Kind.TABLE:
            match = self.rounds[number - 1].match_of(roll_off.group[0])
            if match is None or tuple(sorted(match.numbers)) != roll_off.group:
                return True
            return match.score is None or not (match.score.needs_roll_off or match.is_by_dice)
        if roll_off.row.kind == RollOff.Kind.FACTION:
            return roll_off.group != self._champions_of_the_tie(number)
        return roll_off.group not in self.memoized_after("tied set", number, lambda: {*self._tied(number)})

    def _tied(self, after: int) -> tuple[tuple[int, ...], ...]:
        """The groups that were tied after that many rounds, before any dice, best first."""
        return self.memoized_after("tied", after, lambda: tied_of(self._groups(after)))

    def _champions_of_the_tie(self, number: int) -> tuple[int, ...]:
        table = factions.faction_tie(self.standings(number), self.participants(number))
        return tuple(sorted(table))

    # pairing

    @property
    def options(self) -> swiss.Options:
        """The month's options for pairing."""
        return swiss.Options(style=self.rules.pairing_style, keep_factions_apart=self.rules.keep_factions_apart)

    def pairing(self, round_number: int, *, seed: int, no_second_bye: bool = False) -> swiss.Pairing:
        """Rule 3 for everybody present, as it would be drawn now. `no_second_bye` is a choice of rule 3.7."""
        return swiss.pair(
            self.contenders(round_number),
            seed=seed,
            rounds_left=self.event.rounds_planned - round_number,
            options=replace(self.options, no_second_bye=no_second_bye),
            first_round=round_number == 1,
        )

    def paired_again(self, round: RoundState) -> swiss.Pairing:
        """Rule 3 for those who sit in the round, as it would be drawn with its seed from the results as they are.

        Of an event `with_round` that of its own, where that makes no difference to anybody who sits there.
        """
        seated = tuple(sorted(number for match in round.matches for number in match.numbers))
        left = max(0, self.event.rounds_planned - round.number)

        def pair() -> swiss.Pairing:
            contenders = self.contenders(round.number, seated)
            if self._before and contenders == self._before[0].contenders(round.number, seated):
                return self._before[0].paired_again(round)
            return swiss.pair(contenders, seed=round.row.seed, rounds_left=left, options=self.options)

        return self.memoized_after(("paired", round.row.seed, left, seated), round.number - 1, pair)

    def present(self, round_number: int) -> list[Entrant]:
        """Who would be paired in that round: checked in and not dropped before it."""
        return [
            entrant
            for entrant in self.entrants
            if entrant.checked_in and (entrant.dropped_from is None or entrant.dropped_from > round_number)
        ]

    @property
    def starting_round(self) -> int:
        """The number of the round that is drafted, or is drawn next."""
        last = self.last_round
        return last.number + (last.state != Round.State.DRAFT) if last else 1

    def starters(self, with_fleet: Collection[int] = ()) -> list[missing.Starter]:
        """Everybody who is here for that round; `with_fleet` are the numbers of those whose fleet is recorded."""
        here = self.present(self.starting_round)
        return [self._starter(one, has_fleet=one.number in with_fleet) for one in here]

    def _starter(self, one: Entrant, *, has_fleet: bool = False) -> missing.Starter:
        has_played = one.number in self.seated_numbers
        return missing.Starter(one.number, one.faction, one.plays_without, has_fleet, has_played)

    @property
    def without_faction(self) -> list[Entrant]:
        """Rule 1.4: who is here, plays a first round, and has not said for which faction, or for none."""
        found = missing.without_faction(self.starters(), has_allegiance=self.rules.allegiance)
        return [self.by_number[number] for number in found]

    def asks_faction(self, entrant: Entrant) -> bool:
        """Rule 1.4: whether that entrant is still to say so, here or not."""
        is_coming = not self.is_finished and entrant.dropped_from is None
        starters = [self._starter(entrant)] if is_coming else []
        return bool(missing.without_faction(starters, has_allegiance=self.rules.allegiance))

    def contenders(self, round_number: int, numbers: Iterable[int] | None = None) -> list[swiss.Contender]:
        """Everybody present, or these, with the record that pairing asks for (rule 3)."""
        chosen = tuple(numbers) if numbers is not None else tuple(one.number for one in self.present(round_number))
        all_of_them = tuple(sorted(chosen))
        by_number = self.memoized_after(
            ("contenders", all_of_them), round_number - 1, lambda: contenders_of(self, round_number, all_of_them)
        )
        return [by_number[number] for number in chosen]

    # progress

    @cached_property
    def facts(self) -> progress.Facts:
        """The event as `domain.progress` reads it."""
        return progress.Facts(
            rounds_planned=self.event.rounds_planned,
            present=len(self.present(len(self.rounds) + 1)),
            rounds=tuple(self._round_facts(round) for round in self.rounds),
            finished=self.is_finished,
            canceled=self.event.is_canceled,
        )

    def rolls_to_do(self) -> list[tuple[str, tuple[int, ...]]]:
        """Kind and group of every roll-off that the last round waits for: ties first, then the factions (rule 4.4)."""
        round = self.last_round
        if round is None or len(self.complete_rounds) < len(self.rounds):
            return []
        if groups := self.ties_to_roll(round.number):
            return [(RollOff.Kind.STANDING, group) for group in groups]
        champions = self.faction_tie(round.number) if round.number >= self.event.rounds_planned else ()
        return [(RollOff.Kind.FACTION, champions)] if champions else []

    def _round_facts(self, round: RoundState) -> progress.RoundFacts:
        rolls = self.rolls_to_do() if round is self.last_round else []
        return progress.RoundFacts(
            number=round.number,
            state=round.state,
            tables=len(round.tables),
            missing=tuple(match.table for match in round.missing),
            tied=tuple(match.table for match in round.tied),
            ties=self._names_of(rolls, RollOff.Kind.STANDING),
            rivals=self._names_of(rolls, RollOff.Kind.FACTION),
            waiting=self._waiting(round) if round.state == Round.State.DRAFT else (),
            undeclared=self._undeclared(round) if round.state == Round.State.DRAFT else (),
        )

    def _names_of(self, rolls: Sequence[tuple[str, tuple[int, ...]]], wanted: str) -> tuple[tuple[str, ...], ...]:
        """Who rolls, for each roll-off of that kind."""
        return tuple(tuple(self.names[one] for one in group) for kind, group in rolls if kind == wanted)

    def _waiting(self, draft: RoundState) -> tuple[str, ...]:
        return tuple(self.names[one.number] for one in self.present(draft.number) if not draft.match_of(one.number))

    def _undeclared(self, draft: RoundState) -> tuple[str, ...]:
        """Nobody is kept from playing by one who comes later."""
        return tuple(str(one) for one in self.without_faction) if draft.number == 1 else ()

    @cached_property
    def next_step(self) -> progress.NextStep:
        """The one next step of the night."""
        return progress.next_step(self.facts)


def state_of(event: Event, *, public: bool = False) -> EventState:
    """The event as it stands now, in a number of queries that does not depend on its size."""
    return states_of([event], public=public)[0]


def states_of(events: Sequence[Event], *, public: bool = False) -> list[EventState]:
    """Several events of a store as they stand at one moment, in as many queries as one event needs.

    `public` puts the names that everybody may read in the place of the players' own (`queries/shown_names.py`).
    """
    with repeatable_read() if public else nullcontext():
        rows = rows_of(events, short_names(events[0].store) if public and events else {})
    return [EventState(event, rows.get(event.pk) or EventRows()) for event in events]
