"""How many nights by made-up players a second of processor time holds: by the actions, stored together, in memory."""

from random import Random

import pytest
from django.db import connection, transaction

from scoring.shipped import shipped_pack
from tests.benchmarks.bench_night import table
from tests.benchmarks.bench_store import cpu
from tests.support.nights import AT, make_store
from tests.support.nights_in_memory import store_night
from tourney.actions import events, simulation
from tourney.actions.simulation import Night, actor_at
from tourney.actions.simulation_in_memory import play_in_memory
from tourney.models import Campaign, Event

NIGHT, BY = Night(players=13), actor_at(AT)
TIMES = {"by the actions": 4, "stored together": 40, "in memory": 100}


@pytest.mark.django_db
def bench_nights_of_13_players():
    """All nights of a kind in one transaction, each of an event that is there already."""
    store, _ = make_store()
    campaign = events.make_campaign(store, storyline="The Dominion War", by=BY)
    ways = {"by the actions": by_actions, "stored together": stored, "in memory": in_memory}
    rows = [("", "nights a second")]
    for name, play in ways.items():
        with transaction.atomic():
            planned = enumerate([new_event(campaign) for _ in range(1 + TIMES[name])])
            play(*next(planned))
            taken = cpu(lambda play=play, planned=planned: play(*next(planned)), times=TIMES[name])
            connection.check_constraints()
            transaction.set_rollback(True)
        rows.append((name, f"{1 / taken:.1f}"))
    table("A finished night of 13 players (CPU of this process + database)", rows)


def by_actions(seed: int, event: Event) -> None:
    """Every step of it as the desk and phones take it."""
    simulation.play_event(event, NIGHT, random=Random(seed), by=BY)


def stored(seed: int, event: Event) -> None:
    """The same night played in memory, and its rows written kind by kind."""
    store_night(event, play_in_memory(event, NIGHT, random=Random(seed), by=BY), by=BY)


def in_memory(seed: int, event: Event) -> None:
    """The same night, of which nothing is stored."""
    play_in_memory(event, NIGHT, random=Random(seed), by=BY)


def new_event(campaign: Campaign) -> Event:
    """Without anybody."""
    return events.make_event(campaign, shipped_pack("dominion-war-6"), starts_at=AT, sp_limit=100, by=BY)
