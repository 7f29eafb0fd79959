"""Whoever acts from a page that others have overtaken is told so, whichever step it was."""

from dataclasses import replace

import pytest

from tests.support.copied import copied
from tests.support.nights import BY, make_night
from tests.support.tables import eliminated, enter
from tourney.actions import arrivals, entrants, history, rounds, tables
from tourney.actions.arrivals import Decision
from tourney.actions.record import Actor, Stale
from tourney.actions.repairs import repair_round
from tourney.domain.arrivals import ArrivalOption, ArrivalWay, Moment
from tourney.models import Event
from tourney.queries.history import snapshots_of
from tourney.queries.repairs import Repair
from tourney.queries.repairs import RepairMode as Anew
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


def seeing(event: Event) -> Actor:
    """On a page of the event as it stands now."""
    event.refresh_from_db()
    return replace(BY, event_version=event.version)


@copied
def drafted(players: int = 4) -> Event:
    event = make_night(players=players).event
    rounds.pair_round(event, seed=7, by=BY)
    return event


def swap_two(event: Event, by: Actor = BY) -> None:
    first, second, *_ = state_of(event).last_round.tables
    places = (first.numbers[0], second.numbers[0])
    repair_round(event, 1, Repair(Anew.HAND, places=places), reason="brothers", by=by)


def someone_arrives(event: Event) -> None:
    late = entrants.register(event, [("Tern", "Klingon")], by=BY).entrants[0].number
    decision = Decision(late, ArrivalOption(Moment.ARRIVES, ArrivalWay.REDRAW))
    shown = arrivals.preview(event, decision, by=BY)
    arrivals.arrange(event, decision, expected=shown.fingerprint, by=BY)


def a_table_moves(event: Event) -> None:
    tables.move_table(event, 1, 1, 9, by=BY)


@pytest.mark.parametrize("step", [swap_two, someone_arrives, a_table_moves])
def test_a_draft_that_was_seated_otherwise_meanwhile_is_not_published_unseen(step):
    event = drafted()
    by = seeing(event)
    step(event)

    with pytest.raises(Stale):
        rounds.publish_round(event, 1, by=by)
    rounds.publish_round(event, 1, by=seeing(event))


def test_a_table_that_is_moved_twice_by_a_double_press_moves_once():
    event = drafted()
    rounds.publish_round(event, 1, by=BY)
    first, second = state_of(event).last_round.tables
    by = seeing(event)

    tables.move_table(event, 1, 1, 2, by=by)
    with pytest.raises(Stale):
        tables.move_table(event, 1, 1, 2, by=by)

    assert {match.table: match.numbers for match in state_of(event).last_round.tables} == {
        1: second.numbers,
        2: first.numbers,
    }


def test_a_step_of_many_parts_is_as_fresh_as_the_effect_that_was_shown():
    event = drafted(5)
    by = seeing(event)
    a_table_moves(event)
    number = state_of(event).last_round.tables[0].numbers[0]
    decision = Decision(number, ArrivalOption(Moment.DROPS_NOW, ArrivalWay.REDRAW))

    shown = arrivals.preview(event, decision, by=by)
    arrivals.arrange(event, decision, expected=shown.fingerprint, by=by)

    assert state_of(event).last_round.match_of(number) is None


def test_nobody_goes_back_over_a_result_that_came_in_meanwhile():
    event = make_night(players=4, open_round=True).event
    drafted, by = snapshots_of(event)[-1], seeing(event)
    enter(event, 1, eliminated())

    with pytest.raises(Stale):
        history.restore(event, drafted, reason="a storm", by=by)
    history.restore(event, drafted, reason="a storm", by=seeing(event))

    assert state_of(event).last_round.state == "draft"


def test_two_players_who_change_places_do_so_once_though_it_is_pressed_twice():
    event = drafted()
    rounds.publish_round(event, 1, by=BY)
    by = seeing(event)
    swap_two(event, by)
    seated = [match.numbers for match in state_of(event).last_round.matches]

    with pytest.raises(Stale):
        swap_two(event, by)

    assert [match.numbers for match in state_of(event).last_round.matches] == seated
