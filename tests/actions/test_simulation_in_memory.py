"""A night in memory is the night that the actions play with the same dice; no database is asked for it."""

from random import Random

import pytest

from scoring.shipped import shipped_pack
from tests.soak import failures_in_memory
from tests.support.nights import AT, make_store
from tests.support.nights_in_memory import play_in_order, store_night, unsaved_event
from tourney.actions import events, simulation
from tourney.actions.record import Refused
from tourney.actions.simulation import Night, actor_at
from tourney.actions.simulation_in_memory import play_in_memory
from tourney.models import Event
from tourney.printing.queries.score_sheet import as_data
from tourney.queries.finals import wrong_finals
from tourney.queries.history import differences
from tourney.queries.results import facts_of
from tourney.queries.state import EventState, state_of

BY = actor_at(AT)


def planned_event(pack: str) -> Event:
    store, _ = make_store()
    campaign = events.make_campaign(store, storyline="The Dominion War", by=BY)
    rules = shipped_pack(pack)
    return events.make_event(campaign, rules, starts_at=AT, sp_limit=rules.sp_limit or 100, by=BY)


def what_happened(state: EventState) -> dict:
    """Everything but ids, and who typed it."""
    matches = [match for round in state.rounds for match in round.matches]
    return {
        "sheet": as_data(state),
        "people": [
            (one.number, one.player.name, one.faction, one.checked_in, one.dropped_from) for one in state.entrants
        ],
        "rounds": [
            (round.number, round.state, round.row.seed, round.row.relaxed_rules, round.row.published_at)
            for round in state.rounds
        ],
        "tables": [
            (match.round.number, match.table, match.numbers, match.row.reason, match.version, match.state)
            for match in matches
        ],
        "results": [(match.result.entered_at, facts_of(match.result)) for match in matches if match.result],
        "dice": sorted(
            (one.row.round.number, one.row.kind, one.group, [(t.number, t.counts, t.faces, t.seed) for t in one.rolls])
            for one in state.roll_offs
        ),
        "end": (state.event.finished_at, state.event.registration_open, state.event.last_entrant_number),
    }


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("pack", "night", "seed"),
    [
        ("dominion-war-6", Night(13), 1),
        ("dominion-war-6", Night(12, late=3, drop_rate=0.2), 2),
        ("temporal-cold-war-2", Night(9, late=1, drop_rate=0.1), 3),
        ("drive", Night(10, drop_rate=0.1), 4),
        ("tournament-2016", Night(7, late=1), 5),
        ("dominion-war-6", Night(2), 6),
    ],
)
def test_a_night_in_memory_is_the_one_that_the_actions_play(pack, night, seed):
    event = planned_event(pack)
    in_memory = play_in_memory(event, night, random=Random(seed), by=BY)

    simulation.play_event(event, night, random=Random(seed), by=BY)

    assert what_happened(in_memory) == what_happened(state_of(event))


@pytest.mark.django_db
def test_a_night_in_memory_can_be_stored_as_it_was():
    event = planned_event("dominion-war-6")
    state = play_in_memory(event, Night(13, late=2, drop_rate=0.1), random=Random(8), by=BY)

    store_night(event, state, by=BY)

    stored = state_of(Event.objects.with_context().get(pk=event.pk))
    assert what_happened(stored) == what_happened(state)
    assert (differences(event), wrong_finals(stored)) == ([], [])


def test_a_night_in_memory_asks_no_database_and_leaves_the_event_as_it_was():
    event = unsaved_event()

    state = play_in_memory(event, Night(5), random=Random(1), by=BY)

    assert len(as_data(state)["standings"]) == 5
    assert (state.is_finished, event.is_finished, event.pk) == (True, False, None)


def test_a_night_in_memory_is_refused_where_nobody_can_play():
    with pytest.raises(Refused, match="A round needs at least two"):
        play_in_memory(unsaved_event(), Night(1), random=Random(1), by=BY)


def test_many_nights_in_memory_are_in_order():
    assert failures_in_memory(tuple(range(40))) == []
    assert play_in_order(7).is_finished
