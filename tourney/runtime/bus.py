"""The bus for news: what tells every process, on whatever host, which event has a new version (docs/live.md).

PostgreSQL tells with the commit, by NOTIFY; or a Redis or Valkey tells, after it. `BUS_URL` chooses.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager, suppress
from functools import cache
from typing import Any

import psycopg
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from psycopg.conninfo import conninfo_to_dict

type EventVersion = tuple[str, int]
"""The slug of an event, and its version."""

CONNECT = 3  # seconds until a bus is taken to be away
IDLE, INTERVAL, TIMES = 30, 10, 3  # seconds of silence, and between so many probes, after which a line is lost
LINE: dict[str, Any] = {
    "application_name": "flagship live",
    "keepalives_idle": IDLE,
    "keepalives_interval": INTERVAL,
    "keepalives_count": TIMES,
}


class BusLost(Exception):
    """The line on which this process listens is lost, and what was said meanwhile with it."""


class Bus(ABC):
    """What tells news, and how it is heard."""

    is_told_by_commit = False
    """Whether the database tells with the commit itself; otherwise `publish` does, after it."""
    ask_every: float | None = None
    """Seconds after which a process asks the database for what it may have missed; None where it would know."""

    def publish(self, slug: str, version: int) -> None:  # noqa: B027  # the database has told it
        """Tell every process. It neither waits nor fails: whoever misses it asks."""

    @abstractmethod
    def listen(self) -> AbstractAsyncContextManager[AsyncIterator[EventVersion]]:
        """What is told from now on, as a context. Raises BusLost when the line is lost, or cannot be had."""


class Notifications(Bus):
    """LISTEN and NOTIFY of PostgreSQL: at an address of its own, past a pooler, or at that of the database."""

    is_told_by_commit = True

    def __init__(self, url: str = "") -> None:
        self.url = url

    @asynccontextmanager
    async def listen(self) -> AsyncIterator[AsyncIterator[EventVersion]]:
        """What is told from now on. Raises BusLost."""
        address = {"connect_timeout": CONNECT} | conninfo_to_dict(self.url) if self.url else database_address()
        try:
            async with await psycopg.AsyncConnection.connect(**address | LINE, autocommit=True) as line:
                await line.execute("LISTEN event")
                async with aclosing(line.notifies()) as notes:  # whoever has had enough does not wait for the next
                    yield (news async for note in notes for news in news_in(note.payload))
        except psycopg.Error as error:
            raise BusLost(error) from error


class Asked(Bus):
    """No bus: behind a pooler nobody can listen, so each process asks the database every second."""

    ask_every = 1

    @asynccontextmanager
    async def listen(self) -> AsyncIterator[AsyncIterator[EventVersion]]:
        """Nothing, ever."""
        yield _silence()


def bus() -> Bus:
    """The one that `BUS_URL` names; without it, the database's own where it has one."""
    return Asked() if settings.PGBOUNCER and not settings.BUS_URL else bus_at(settings.BUS_URL)


@cache
def bus_at(url: str) -> Bus:
    """The bus at that address; without one, the database's own. Raises ImproperlyConfigured."""
    scheme = url.partition(":")[0]
    if scheme in ("", "postgres", "postgresql"):
        return Notifications(url)
    if scheme in ("redis", "rediss"):
        from tourney.runtime.redis_bus import RedisBus  # the package is large, and only needed here

        return RedisBus(url)
    raise ImproperlyConfigured(f"BUS_URL begins with {scheme}:. It must begin with postgresql:// or redis://.")


def database_address() -> dict[str, Any]:
    """How Django reaches its database, without what is meant for its own connections."""
    ours = ("cursor_factory", "context", "prepare_threshold")
    found = {name: value for name, value in connection.get_connection_params().items() if name not in ours}
    # What one connection of the pooler has prepared, the next one does not know.
    return found | {"prepare_threshold": None} if settings.PGBOUNCER else found


async def _silence() -> AsyncIterator[EventVersion]:
    await asyncio.Event().wait()
    yield "", 0


def news_in(text: str) -> Iterator[EventVersion]:
    """What was told so: slug, colon, version, once or more often; whatever else somebody says there is passed over."""
    for word in text.split():
        slug, _, version = word.rpartition(":")
        with suppress(ValueError):
            yield slug, int(version)
