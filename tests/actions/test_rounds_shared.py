"""The steps of a round go by what the desk's pages share of the very version they lock, or load what they need."""

from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.support.nights import BY, make_night
from tourney.actions import announcements, entrants, events, rounds, simulation
from tourney.models import Event
from tourney.queries.finals import wrong_finals
from tourney.queries.shared import staff_state
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


def drafted(players: int) -> Event:
    event = make_night(players=players).event
    rounds.pair_round(event, seed=7, by=BY)
    return event


def fresh(event: Event) -> Event:
    return Event.objects.with_context().get(pk=event.pk)


def lines_of(event: Event) -> list[tuple[object, ...]]:
    """Every match as it is stored: where, who, why."""
    return [
        (match.round.number, match.round.state, match.table, match.numbers, match.row.reason)
        for round in state_of(event).rounds
        for match in round.matches
    ]


def finished_after_two_rounds(looks: str) -> Event:
    """A night played by the same chance, in which the desk looks `just before` each step, `earlier`, or `never`."""
    event, random = make_night(players=7, seed=9).event, Random(4)

    def look(minutes: int) -> None:
        if looks == "earlier":
            staff_state(fresh(event))
        announcements.announce(event, "It goes on soon", minutes=minutes, by=BY)
        if looks == "just before":
            staff_state(fresh(event))

    for number in (1, 2):
        look(10 * number)
        rounds.pair_round(event, seed=number, by=BY)
        look(10 * number + 1)
        rounds.publish_round(event, number, by=BY)
        simulation.play_round(event, random=random, by=BY, close=False)
        simulation.roll_off_standings(event, random=random, by=BY)
        look(10 * number + 2)
        rounds.close_round(event, number, by=BY)
    look(30)
    events.finish_event(event, by=BY, reason="The shop closes")
    return event


def test_a_night_goes_the_same_way_whenever_the_desk_has_looked():
    never, *others = (finished_after_two_rounds(looks) for looks in ("never", "earlier", "just before"))

    for event in others:
        assert lines_of(event) == lines_of(never)
        assert entry_facts(event) == entry_facts(never)
        assert seat_facts(event) == seat_facts(never)
        assert wrong_finals(state_of(fresh(event))) == []


@pytest.mark.parametrize(("looks", "loads"), [("never", 1), ("earlier", 1), ("just before", 0)])
def test_what_is_shared_of_this_version_is_not_loaded_again(looks, loads):
    event = make_night(players=6).event
    if looks == "earlier":
        staff_state(fresh(event))
    announcements.announce(event, "Seats, please", by=BY)
    if looks == "just before":
        staff_state(fresh(event))

    with CaptureQueriesContext(connection) as queries:
        rounds.pair_round(event, seed=1, by=BY)

    assert sum("WITH event AS MATERIALIZED" in query["sql"] for query in queries) == loads


def entry_facts(event: Event) -> list[tuple[object, ...]]:
    """What the journal says of every step."""
    return list(event.journal.order_by("pk").values_list("version", "did", "what", "after"))


def seat_facts(event: Event) -> list[tuple[object, ...]]:
    """What every player came to in each round, as it is kept of a finished event."""
    seats = event.final_seats.order_by("entrant__number", "round")
    return list(seats.values_list("entrant__number", "round", "outcome", "battle_points", "fleet_points"))


def test_an_action_changes_nothing_in_what_the_desk_has_looked_at():
    event = drafted(players=6)
    shown = staff_state(fresh(event))

    rounds.publish_round(event, 1, by=BY)

    assert (shown.rounds[0].state, shown.rounds[0].row.state, shown.rounds[0].row.published_at) == (
        "draft",
        "draft",
        None,
    )
    assert state_of(event).rounds[0].row.published_at == BY.at
    assert staff_state(fresh(event)).rounds[0].state == "published"


def test_what_the_desk_looked_at_before_a_step_of_somebody_else_is_not_gone_by():
    event = drafted(players=6)
    rounds.discard_draft(event, 1, by=BY)
    staff_state(fresh(event))
    entrants.check_out(event, 6, by=BY)

    rounds.pair_round(event, seed=1, by=BY)

    numbers = [number for match in state_of(event).rounds[0].matches for number in match.numbers]
    assert sorted(numbers) == [1, 2, 3, 4, 5]


def test_pairing_and_publishing_ask_the_database_as_often_for_every_number_of_players():
    asked = []
    for players in (4, 24):
        event = make_night(players=players, rounds=1).event
        with CaptureQueriesContext(connection) as pairing:
            rounds.pair_round(event, seed=1, by=BY)
        with CaptureQueriesContext(connection) as publishing:
            rounds.publish_round(event, 2, by=BY)
        asked.append((len(pairing), len(publishing)))

    assert asked[0] == asked[1]
