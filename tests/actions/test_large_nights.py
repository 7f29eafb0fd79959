"""Nothing asks the database more often because more people are here; and the fast way to a large night is true."""

from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.support.large_nights import make_large_night
from tests.support.nights import BY
from tourney.actions import rounds, simulation
from tourney.actions.archive_check import check
from tourney.queries.archive import archive_of
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db

STEPS = {
    "pair": lambda event: rounds.pair_round(event, seed=1, by=BY),
    "publish": lambda event: rounds.publish_round(event, 3, by=BY),
    "close": lambda event: rounds.close_round(event, 3, by=BY),
}


def queries_of_round_3(players: int) -> dict[str, int]:
    """How often each step of a third round asks the database."""
    event = make_large_night(players=players, rounds=2).event
    asked = {}
    for name, act in STEPS.items():
        if name == "close":
            simulation.play_round(event, random=Random(1), by=BY, close=False)
            simulation.roll_off_standings(event, random=Random(1), by=BY)
        with CaptureQueriesContext(connection) as queries:
            act(event)
        asked[name] = len(queries)
    return asked


def test_a_round_of_64_asks_the_database_as_often_as_one_of_8():
    assert queries_of_round_3(64) == queries_of_round_3(8)


def test_a_night_stored_together_is_one_that_the_archive_accepts():
    """Every result scores, every roll fits, nobody sits twice."""
    event = make_large_night(players=41, rounds=2, drop_outs=3).event
    state = state_of(event)

    assert check(archive_of(event)).with_choices(sp_limit=event.sp_limit) == event.rules
    assert [len(round.scores) for round in state.rounds] == [41, 41]
    assert (state.ties(2), len(state.present(3))) == ((), 38)
