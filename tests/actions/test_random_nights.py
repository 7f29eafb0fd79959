"""Random nights: whatever people do in whatever order, the event stays in order and there is a way forward.

A night that fails is played again by its pack and seed, which are its name. `NIGHTS=200` plays so many of each month.
"""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest
from django.db import transaction

from scoring.domain.points import Ending, Played, Side
from scoring.shipped import shipped_pack
from tests.support.nights import AT, BY, make_store
from tests.support.slips import points_of
from tourney.actions import by_hand, entrants, events, results, roll_offs, rounds, simulation
from tourney.actions.archive import import_event
from tourney.actions.record import Refused
from tourney.models import Event, RollOff, Round
from tourney.queries.archive import archive_of
from tourney.queries.choices import PairingChoice
from tourney.queries.corrections import grade_of
from tourney.queries.matches import MatchState
from tourney.queries.roll_offs import tied_groups
from tourney.queries.slices import seat_slice, table_slice
from tourney.queries.state import EventState, state_of

pytestmark = pytest.mark.django_db

NIGHTS, ACTS = int(os.environ.get("NIGHTS", "1")), 50
NAMES = [f"Ensign {number}" for number in range(1, 12)]
PACKS = {
    "dominion-war-6": shipped_pack("dominion-war-6"),
    "temporal-cold-war-2": shipped_pack("temporal-cold-war-2"),
    "ties-that-matter": replace(shipped_pack("dominion-war-6"), roll_offs_between_rounds="pairing", rounds=4),
}
WEIGHTS = {
    "register": 6,
    "check_in": 4,
    "check_out": 1,
    "remove": 1,
    "drop": 3,
    "bring_back": 2,
    "change_faction": 1,
    "pair": 4,
    "discard": 1,
    "swap": 3,
    "choose": 1,
    "publish": 4,
    "clock": 2,
    "close": 3,
    "result": 30,
    "remove_result": 1,
    "roll_by_hand": 6,
    "roll_by_software": 5,
    "finish": 3,
    "settings": 2,
}


@pytest.mark.many
@pytest.mark.parametrize("seed", range(NIGHTS))
@pytest.mark.parametrize("pack", PACKS)
def test_whatever_is_done_the_event_stays_in_order_and_can_be_finished(pack, seed):
    night = RandomNight(pack, Random(f"{pack}-{seed}"))
    for _ in range(ACTS):
        night.something_happens()
        assert_in_order(night.event)
    assert_comes_back_from_its_archive(night.event)

    night.go_on_to_the_end()

    assert_in_order(night.event)
    assert night.state.is_finished


class RandomNight:
    """An event and everybody who does things to it; what may not be done now is refused and changes nothing."""

    def __init__(self, pack: str, random: Random):
        self.random, self.by = random, BY
        store, _ = make_store()
        campaign = events.make_campaign(store, storyline="The Dominion War", by=BY)
        self.event = events.make_event(campaign, PACKS[pack], starts_at=AT, sp_limit=100, by=BY)
        if players := random.choice([0, 2, 3, 4, 5, 7, 8]):
            simulation.arrive(self.event, players, random=random, by=BY)

    @property
    def state(self) -> EventState:
        self.event = Event.objects.with_context().get(pk=self.event.pk)
        return state_of(self.event)

    def something_happens(self) -> None:
        state, before = self.state, archive_of(self.event)
        self.by = replace(self.by, at=self.by.at + timedelta(seconds=self.random.randint(1, 600)))
        act = self._act(state)
        print(act.__name__)  # pytest shows it when the night fails
        try:
            act(state)
        except Refused:
            assert act != self.go_on, state.next_step
            assert archive_of(self.state.event) == before
        else:
            assert_in_the_journal(before, archive_of(self.state.event))

    def _act(self, state: EventState) -> Callable[[EventState], None]:
        if state.is_finished:
            return self.random.choice([self.reopen, self.reopen, self.register, self.result])
        if self.random.random() < 0.35:
            return self.go_on
        return getattr(self, self.random.choices([*WEIGHTS], WEIGHTS.values())[0])

    # who is here

    def register(self, state: EventState) -> None:
        people = [(self.random.choice(NAMES), self._faction()) for _ in range(self.random.randint(1, 3))]
        here = self.random.random() < 0.7
        entrants.register(self.event, people, by=self.by, by_self=self.random.random() < 0.2, checked_in=here)

    def check_in(self, state: EventState) -> None:
        numbers = None if self.random.random() < 0.5 else [self._number(state)]
        entrants.check_in(self.event, numbers, by=self.by)

    def check_out(self, state: EventState) -> None:
        entrants.check_out(self.event, self._number(state), by=self.by)

    def remove(self, state: EventState) -> None:
        entrants.remove(self.event, self._number(state), by=self.by)

    def drop(self, state: EventState) -> None:
        entrants.drop(self.event, self._number(state), by=self.by)

    def bring_back(self, state: EventState) -> None:
        gone = [entrant.number for entrant in state.entrants if entrant.dropped_from is not None]
        entrants.bring_back(self.event, self.random.choice(gone or [1]), by=self.by)

    def change_faction(self, state: EventState) -> None:
        reason = self.random.choice(["", "a slip of the pen"])
        entrants.change_faction(self.event, self._number(state), self._faction(), by=self.by, reason=reason)

    # rounds

    def pair(self, state: EventState) -> None:
        rounds.pair_round(self.event, seed=self.random.randrange(2**31), by=self.by)

    def discard(self, state: EventState) -> None:
        rounds.discard_draft(self.event, len(state.rounds), by=self.by)

    def swap(self, state: EventState) -> None:
        two = self._number(state), self._number(state)
        by_hand.place(self.event, len(state.rounds), *two, reason="they are cousins", by=self.by)

    def choose(self, state: EventState) -> None:
        rounds.choose(self.event, len(state.rounds), self.random.choice(list(PairingChoice)), by=self.by)

    def publish(self, state: EventState) -> None:
        rounds.publish_round(self.event, len(state.rounds), by=self.by)

    def clock(self, state: EventState) -> None:
        act = self.random.choice([rounds.start_clock, rounds.pause_clock, rounds.extend_clock])
        minutes = {"minutes": self.random.choice([-180, 5])} if act is rounds.extend_clock else {}
        act(self.event, len(state.rounds), by=self.by, **minutes)

    def close(self, state: EventState) -> None:
        rounds.close_round(self.event, len(state.rounds), by=self.by)

    # tables

    def result(self, state: EventState) -> None:
        """A result or a correction, also of a round that is long closed."""
        if not state.rounds:
            return
        round = self.random.choice([state.last_round, state.last_round, *state.rounds])
        match = self.random.choice(round.missing or round.tables)
        report = results.ResultInput(self._facts(state), "the judge saw it")
        reason = "wrong slip" if round.state == Round.State.CLOSED else ""
        version = match.version if self.random.random() < 0.95 else match.version + 1
        results.report_result(self.event, round.number, match.table, report, version=version, by=self.by, reason=reason)

    def remove_result(self, state: EventState) -> None:
        if state.rounds:
            match = self.random.choice(state.last_round.tables)
            number = state.last_round.number
            results.remove_result(self.event, number, match.table, version=match.version, by=self.by)

    def _facts(self, state: EventState) -> Played:
        """Few numbers, so that ties are frequent; now and then something that cannot be."""
        random = self.random
        out, left = random.randrange(2), [Side(random.choice([40, 60])) for _ in range(2)]
        none_of = [replace(side, sp_left=0) if index == out else side for index, side in enumerate(left)]
        ruled = replace(left[0], adjustment=random.choice([-10, 5]))
        return random.choice(
            [
                *(Played(Ending.ELIMINATION, tuple(none_of), out=out),) * 4,
                *(Played(Ending.TIME, tuple(left)),) * 2,
                Played(Ending.BOTH_ELIMINATED, (Side(), Side())),
                Played(Ending.CONCESSION, tuple(left), out=out),
                Played(Ending.NO_SHOW, (Side(), Side()), out=out),
                Played(Ending.DOUBLE_LOSS, tuple(left)),
                Played(Ending.TIME, (ruled, left[1])),
                Played(Ending.TIME, (Side(101), left[1])),
                simulation.make_up(state.rules, random),
            ]
        )

    # dice

    def roll_by_hand(self, state: EventState) -> None:
        for number, kind, group in self._ties(state)[:1]:
            roll_off = state.roll_off(number, kind, group)
            levels = roll_off.still_tied if roll_off else (group,)
            counts = {entrant: self.random.randint(0, 2) for level in levels for entrant in level}
            roll_offs.roll_dice(self.event, number, kind, group, counts, by=self.by)

    def roll_by_software(self, state: EventState) -> None:
        for tie in self._ties(state)[:1]:
            roll_offs.roll_by_software(self.event, *tie, seed=f"{self.random.getrandbits(64):016x}", by=self.by)

    def _ties(self, state: EventState) -> list[tuple[int, str, tuple[int, ...]]]:
        """Everybody who may roll now, in any order."""
        found = [
            (round.number, kind, group)
            for round in state.rounds
            for kind in RollOff.Kind.values
            for group in tied_groups(state, round.number, kind)
        ]
        return self.random.sample(found, len(found))

    # the event

    def finish(self, state: EventState) -> None:
        events.finish_event(self.event, by=self.by, reason="the shop closes")

    def reopen(self, state: EventState) -> None:
        events.reopen_event(self.event, by=self.by, reason="a wrong result")

    def settings(self, state: EventState) -> None:
        facts = {name: getattr(self.event, name) for name in events.Settings.__slots__}
        facts |= {"rounds_planned": self.random.randint(1, 5), "sp_limit": self.random.choice([90, 100])}
        events.change_event(self.event, events.Settings(**facts), by=self.by)

    # what the desk says comes next

    def go_on(self, state: EventState) -> None:
        """Do the next step; where it cannot be done for lack of players, end the event here."""
        step = state.next_step
        if step.kind == "check_in":
            newcomers = [(f"Commander {len(state.entrants) + more}", "") for more in (1, 2)]
            entrants.register(self.event, newcomers, by=self.by, checked_in=True)
        elif step.kind == "results":
            number, table = step.round, state.last_round.missing[0].table
            report = results.ResultInput(simulation.make_up(state.rules, self.random))
            results.report_result(self.event, number, table, report, version=0, by=self.by)
        elif step.kind == "roll_off" or (step.reasons and self._ties_of_the_end(state)):
            tie = [*self._tied_tables(state), *self._ties_of_the_end(state)][0]
            roll_offs.roll_by_software(self.event, *tie, seed=f"{self.random.getrandbits(64):016x}", by=self.by)
        elif step.kind == "publish" and step.reasons:
            self.discard(state)
        elif step.reasons:
            self.finish(state)
        else:
            getattr(self, step.kind)(state)

    def go_on_to_the_end(self) -> None:
        for _ in range(80):
            if (state := self.state).is_finished:
                return
            self.go_on(state)

    def _tied_tables(self, state: EventState) -> list[tuple[int, str, tuple[int, ...]]]:
        return [(round.number, "table", match.numbers) for round in state.rounds for match in round.tied]

    def _ties_of_the_end(self, state: EventState) -> list[tuple[int, str, tuple[int, ...]]]:
        last = state.last_round
        if last is None or len(state.complete_rounds) < len(state.rounds):
            return []
        faction = filter(None, [state.faction_tie(last.number)])
        return [
            *((last.number, "standing", group) for group in state.ties(last.number)),
            *((last.number, "faction", group) for group in faction),
        ]

    def _number(self, state: EventState) -> int:
        return self.random.choice([entrant.number for entrant in state.entrants] or [1])

    def _faction(self) -> str:
        return self.random.choice(["", *self.event.rules.factions])


def assert_in_the_journal(before: dict, after: dict) -> None:
    """What was changed left an entry, and only that; earlier entries stand as they stood."""
    old, new = before.pop("journal"), after.pop("journal")
    assert new[: len(old)] == old
    assert (len(new) > len(old)) == (before != after)


def assert_in_order(event: Event) -> None:
    """Everybody sits once, the points are those of the slips, every rank and pairing has its sentence."""
    event = Event.objects.with_context().get(pk=event.pk)
    state, archive = state_of(event), archive_of(event)
    points = points_of(archive, state.rules)
    assert event.version == len(archive["journal"])
    for round, known in zip(state.rounds, points, strict=True):
        seats = [number for match in round.matches for number in match.numbers]
        assert len(seats) == len(set(seats))
        assert sum(match.is_bye for match in round.matches) == len(seats) % 2
        assert all(match.why for match in round.matches)
        assert {n: (score.battle_points, score.fleet_points) for n, score in round.scores.items()} == known
    for after in range(1, len(state.complete_rounds) + 1):
        lines = state.standing_lines(after)
        sums = {n: [sum(known[n][i] for known in points[:after] if n in known) for i in (0, 1)] for n in state.names}
        assert all(line.why for line in lines)
        assert [[line.standing.battle_points, line.standing.fleet_points] for line in lines] == [
            sums[line.standing.id] for line in lines
        ]
        if not state.ties(after):
            assert [line.standing.rank for line in lines] == list(range(1, len(lines) + 1))
    assert all(state.is_void(roll_off) in (True, False) for roll_off in state.roll_offs)
    assert state.next_step.kind
    for match in (match for round in state.rounds for match in round.matches):
        assert_same_alone(state, match)


def assert_same_alone(state: EventState, match: MatchState) -> None:
    """What is loaded of a match alone is what the whole event says of it."""
    by_table = table_slice(state.event, match.round.number, match.table) if match.table else None
    for entrant in match.numbers:
        part, alone = seat_slice(state.event, match.round.number, entrant)
        assert facts_of_match(alone) == facts_of_match(match)
        assert grade_of(part, match.round.number) == grade_of(state, match.round.number)
        assert by_table is None or facts_of_match(by_table[1]) == facts_of_match(match)


def facts_of_match(match: MatchState) -> tuple:
    dice = match.roll_off and match.roll_off.facts
    rows = (match.row.pk, match.round.pk, match.result and match.result.pk)
    said = (match.place, match.numbers, [str(one) for one in match.entrants], [one.has_fleet for one in match.entrants])
    return (*rows, *said, match.destroyed, match.played, match.score, match.state, match.version, dice)


def assert_comes_back_from_its_archive(event: Event) -> None:
    archive = json.loads(json.dumps(archive_of(event)))
    archive["event"]["slug"] = "from-elsewhere"
    with transaction.atomic():
        store, _ = make_store("Another Harbor")
        there = import_event(store, archive, by=BY)
        assert archive_of(there) == archive
        assert state_of(there).facts == state_of(event).facts
        transaction.set_rollback(True)
