"""Nights whose results are entered, and who is signed in."""

import pytest

from tests.support.built_fleets import night_with_fleets
from tests.support.nights import BY, Night, make_night
from tests.support.tables import eliminated, enter, on_time
from tourney.actions import rounds


@pytest.fixture
def night() -> Night:
    """Six players, round 1 in play, no result yet."""
    return make_night(players=6, open_round=True)


@pytest.fixture
def desk(client, night):
    """Signed in as a judge of the store."""
    client.force_login(night.judge)
    return client


@pytest.fixture
def closed() -> Night:
    """Four players without allegiance; round 1 is closed: 100 to 40 and 70 to 50."""
    night = make_night(players=4, open_round=True, pack="temporal-cold-war-2")
    enter(night.event, 1, eliminated(left=60))
    enter(night.event, 2, on_time(50, 30))
    rounds.close_round(night.event, 1, by=BY)
    return night


@pytest.fixture
def fleets() -> Night:
    """Four players with the same fleet of 82 SP, signed at every table; round 1 in play."""
    return night_with_fleets(signed=True)


@pytest.fixture
def judge(client, fleets):
    client.force_login(fleets.judge)
    return client


@pytest.fixture
def organizer(client, fleets):
    client.force_login(fleets.organizer)
    return client
