"""Who commits and who listens in the benchmark of the bus, each in processes that know nothing of Django's tables."""

import asyncio
import os
from collections.abc import Callable
from threading import Thread

import psycopg

from tourney.runtime.bus import Bus, bus_at

NONE = "none"


def listen(url: str, listeners: int, ready, enough) -> None:
    """As many lines as there are processes that serve, each hearing everything.

    Those are on other hosts: here they take what processor the writers and the bus leave.
    """

    async def hear(bus: Bus, is_listening: asyncio.Semaphore) -> None:
        async with bus.listen() as news:
            is_listening.release()
            async for _ in news:
                pass

    async def hear_all() -> None:
        is_listening = asyncio.Semaphore(0)
        tasks = [asyncio.create_task(hear(bus_at(url), is_listening)) for _ in range(listeners)] if url != NONE else []
        for _ in tasks:
            await is_listening.acquire()
        os.nice(10)
        await asyncio.to_thread(ready.wait)
        await asyncio.to_thread(enough.wait)
        for task in tasks:
            task.cancel()

    asyncio.run(hear_all())


def write(sql: str, database: str, url: str, events: range, ready, enough, done) -> None:
    """One thread for each of these events, which gives it one version after another."""
    bus = None if url == NONE else bus_at(url)
    counted: list[int] = []
    lines = [psycopg.connect(database, autocommit=True) for _ in events]
    threads = [
        Thread(target=commit, args=(sql, line, event + 1, bus, enough.is_set, counted))
        for line, event in zip(lines, events, strict=True)
    ]
    ready.wait()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    done.put(sum(counted))


def commit(
    sql: str, line: psycopg.Connection, event: int, bus: Bus | None, is_enough: Callable[[], bool], counted: list[int]
):
    """As actions do it (`actions.record.bump_version_and_notify`)."""
    told_by_commit, times = bus is not None and bus.is_told_by_commit, 0
    while not is_enough():
        version, _, slug, _ = line.execute(sql, [event, told_by_commit]).fetchone()
        if bus and not told_by_commit:
            bus.publish(slug, version)
        times += 1
    counted.append(times)
