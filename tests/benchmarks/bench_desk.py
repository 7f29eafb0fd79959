"""What the desk's pages and actions cost at every size of a night: processor time of the process and its database."""

from collections.abc import Callable, Iterator
from itertools import count
from statistics import median

import pytest
from django.test import Client
from django.urls import reverse

from tests.benchmarks.bench_night import table
from tests.benchmarks.bench_store import ask, cpu
from tests.support.large_nights import make_large_night
from tests.support.nights import BY
from tests.support.tables import enter, on_time
from tourney.actions import rounds
from tourney.models import Event
from tourney.runtime.garbage import collect_less_garbage

SIZES, ROUNDS, RUNS = (24, 128, 500), 6, 25


@pytest.mark.django_db
@pytest.mark.parametrize("players", SIZES)
def bench_the_desk(client: Client, players: int):
    night = make_large_night(players=players, rounds=ROUNDS, seed=players)
    event, number = night.event, ROUNDS + 1
    client.force_login(night.organizer)
    collect_less_garbage()
    at = [event.slug]
    pair = once(lambda: rounds.pair_round(event, seed=1, by=BY))
    draft = milliseconds(median(cpu(lambda: ask(client, reverse("round", args=[*at, number])), 1) for _ in range(RUNS)))
    publish = once(lambda: rounds.publish_round(event, number, by=BY))
    table(
        f"Actions with {players} players after {ROUNDS} rounds", [("pair", "draft", "publish"), (pair, draft, publish)]
    )
    pages = {"desk": reverse("desk", args=at), "players": reverse("players", args=at)}
    pages |= {"results by keyboard": reverse("results", args=[*at, number])}
    changes = changes_of(event, number)
    rows = [(name, *costs(client, address, changes)) for name, address in pages.items()]
    title = f"The desk with {players} players after {ROUNDS} rounds (CPU ms with database, median of {RUNS}; page)"
    table(title, [("", "nothing kept", "one result later", "seen before", "kB"), *rows])


def costs(client: Client, address: str, changes: Iterator[None]) -> tuple[str, ...]:
    """Of a page with nothing kept, of a version that nobody saw, and of one that somebody saw; and its size in kB."""
    kept = client.get(address)
    nothing = [cpu(lambda: ask(client, address), times=1) for _ in range(RUNS)]
    later = [cpu(lambda: client.get(address), times=1) for _ in zip(range(RUNS), changes, strict=False)]
    again = [cpu(lambda: client.get(address), times=1) for _ in range(RUNS)]
    return (*(milliseconds(median(taken)) for taken in (nothing, later, again)), str(len(kept.content) // 1000))


def changes_of(event: Event, number: int) -> Iterator[None]:
    """With each step the result of table 1 of that round is another one, and so is the event's version."""
    for version in count():
        enter(event, 1, on_time(35 + version % 9, 50), number=number, version=version)
        yield


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.0f}"


def once(act: Callable[[], object]) -> str:
    return milliseconds(cpu(act, times=1))
