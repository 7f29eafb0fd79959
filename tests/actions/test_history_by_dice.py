"""Random nights over the real actions, with steps taken back and done again at any moment.

After every step: everybody sits once, what pages share is what is stored, and the history adds up to it. What is taken
back leads to the state before it, to the last column. What is pressed a second time on the same page changes nothing.
Every draft is what rule 3 wants (tests/support/second_opinion.py), and nobody who is here is left out of a round shown.

NIGHTS=2000 SEED=7 PARTS=4 tries so many nights in so many parts, each from a seed of its own (`make soak-events`).
"""

import os
import re
from dataclasses import replace
from random import Random

import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, event, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from scoring.domain.points import Ending, Played, Side
from tests.support.nights import BY, make_night
from tests.support.second_opinion import Told, what_is_wrong
from tourney.actions import (
    arrivals,
    by_hand,
    entrants,
    events,
    history,
    penalties,
    repairs,
    results,
    roll_offs,
    rounds,
    simulation,
    tables,
)
from tourney.actions.archive_check import check
from tourney.actions.arrivals import Decision
from tourney.actions.record import Actor, Refused
from tourney.domain.by_hand import Spot
from tourney.models import Event, FinalRanking, PackedHistory, Penalty, Round
from tourney.queries.archive import archive_of
from tourney.queries.arrivals import options_of
from tourney.queries.finals import wrong_finals
from tourney.queries.history import differences, history_of, snapshots_of, stored_rows
from tourney.queries.integrity import event_problems
from tourney.queries.matches import RoundState
from tourney.queries.repairs import Repair, RepairMode
from tourney.queries.shared import shared_state
from tourney.queries.state import EventState, state_of

pytestmark = pytest.mark.django_db

ROW = re.compile(
    r'class="(?:is-dropped )?me-(\d+)-".*?<td class="n total">(-?\d+)</td>\s*<td class="n">(-?\d+)</td>', re.S
)
DICE = st.integers(0, 2**20).map(Random)
NIGHTS, STEPS = int(os.environ.get("NIGHTS", max(3, settings.default.max_examples // 5))), 30
PARTS = int(os.environ.get("PARTS", 1))


class NightWithUndo(RuleBasedStateMachine):
    """A night of 2 to 24 players at the desk. `before` are the rows before each step that was done, by its entry."""

    steps = nights = 0

    def __init__(self):
        super().__init__()
        self.transaction = transaction.atomic()
        self.transaction.__enter__()
        self.before: dict[int, dict] = {}
        self.known: EventState | None = None

    def teardown(self):
        transaction.set_rollback(True)
        self.transaction.__exit__(None, None, None)

    @initialize(players=st.integers(2, 9) | st.integers(2, 24))
    def begin(self, players: int):
        type(self).nights += 1
        self.event = make_night(players=players).event

    def do(self, action, *args, **kwargs) -> bool:
        """Do it, remember how things stood before it, and do it again from the same page; whether it could be done.

        What is refused changes nothing.
        """
        type(self).steps += 1
        before, last = stored_rows(self.event), self.last()
        by = replace(BY, event_version=Event.objects.get(pk=self.event.pk).version)
        if not self.is_done(action, *args, by=by, **kwargs):
            assert stored_rows(self.event) == before
            return False
        if (step := self.last()) != last:
            self.before[step] = before
        after = stored_rows(self.event)
        self.is_done(action, *args, by=by, **kwargs)
        assert stored_rows(self.event) == after
        return True

    def is_done(self, action, *args, **kwargs) -> bool:
        try:
            with transaction.atomic():
                action(Event.objects.with_context().get(pk=self.event.pk), *args, **kwargs)
        except Refused as refused:
            event(f"{action.__name__} refused: {refused.reasons[0][:40]}")
            return False
        return True

    def last(self) -> int | None:
        found = history_of(self.event).last
        return found and found.pk

    @property
    def state(self) -> EventState:
        row = Event.objects.with_context().get(pk=self.event.pk)
        if self.known is None or self.known.event.version != row.version:
            self.known = state_of(row)
        return self.known

    def phase(self) -> str:
        """Where the night stands: idle (no round is open), draft, published or finished."""
        last = self.state.last_round
        if self.state.is_finished:
            return "finished"
        return last.state if last and last.state != "closed" else "idle"

    @rule(dice=DICE)
    def play_on(self, dice: Random):
        """From a draft to its last result, or from there to the next draft."""
        if self.phase() == "idle":
            self.pair(dice)
        elif self.phase() == "draft":
            if self.state.next_step.reasons:
                self.back_to_the_engine()
            self.publish()
            self.enter_all_results(dice)
        elif self.phase() == "published":
            self.enter_all_results(dice)
            self.roll_off(dice)
            self.close()

    @precondition(lambda self: self.phase() == "idle")
    @rule(dice=DICE)
    def pair(self, dice: Random):
        number = len(self.state.rounds) + 1
        if self.do(rounds.pair_round, number=number, seed=dice.randrange(2**31)):
            self.is_what_rule_3_wants(self.state.last_round)

    def is_what_rule_3_wants(self, draft: RoundState):
        number, planned = draft.number, self.state.event.rounds_planned
        pairing = self.state.pairing(number, seed=draft.row.seed)
        seated = {frozenset((table.a, table.b)) for table in pairing.tables} | {frozenset({pairing.bye}) - {None}}
        assert {frozenset(match.numbers) for match in draft.matches} == seated - {frozenset()}
        told = Told(self.state.contenders(number), pairing, self.state.options, number, max(planned, number))
        assert what_is_wrong(told) == ""

    @precondition(lambda self: self.phase() == "draft")
    @rule(dice=DICE)
    def change_places(self, dice: Random):
        number, who = self.state.last_round.number, dice.choice(sorted(self.state.by_number))
        self.do(by_hand.place, number, who, dice.choice([*self.state.by_number, *Spot]), reason="by dice")

    @precondition(lambda self: self.phase() == "draft" and self.state.last_round.tables)
    @rule(dice=DICE)
    def unpair_a_table(self, dice: Random):
        round = self.state.last_round
        self.do(by_hand.unpair_table, round.number, dice.choice(round.tables).table, reason="by dice")

    @precondition(lambda self: self.phase() == "draft")
    @rule()
    def back_to_the_engine(self):
        self.do(rounds.back_to_the_engine, self.state.last_round.number)

    @precondition(lambda self: self.phase() in ("draft", "published") and self.state.last_round.tables)
    @rule(dice=DICE)
    def go_to_another_table(self, dice: Random):
        round = self.state.last_round
        self.do(tables.move_table, round.number, dice.choice(round.tables).table, dice.randint(1, 9))

    @precondition(lambda self: self.phase() == "draft")
    @rule()
    def throw_draft_away(self):
        self.do(rounds.discard_draft, len(self.state.rounds))

    @precondition(lambda self: self.phase() == "draft")
    @rule()
    def publish(self):
        number = len(self.state.rounds)
        if self.do(rounds.publish_round, number):
            seated = {number for match in self.state.last_round.matches for number in match.numbers}
            assert {one.number for one in self.state.present(number)} <= seated

    @precondition(lambda self: self.phase() == "published")
    @rule()
    def start_clock(self):
        self.do(rounds.start_clock, len(self.state.rounds))

    @precondition(lambda self: self.state.public_rounds)
    @rule(dice=DICE)
    def enter_a_result(self, dice: Random):
        """Of any round: a first one, or a correction."""
        match = dice.choice([match for round in self.state.public_rounds for match in round.tables])
        report = results.ResultInput(simulation.make_up(self.event.rules, dice))
        where = match.round.number, match.table
        repair = self.some_repair(match.round, dice)
        self.do(results.report_result, *where, report, version=match.version, reason="by dice", repair=repair)

    @precondition(lambda self: self.phase() in ("draft", "published"))
    @rule(dice=DICE)
    def pair_anew(self, dice: Random):
        """What has begun stays, whoever asks."""
        round = self.state.last_round
        pair = tuple(dice.sample(sorted(self.state.by_number), 2))
        begun = frozenset(match.table or 0 for match in round.matches if dice.random() < 0.3)
        has_result = {match.table: (match.numbers, match.version) for match in round.tables if match.result}
        repair = Repair(dice.choice([RepairMode.FEWEST, RepairMode.ALL, RepairMode.HAND]), begun, pair)
        self.do(repairs.repair_round, round.number, repair, reason="by dice")
        after = self.state.last_round
        assert {t: (after.match_at(t).numbers, after.match_at(t).version) for t in has_result} == has_result

    @precondition(lambda self: self.phase() == "published")
    @rule(dice=DICE)
    def enter_all_results(self, dice: Random):
        round = self.state.last_round
        for match in round.missing if self.phase() == "published" else []:
            report = results.ResultInput(simulation.make_up(self.event.rules, dice))
            self.do(results.report_result, round.number, match.table, report, version=0)

    @precondition(lambda self: self.phase() == "published")
    @rule(dice=DICE)
    def take_a_result_back(self, dice: Random):
        if found := [match for match in self.state.last_round.tables if match.result]:
            match = dice.choice(found)
            self.do(results.remove_result, match.round.number, match.table, version=match.version)

    @precondition(lambda self: self.phase() == "published" and not self.state.last_round.missing)
    @rule(dice=DICE)
    def roll_off(self, dice: Random):
        for match in self.state.last_round.tied:
            self.roll("table", tuple(sorted(match.numbers)), dice)
        for kind, group in self.state.rolls_to_do():
            self.roll(kind, group, dice)

    def roll(self, kind: str, group: tuple[int, ...], dice: Random):
        number = self.state.last_round.number
        self.do(roll_offs.roll_by_software, number, kind, group, seed=f"{dice.getrandbits(64):016x}")

    @precondition(lambda self: self.phase() == "published" and not self.state.last_round.missing)
    @rule()
    def close(self):
        self.do(rounds.close_round, len(self.state.rounds))
        page = Client().get(reverse("standings", args=[self.event.slug])).content.decode()
        page = page.replace("−", "-")  # people read a real minus below zero
        lines = self.state.standings(len(self.state.complete_rounds))
        assert ROW.findall(page) == [(str(one.id), str(one.battle_points), str(one.fleet_points)) for one in lines]

    @precondition(lambda self: self.state.public_rounds)
    @rule(dice=DICE)
    def a_judge_takes_points(self, dice: Random):
        """In any round; in one that is over, with what becomes of the open one."""
        round = dice.choice(self.state.public_rounds)
        who = dice.choice(dice.choice(round.matches).numbers)
        points = {"battle_points": dice.randint(-2, 1), "fleet_points": dice.randint(-50, 20)}
        repair = self.some_repair(round, dice)
        self.do(penalties.penalize, round.number, who, reason=f"by dice {dice.random()}", repair=repair, **points)

    @precondition(lambda self: Penalty.objects.filter(round__event=self.event).exists())
    @rule(dice=DICE)
    def a_judge_thinks_again(self, dice: Random):
        given = dice.choice([one for round in self.state.rounds for one in round.penalties]).row
        repair = self.some_repair(self.state.round(given.round.number), dice)
        self.do(penalties.lift_penalty, given.pk, reason="by dice", repair=repair)

    def some_repair(self, round: Round | RoundState, dice: Random) -> Repair:
        way = (
            dice.choice([RepairMode.LEAVE, RepairMode.FEWEST, RepairMode.ALL])
            if round.state == "closed"
            else RepairMode.LEAVE
        )
        return Repair(way)

    @precondition(lambda self: self.phase() == "published")
    @rule(dice=DICE)
    def a_judge_decides(self, dice: Random):
        match = dice.choice(self.state.last_round.tables or [None])
        if match:
            ending, out = dice.choice([(Ending.DOUBLE_LOSS, None), (Ending.BOTH_NO_SHOWS, None), (Ending.RULING, 0)])
            report = results.ResultInput(Played(ending, (Side(10), Side(20)), out=out), ruling="by dice")
            self.do(results.report_result, match.round.number, match.table, report, version=match.version)

    @rule(dice=DICE)
    def go_back_to_a_snapshot(self, dice: Random):
        if found := snapshots_of(self.event):
            self.do(history.restore, dice.choice(found), reason="by dice")

    @rule()
    def read_the_archive(self):
        """What is written can be read back, however the night went."""
        check(archive_of(self.event))

    @rule()
    def the_history_is_packed(self):
        """With what was packed before, as if all of it were long over."""
        connection.check_constraints()
        PackedHistory.objects.filter(event=self.event).delete()
        PackedHistory.objects.create(event=self.event)
        assert event_problems(self.event) == []

    @rule(dice=DICE)
    def somebody_leaves(self, dice: Random):
        self.do(entrants.drop, dice.choice(sorted(self.state.by_number)))

    @precondition(lambda self: any(one.dropped_from for one in self.state.entrants))
    @rule(dice=DICE)
    def somebody_comes_back(self, dice: Random):
        self.do(entrants.bring_back, dice.choice([one.number for one in self.state.entrants if one.dropped_from]))

    @rule(name=st.sampled_from(["Tern", "Heron", "Skua"]))
    def somebody_comes_late(self, name: str):
        self.do(entrants.register, [(name, "Klingon")], checked_in=True, by_self=True)

    @rule(dice=DICE)
    def the_desk_arranges_for_somebody(self, dice: Random):
        """Late, leaving, gone or back: one of the options, as it was shown."""
        number = dice.choice(sorted(self.state.by_number))
        if options := options_of(self.state, number):
            self.do(arrange_as_shown, Decision(number, dice.choice(options), "by dice", dice.randrange(100)))

    @precondition(lambda self: self.phase() == "idle" and self.state.rounds)
    @rule()
    def finish(self):
        self.do(events.finish_event, reason="the shop closes")

    @precondition(lambda self: self.phase() == "draft")
    @rule()
    def stop_rather_than_play_the_draft(self):
        self.do(events.finish_event, reason="everybody has met", instead_of=len(self.state.rounds))

    @precondition(lambda self: self.phase() == "finished")
    @rule()
    def reopen(self):
        self.do(events.reopen_event, reason="by dice")

    @rule()
    def take_back(self):
        """The last step; what players did since at the same rows stays."""
        step = self.last()
        if step is None:
            return
        history.undo(self.event, step, by=BY)
        event("taken back")
        assert without_newcomers(stored_rows(self.event)) == without_newcomers(self.before[step])

    @rule()
    def do_again(self):
        found = history_of(self.event).next
        if found is None:
            return
        before = stored_rows(self.event)
        history.redo(self.event, found.pk, by=BY)
        event("done again")
        self.before[found.pk] = before

    @invariant()
    def everybody_sits_once(self):
        for round in self.state.rounds:
            numbers = [number for match in round.matches for number in match.numbers]
            assert len(numbers) == len(set(numbers))

    @invariant()
    def who_has_a_penalty_sits_in_its_round_and_somebody_plays(self):
        for round in self.state.public_rounds:
            assert round.tables
            assert all(round.match_of(penalty.entrant.number) for penalty in round.penalties)

    @invariant()
    def what_is_kept_of_a_finished_event_is_what_it_came_to(self):
        assert wrong_finals(self.state) == []
        assert FinalRanking.objects.filter(event=self.event).exists() == self.state.is_finished

    @invariant()
    def pages_show_what_is_stored(self):
        state, shown = self.state, shared_state(Event.objects.with_context().get(pk=self.event.pk))
        after = len(state.complete_rounds)
        assert shown.standings(after) == state.standings(after)
        assert [round.scores for round in shown.rounds] == [round.scores for round in state.rounds]

    @invariant()
    def the_history_adds_up(self):
        assert differences(self.event) == []


def arrange_as_shown(event: Event, decision: Decision, *, by: Actor) -> None:
    arrivals.arrange(event, decision, expected=arrivals.preview(event, decision, by=by).fingerprint, by=by)


def without_newcomers(rows: dict) -> dict:
    """Registering is no step: who came meanwhile, marked as having come alone, stays."""
    return {key: row for key, row in rows.items() if key[0] != "tourney_entrant" or row["by_self"] is False}


@pytest.mark.parametrize("part", range(PARTS))
def test_random_nights_with_steps_taken_back_and_done_again(part: int):
    first = int(os.environ.get("SEED") or Random().randrange(2**31)) + part
    nights = seed(first)(type(f"NightsFrom{first}", (NightWithUndo,), {}))
    run_state_machine_as_test(
        nights,
        settings=settings(
            max_examples=max(1, NIGHTS // PARTS),
            stateful_step_count=STEPS,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            print_blob=True,
        ),
    )
    print(f"seed {first}: {nights.steps:,} steps in {nights.nights:,} nights")
    assert nights.steps
