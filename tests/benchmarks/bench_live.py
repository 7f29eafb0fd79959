"""What a full room asks of the server: news to everybody at once, answers a second, memory, and the pages' own time.

The server, its database, and who asks it share two cores, where the system can be told so.
"""

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

import psutil
import pytest
from django.core.handlers.base import BaseHandler
from django.db import connection
from django.test import RequestFactory
from django.urls import reverse

from tests.benchmarks.bench_night import milliseconds, table
from tests.benchmarks.load import Answer, Asked, Browser, all_at_once, ask_for
from tests.support.large_nights import make_large_night
from tests.support.nights import BY
from tests.support.serving import Running, free_port, on_test_database
from tests.support.tables import on_time
from tourney import access
from tourney.actions import results, rounds
from tourney.actions.record import bump_version_and_notify
from tourney.domain.keys import hash_of
from tourney.models import Event, PlayerCard
from tourney.queries import shared
from tourney.queries.state import state_of
from tourney.runtime.garbage import collect_less_garbage

PHONES = 500
STREAMS = 1000
CONNECTIONS = 16
SECONDS = 5
CORES = {0, 1}

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def two_cores() -> Iterator[None]:
    """This process and its children, the database among them."""
    if not hasattr(psutil.Process, "cpu_affinity"):
        yield
        return
    everything = [psutil.Process(), *psutil.Process().children(recursive=True)]
    before = psutil.Process().cpu_affinity()
    for process in everything:
        with suppress(psutil.NoSuchProcess):  # a worker of the database ends when it likes
            process.cpu_affinity(sorted(CORES))
    yield
    psutil.Process().cpu_affinity(before)


@contextmanager
def served(folder: Path, **environment: str) -> Iterator[tuple[Running, int]]:
    port = free_port()
    running = on_test_database(folder, port, **environment)
    try:
        yield running, port
    finally:
        running.end(signal.SIGTERM)
        running.process.stdout.close()


def night_in_play(players: int, *, publish: bool = True) -> Event:
    """Round 4 of 4 is drawn, and published or about to be."""
    event = make_large_night(players=players, rounds=3, seed=players).event
    rounds.pair_round(event, seed=1, by=BY)
    if publish:
        rounds.publish_round(event, 4, by=BY)
    return event


def cookies_of(event: Event) -> list[str]:
    """A card for every player, as the phones send it."""
    players = [entrant.player for entrant in event.entrants.select_related("player")]
    PlayerCard.objects.bulk_create(
        PlayerCard(player=player, key_hash=hash_of(f"key-{player.pk}"), issued_at=BY.at) for player in players
    )
    return [f"{access.card_cookie(event.store)}=key-{player.pk}" for player in players]


# (a)


def bench_the_news_of_a_round(tmp_path: Path):
    rows = [("every phone shows", "published", "p50", "p95", "last")]
    for page, part in (("me", "card"), ("event", "now")):
        event = night_in_play(PHONES, publish=False)
        with served(tmp_path) as (_, port):
            rows.append(
                (page, *asyncio.run(asyncio.wait_for(news(event, port, reverse(page, args=[event.slug]), part), 60)))
            )
    table(f"{PHONES} phones hold the stream; from the press of “Publish” to the new part on each", rows)


async def news(event: Event, port: int, path: str, part: str) -> tuple[str, ...]:
    stream = reverse("live", args=[event.slug])
    watching = await all_at_once([lambda: watch(port, stream)] * PHONES)
    cookies = await asyncio.to_thread(in_thread, lambda: cookies_of(event))
    headers = [{"HX_Request": "true", "HX_Target": part, "Cookie": cookie} for cookie in cookies]
    await all_at_once([partial(ask, port, path, phone) for phone in headers])
    shown = [asyncio.create_task(show(port, *one, path)) for one in zip(watching, headers, strict=True)]
    start = perf_counter()
    published = await asyncio.to_thread(in_thread, lambda: rounds.publish_round(event, 4, by=BY) or perf_counter())
    taken = sorted(end - start for end in await asyncio.gather(*shown))
    for browser in watching:
        await browser.close()
    cuts = quantiles(taken, n=20)
    return tuple(map(milliseconds, (published - start, cuts[9], cuts[18], taken[-1])))


async def watch(port: int, path: str) -> Browser:
    browser = await Browser.opened(port)
    answer = await browser.start(path)
    assert answer.status == 200, answer
    await browser.next_version()
    return browser


async def show(port: int, stream: Browser, headers: dict[str, str], path: str) -> float:
    await stream.next_version()
    return await ask(port, path, headers)


async def ask(port: int, path: str, headers: dict[str, str]) -> float:
    """When the answer is there."""
    browser = await Browser.opened(port)
    answer = await browser.get(path, **headers)
    end = perf_counter()
    assert answer.status == 200, answer
    await browser.close()
    return end


# (b)


def bench_answers_in_a_second(tmp_path: Path):
    rows = [("page", "players", "not changed", "p95", "changed", "p95", "bytes")]
    for players in (64, 500):
        event = night_in_play(players)
        cookies = cookies_of(event)
        with served(tmp_path) as (_, port):
            rows.append(("event", str(players), *answers(event, port, "event", "now", [""])))
            rows.append(("me", str(players), *answers(event, port, "me", "card", cookies)))
    title = f"{CONNECTIONS} connections for {SECONDS} s; “changed”: parts, and the event changes every second"
    table(title, rows)


def answers(event: Event, port: int, page: str, part: str, cookies: list[str]) -> tuple[str, ...]:
    path = reverse(page, args=[event.slug])
    phones = [{"HX_Request": "true", "HX_Target": part, "Cookie": cookie} for cookie in cookies]
    first = asyncio.run(tags_of(port, path, phones))
    known = [
        (path, phone | {"If_None_Match": answer.headers["etag"]}) for phone, answer in zip(phones, first, strict=True)
    ]
    same = asyncio.run(ask_for(SECONDS, port, known, connections=CONNECTIONS))
    assert same.statuses == {304}
    with changing(event):
        new = asyncio.run(ask_for(SECONDS, port, [(path, phone) for phone in phones], connections=CONNECTIONS))
    assert new.statuses == {200}
    size = sum(len(answer.body) for answer in first) // len(first)
    return (*figures(same), *figures(new), str(size))


async def tags_of(port: int, path: str, phones: list[dict[str, str]]) -> list[Answer]:
    browser = await Browser.opened(port)
    answers = [await browser.get(path, **phone) for phone in phones]
    await browser.close()
    return answers


@contextmanager
def changing(event: Event) -> Iterator[None]:
    """Something is done at the desk every second."""
    enough = threading.Event()

    def change() -> None:
        while not enough.wait(1):
            in_thread(lambda: bump_version_and_notify(event))

    thread = threading.Thread(target=change)
    thread.start()
    yield
    enough.set()
    thread.join()


def figures(asked: Asked) -> tuple[str, str]:
    return f"{asked.per_second:.0f}/s", milliseconds(asked.p95)


# (c)


def bench_memory(tmp_path: Path):
    rows = [("processes", "streams", "before", "with streams", "each stream")]
    slug = night_in_play(8).slug
    for workers in (1, 2, 3):
        with served(tmp_path, WORKERS=str(workers)) as (running, port):
            before, after = asyncio.run(memory(running, port, reverse("live", args=[slug])))
            each = f"{(after - before) / STREAMS / 1024:.1f} kB"
            rows.append((str(workers), str(STREAMS), *(f"{size / 2**20:.0f} MB" for size in (before, after)), each))
    table("Memory of the server, without the database", rows)


async def memory(running: Running, port: int, path: str) -> tuple[int, int]:
    await (await watch(port, path)).close()
    before = memory_of(running)
    watching = await all_at_once([lambda: watch(port, path)] * STREAMS)
    after = memory_of(running)
    for browser in watching:
        await browser.close()
    return before, after


def memory_of(running: Running) -> int:
    """Bytes of all its processes; what they share is counted once where the system tells."""
    main = psutil.Process(running.process.pid)
    infos = [process.memory_full_info() for process in (main, *main.children(recursive=True))]
    return sum(getattr(info, "pss", info.rss) for info in infos)


# (d)


def bench_uncached_pages():
    collect_less_garbage()
    rows = [("players", "", "standings", "its part", "event page", "its part")]
    for players in (24, 128, 500):
        event = make_large_night(players=players, rounds=3, seed=players).event
        for before, change in (("a result is corrected", correct), ("nothing is known", forget)):
            taken = [
                uncached(event, page, headers, partial(change, event))
                for page, part in (("standings", "ranks"), ("event", "now"))
                for headers in ({}, {"HX-Request": "true", "HX-Target": part})
            ]
            rows.append((str(players), before, *map(milliseconds, taken)))
    table("Server time of a page that nobody asked for since, after 3 rounds (median of 30)", rows)


def uncached(event: Event, page: str, headers: dict[str, str], change: Callable[[], None]) -> float:
    """Through the whole site, but not the client of the tests, which copies the context of every template."""
    site, path = BaseHandler(), reverse(page, args=[event.slug])
    site.load_middleware()
    taken = []
    for _ in range(30):
        change()
        start = perf_counter()
        assert site.get_response(RequestFactory().get(path, headers=headers)).status_code == 200
        taken.append(perf_counter() - start)
    return median(taken)


def correct(event: Event) -> None:
    """The result at the last table of round 3 becomes another one."""
    last = state_of(event).last_round.tables[-1]
    report = results.ResultInput(on_time(10 + last.version % 30, 60))
    results.report_result(event, 3, last.table, report, version=last.version, by=BY, reason="typed wrong")
    event.refresh_from_db()


def forget(event: Event) -> None:
    """As for a process that has just started: not even the event of before is known."""
    bump_version_and_notify(event)
    shared.SHARED.forget()


def in_thread[Done](act) -> Done:
    try:
        return act()
    finally:
        connection.close()
