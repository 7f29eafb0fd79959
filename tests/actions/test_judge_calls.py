"""A player calls a judge for anything from the card: one call at a time, in a round or between two."""

from datetime import timedelta

import pytest

from tests.support.nights import BY, make_night
from tests.support.refusing import refused
from tests.support.tables import match_at
from tourney.actions import entrants, events, judge_calls, plans
from tourney.models import Event, JournalEntry, JudgeCall
from tourney.queries.judge_calls import player_calls
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    """Four players, round 1 in play."""
    return make_night(players=4, open_round=True).event


def waiting(event: Event) -> list[tuple[int, int | None, str, bool]]:
    return [(one.by.number, one.table, one.row.about, one.row.is_answered) for one in player_calls(state_of(event))]


def said(event: Event) -> list[str]:
    did = ("ask_for_judge", "answer_call", "end_call")
    return [entry.what for entry in JournalEntry.objects.filter(event=event, did__in=did).order_by("pk")]


def test_a_call_is_answered_and_ended_and_the_journal_says_so(event):
    me = match_at(event, 1).entrants[0]

    judge_calls.call(event, me.number, "rules", words="Does it stack?", by=BY)
    assert waiting(event) == [(me.number, 1, "rules", False)]
    pk = JudgeCall.objects.get().pk
    judge_calls.answer(event, pk, by=BY)
    judge_calls.answer(event, pk, by=BY)
    assert waiting(event) == [(me.number, 1, "rules", True)]
    judge_calls.end(event, pk, by=BY)

    assert waiting(event) == []
    assert said(event) == [
        f"Table 1: {me} called a judge (Rules question).",
        f"A judge is coming to {me}.",
        f"{me}’s call for a judge is done.",
    ]
    assert JournalEntry.objects.get(did="ask_for_judge").reason == "Does it stack?"


def test_each_player_has_one_call_and_its_key_counts_once(event):
    me, other = match_at(event, 1).numbers
    judge_calls.call(event, me, "time", by=BY, key="k")
    judge_calls.call(event, me, "time", by=BY, key="k")

    with refused("You already called a judge."):
        judge_calls.call(event, me, "other", by=BY, key="l")
    judge_calls.call(event, other, "behavior", by=BY)

    assert [one[0] for one in waiting(event)] == [me, other]


def test_the_player_ends_the_call_and_what_is_over_is_told(event):
    me = match_at(event, 1).entrants[0]
    judge_calls.call(event, me.number, "other", by=BY)
    pk = JudgeCall.objects.get().pk

    judge_calls.cancel(event, me.number, by=BY)
    judge_calls.cancel(event, me.number, by=BY)

    assert said(event)[1:] == [f"{me} no longer needs a judge."]
    for act in (judge_calls.answer, judge_calls.end):
        with refused("This call is already over."):
            act(event, pk, by=BY)


def test_a_judge_comes_before_round_1_and_to_nobody_once_the_event_is_finished():
    before, over = make_night(players=4).event, make_night(players=2, rounds=3, finish=True).event

    judge_calls.call(before, 1, "rules", by=BY)
    with refused("The event is finished."):
        judge_calls.call(over, 1, "rules", by=BY)

    assert waiting(before) == [(1, None, "rules", False)]
    entrants.remove(before, 1, by=BY)
    assert waiting(before) == []


def test_who_waits_longest_for_an_answer_comes_first(event):
    numbers = [*match_at(event, 1).numbers, *match_at(event, 2).numbers]
    for number in numbers[:3]:
        judge_calls.call(event, number, "rules", by=BY)

    judge_calls.answer(event, JudgeCall.objects.get(entrant__number=numbers[0]).pk, by=BY)

    assert [one[0] for one in waiting(event)] == [numbers[1], numbers[2], numbers[0]]


def test_nobody_is_called_to_a_canceled_event_or_days_before_it():
    canceled, ahead = make_night(players=2).event, make_night(players=2).event
    plans.cancel_event(canceled, by=BY)
    Event.objects.filter(pk=ahead.pk).update(starts_at=BY.at + timedelta(days=3))

    with refused("This event is canceled."):
        judge_calls.call(canceled, 1, "rules", by=BY)
    with refused("You can call a judge on the day of the event."):
        judge_calls.call(ahead, 1, "rules", by=BY)
    assert not JudgeCall.objects.exists()


def test_calls_end_with_the_event():
    over, canceled = make_night(players=2, rounds=3).event, make_night(players=2).event
    for event in (over, canceled):
        judge_calls.call(event, 1, "rules", by=BY)
    assert JudgeCall.objects.count() == 2

    events.finish_event(over, by=BY)
    plans.cancel_event(canceled, by=BY)

    assert not JudgeCall.objects.exists()
