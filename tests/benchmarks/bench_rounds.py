"""What a round costs the desk: drafted, looked at, published, closed, and the night finished; by the size of the event.

Processor time of the process and its database. Every step is taken several times and rolled back: with nothing kept of
the event, and after the desk has looked at it, as it does before it acts. Each is called as the server calls it.
`PROFILE=500 make bench ARGS='-k bench_a_round'` prints where the time of that size goes.
"""

import cProfile
import gc
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
from tourney.models import Event, Round
from tourney.queries.shared import SHARED, staff_state
from tourney.runtime.garbage import collect_less_garbage

PROFILED = int(os.environ.get("PROFILE", "0"))
SIZES, ROUNDS, RUNS = (PROFILED,) if PROFILED else (24, 128, 500, 1000), 6, 5


@pytest.mark.django_db
def bench_a_round(client: Client):
    """Each step from the one before it; the night is finished after the rounds that are closed."""
    found = [(size, dict(steps(client, size))) for size in SIZES]
    columns = ("players", *(f"{name}{kept}" for name in found[0][1] for kept in ("", ", kept")))
    rows = [columns, *((str(size), *(one for both in costs.values() for one in both)) for size, costs in found)]
    table(f"A round, {ROUNDS} rounds behind it (CPU ms of process + database, median of {RUNS})", rows)


def steps(client: Client, size: int) -> Iterator[tuple[str, tuple[str, str]]]:
    """What each step costs with nothing kept, and after a look."""
    night = make_large_night(players=size, rounds=ROUNDS, seed=size)
    event, number = night.event, ROUNDS + 1
    client.force_login(night.organizer)
    collect_less_garbage()  # as a worker that has loaded everything: the tests' own objects are none of the desk's

    def pair() -> None:
        rounds.pair_round(event, seed=1, by=BY)

    def publish() -> None:
        rounds.publish_round(event, number, by=BY)

    yield "finish", costs(event, "finish", lambda: events.finish_event(event, by=BY, reason="the shop closes"))
    yield "pair", costs(event, "pair", pair)
    pair()
    yield "draft page", costs(event, "draft page", lambda: look(client, night, number))
    yield "publish", costs(event, "publish", publish)
    publish()
    enter_everything(event, size)
    yield "close", costs(event, "close", lambda: rounds.close_round(event, number, by=BY))


def look(client: Client, night: Night, number: int) -> None:
    answer = client.get(reverse("round", args=[night.event.slug, number]))
    assert answer.status_code == 200


def enter_everything(event: Event, seed: int) -> None:
    """Every result is in, and no tie is open; only the button is left."""
    close_with_chance(event, Random(seed), by=simulation.later(BY, minutes=60))
    Round.objects.filter(event=event, number=ROUNDS + 1).update(state=Round.State.PUBLISHED, closed_at=None)


def costs(event: Event, name: str, act: Callable[[], object]) -> tuple[str, str]:
    """The medians of so many runs that are rolled back, after a first, in milliseconds."""
    rolled_back(event, act, looked_at=False)
    cold, kept = (
        median(rolled_back(event, act, looked_at=looked_at) for _ in range(RUNS)) for looked_at in (False, True)
    )
    if PROFILED:
        profiled(event, name, act)
    return f"{cold * 1000:.1f}", f"{kept * 1000:.1f}"


def rolled_back(event: Event, act: Callable[[], object], *, looked_at: bool) -> float:
    with transaction.atomic():
        SHARED.forget()
        if looked_at:
            staff_state(Event.objects.with_context().get(pk=event.pk))
        gc.collect()  # what the runs before have left
        taken = cpu(act, times=1)
        transaction.set_rollback(True)
    return taken


def profiled(event: Event, name: str, act: Callable[[], object]) -> None:
    print(f"\n{name}")
    with cProfile.Profile() as profile:
        rolled_back(event, act, looked_at=False)
    pstats.Stats(profile).sort_stats("cumulative").print_stats(45)
