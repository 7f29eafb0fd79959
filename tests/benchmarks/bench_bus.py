"""What the news of a commit costs the commits: so many processes listen, 16 writers commit, by each bus and by none.

On a PostgreSQL that waits for its disk as that of a store does; every writer has an event of its own.
"""

import time
from multiprocessing import get_context
from pathlib import Path
from statistics import median

import psycopg
import pytest

from tests.benchmarks.bench_night import table
from tests.benchmarks.committing import NONE, listen, write
from tests.support.prepared import put_database
from tests.support.redis_server import redis_server
from tourney.actions.record import NEXT_VERSION
from tourney.runtime.embedded import Server

WRITERS, PROCESSES = 16, 4
LISTENERS = (1, 20, 60)
SECONDS = 3
TURNS = 3
EVENTS = """
    CREATE TABLE tourney_event (id bigint PRIMARY KEY, slug text, version int, finished_at timestamptz);
    CREATE TABLE tourney_finalranking (event_id bigint);
    INSERT INTO tourney_event SELECT n, 'event-' || n, 1 FROM generate_series(1, 16) n;
"""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory):
    """Tables of its own, without triggers: what is measured is the end of a transaction."""
    folder = tmp_path_factory.mktemp("database")
    put_database(folder / "postgres")
    server = Server(folder / "postgres")
    url = server.ensure_running()
    with psycopg.connect(url, autocommit=True) as line:
        line.execute("CREATE SCHEMA bench")
        line.execute("SET search_path TO bench")
        line.execute(EVENTS)
    yield f"{url}&options=-c%20search_path%3Dbench"
    server.release()
    server.remove()


def bench_commits_with_each_bus(database: str, tmp_path: Path):
    rows = [("listeners", "no news", "LISTEN and NOTIFY", "Redis", "Redis : no news", "NOTIFY : no news")]
    with redis_server(tmp_path) as redis:
        for listeners in LISTENERS:
            found: dict[str, list[float]] = {NONE: [], database: [], redis.url: []}
            for _ in range(TURNS):
                for url, figures in found.items():
                    figures.append(commits(database, url, listeners))
            none, notify, by_redis = map(median, found.values())
            rows.append(
                (
                    str(listeners),
                    *(f"{one:.0f}/s" for one in (none, notify, by_redis)),
                    f"{by_redis / none:.2f}",
                    f"{notify / none:.2f}",
                )
            )
    table(f"{WRITERS} writers, each with an event of its own; commits in a second, the median of {TURNS}", rows)


def commits(database: str, url: str, listeners: int) -> float:
    """Commits in a second, of all writers together."""
    spawn = get_context("forkserver")
    spawn.set_forkserver_preload(["tests.benchmarks.committing"])
    ready, enough, done = spawn.Barrier(PROCESSES + 2), spawn.Event(), spawn.Queue()
    hearing = spawn.Process(target=listen, args=(url, listeners, ready, enough))
    writing = [
        spawn.Process(
            target=write, args=(NEXT_VERSION, database, url, range(first, WRITERS, PROCESSES), ready, enough, done)
        )
        for first in range(PROCESSES)
    ]
    for process in (hearing, *writing):
        process.start()
    ready.wait()
    start = time.perf_counter()
    enough.wait(SECONDS)
    enough.set()
    taken = time.perf_counter() - start
    committed = sum(done.get() for _ in writing)
    for process in (hearing, *writing):
        process.join()
    return committed / taken
