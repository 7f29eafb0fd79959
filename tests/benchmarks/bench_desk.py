"""What the desk's pages and actions cost at every size of a night: processor time of the process and its database."""

from collections.abc import Callable
from statistics import median

import pytest
from django.test import Client
from django.urls import reverse

from tests.benchmarks.bench_night import table
from tests.benchmarks.bench_store import ask, cpu
from tests.support.large_nights import make_large_night
from tests.support.nights import BY
from tourney.actions import rounds

SIZES, ROUNDS, RUNS = (24, 128, 500), 6, 5


@pytest.mark.django_db
@pytest.mark.parametrize("players", SIZES)
def bench_the_desk(client: Client, players: int):
    columns = ("players", "desk", "results by keyboard", "players' list", "pair", "draft page", "publish")
    rows = [columns, figures(client, players)]
    table(f"The desk after {ROUNDS} rounds (CPU ms with database; pages: median of {RUNS}, actions: once)", rows)


def figures(client: Client, players: int) -> tuple[str, ...]:
    """One row: what it cost in milliseconds, page by page, then what was done."""
    night = make_large_night(players=players, rounds=ROUNDS, seed=players)
    event, number = night.event, ROUNDS + 1
    client.force_login(night.organizer)
    at = [event.slug]
    pair = once(lambda: rounds.pair_round(event, seed=1, by=BY))
    draft = page(client, reverse("round", args=[*at, number]))
    publish = once(lambda: rounds.publish_round(event, number, by=BY))
    desk, results, people = (
        page(client, reverse(name, args=args))
        for name, args in (("desk", at), ("results", [*at, number]), ("players", at))
    )
    return (str(players), desk, results, people, pair, draft, publish)


def page(client: Client, address: str) -> str:
    ask(client, address)
    return f"{median(cpu(lambda: ask(client, address), times=1) for _ in range(RUNS)) * 1000:.0f}"


def once(act: Callable[[], object]) -> str:
    return f"{cpu(act, times=1) * 1000:.0f}"
