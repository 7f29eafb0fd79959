"""What a round costs the desk: drafted, looked at, published, closed, and the night finished; by the size of the event.

Processor time of the process and its database. Every step is taken several times and rolled back, with nothing kept of
the event; `PROFILE=500 make bench ARGS='-k bench_a_round'` prints where the time of that size goes.
"""

import cProfile
import os
import pstats
from collections.abc import Callable, Iterator
from random import Random
from statistics import median

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from tests.benchmarks.bench_night import table
from tests.benchmarks.bench_store import cpu
from tests.support.large_nights import close_with_chance, make_large_night
from tests.support.nights import BY, Night
from tourney.actions import events, rounds, simulation
from tourney.models import Round
from tourney.queries.state import SHARED

SIZES, ROUNDS, RUNS = (24, 128, 500, 1000), 6, 5
PROFILED = int(os.environ.get("PROFILE", "0"))


@pytest.mark.django_db
def bench_a_round(client: Client):
    """Each step from the one before it; the night is finished after the round that was closed."""
    found = [dict(steps(client, size)) for size in ([PROFILED] if PROFILED else SIZES)]
    rows = [("players", *found[0]), *(tuple(row.values()) for row in found)]
    rows = [("players", *[name for name in found[0] if name != "players"]), *(tuple(row.values()) for row in found)]
    table(f"A round, {ROUNDS} rounds behind it (CPU ms of process + database, median of {RUNS})", rows)


def steps(client: Client, size: int) -> Iterator[tuple[str, str]]:
    night = make_large_night(players=size, rounds=ROUNDS, seed=size)
    event, number = night.event, ROUNDS + 1
    client.force_login(night.organizer)
    yield "players", str(size)
    yield "finish", figure("finish", lambda: events.finish_event(event, by=BY, reason="the shop closes"))
    yield "pair", figure("pair", lambda: rounds.pair_round(event, seed=1, by=BY))
    rounds.pair_round(event, seed=1, by=BY)
    yield "draft page", figure("draft page", lambda: look(client, night, number))
    yield "publish", figure("publish", lambda: rounds.publish_round(event, number, by=BY))
    rounds.publish_round(event, number, by=BY)
    yield "close", figure("close", lambda: rounds.close_round(event, number, by=BY), before=lambda: end(night, size))


def look(client: Client, night: Night, number: int) -> None:
    answer = client.get(reverse("round", args=[night.event.slug, number]))
    assert answer.status_code == 200


def end(night: Night, size: int) -> None:
    """Every result is in, and no tie is open; only the button is left."""
    close_with_chance(night.event, Random(size), by=simulation.later(BY, minutes=60))
    Round.objects.filter(event=night.event, number=ROUNDS + 1).update(state=Round.State.PUBLISHED, closed_at=None)


def figure(name: str, act: Callable[[], object], before: Callable[[], None] = lambda: None) -> str:
    """The median of so many runs that are rolled back, after a first, in milliseconds."""
    with transaction.atomic():
        before()
        rolled_back(act)
        taken = median(rolled_back(act) for _ in range(RUNS))
        if PROFILED:
            profiled(name, act)
        transaction.set_rollback(True)
    return f"{taken * 1000:.1f}"


def rolled_back(act: Callable[[], object]) -> float:
    with transaction.atomic():
        SHARED.forget()
        taken = cpu(act, times=1)
        transaction.set_rollback(True)
    return taken


def profiled(name: str, act: Callable[[], object]) -> None:
    print(f"\n{name}")
    with transaction.atomic(), cProfile.Profile() as profile:
        SHARED.forget()
        act()
        transaction.set_rollback(True)
    pstats.Stats(profile).sort_stats("cumulative").print_stats(45)
