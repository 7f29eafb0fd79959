"""The stream of an event: its version, said to every open page the moment it changes (docs/live.md).

Actions send NOTIFY on commit (`actions.record.bump_version_and_notify`); one connection of this process listens; each
stream is a few small tasks on the server's event loop. It is answered before Django, which would hold a thread for
every open page.
"""

import asyncio
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import Context
from random import uniform
from typing import Any

import psycopg
from asgiref.sync import sync_to_async
from django.db import DatabaseError, connection

from tourney.models import Event
from tourney.runtime.availability import database
from tourney.runtime.like_django import Headers, LikeDjango, headers_of
from tourney.runtime.scope import Application, Message, Receive, Scope, Send

ADDRESS = re.compile(r"/e/(?P<slug>[-a-zA-Z0-9_]{1,100})/live/")
HEADERS = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # nginx passes it on at once
]
MOST_STREAMS = 5000  # of one process; more pages than that keep asking
HEARTBEAT = 20  # seconds of silence, after which the version is said again: a page hears that the line still holds
PER_STREAM, MOST_SPREAD = 0.001, 0.4  # seconds over which many pages are told, so that they do not ask all at once
FIRST_PAUSE, LONGEST_PAUSE = 0.2, 2  # seconds before the connection that listens is made again
CONNECTION_OPTIONS: dict[str, Any] = {
    "application_name": "flagship live",
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
}

logger = logging.getLogger(__name__)


class Channel:
    """An event that pages watch: the version last heard of, None at first, and the flag that the next one raises."""

    def __init__(self) -> None:
        self.version: int | None = None
        self.is_rehearsal: bool | None = None  # asked of the database before the first page is let in
        self.streams = 0
        self.is_open = True
        self.changed = asyncio.Event()

    def tell(self, version: int) -> None:
        """What is no news is not said again: NOTIFY may come after the first page has read what it tells of."""
        if self.version is None or version > self.version:
            self.version = version
            self._raise_flag()

    def close(self) -> None:
        """End the streams of this event."""
        self.is_open = False
        self._raise_flag()

    def _raise_flag(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()

    @property
    def jitter(self) -> float:
        """Seconds over which the streams of this event are told, each at a random moment."""
        return min(MOST_SPREAD, self.streams * PER_STREAM)


class Live:
    """An ASGI application that answers the streams itself and leaves the rest to another."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self.like_django = LikeDjango()
        self.channels: dict[str, Channel] = {}
        self.listener: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = ADDRESS.fullmatch(scope["path"]) if scope["type"] == "http" and scope["method"] == "GET" else None
        if found and sum(channel.streams for channel in self.channels.values()) < MOST_STREAMS:
            headers = self.like_django.headers(scope, headers_of(scope))
            if headers is not None:
                self._listen()
                with self._watching(found["slug"]) as channel:
                    if await _is_known(found["slug"], channel):
                        if not channel.is_rehearsal or await self._lets_in(scope, receive, send):
                            await _stream(channel, receive, send, HEADERS + headers)
                        return None
        return await self.application(scope, receive, send)  # which says 404, 503, or 204: keep asking

    async def _lets_in(self, scope: Scope, receive: Receive, send: Send) -> bool:
        """Whether Django has nothing against this visitor. What it has against one is said to them."""
        said: list[Message] = []

        async def listen(message: Message) -> None:
            said.append(message)

        await self.application(scope, receive, listen)
        if said[0]["status"] == 204:
            return True
        for message in said:
            await send(message)
        return False

    def close(self) -> None:
        """End all streams: the server stops, and would wait for them."""
        for channel in self.channels.values():
            channel.close()

    @contextmanager
    def _watching(self, slug: str) -> Iterator[Channel]:
        channel = self.channels.setdefault(slug, Channel())
        channel.streams += 1
        try:
            yield channel
        finally:
            channel.streams -= 1
            if not channel.streams:
                del self.channels[slug]

    def _listen(self) -> None:
        if self.listener is None or self.listener.done():
            self.listener = asyncio.create_task(self._listen_for_ever(), context=Context())  # of no request

    async def _listen_for_ever(self) -> None:
        pause = FIRST_PAUSE
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(
                    **database_address(), **CONNECTION_OPTIONS, autocommit=True
                ) as line:
                    await line.execute("LISTEN event")
                    await self._catch_up(line)
                    pause = FIRST_PAUSE
                    async for note in line.notifies():
                        slug, version = note.payload.rsplit(":", 1)
                        self._tell(slug, int(version))
            except psycopg.Error as error:
                if not database.is_away:  # that is said already
                    logger.warning("The database does not tell what changes; trying again. %s", error)
            await asyncio.sleep(uniform(pause / 2, pause))
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _catch_up(self, line: psycopg.AsyncConnection) -> None:
        """What changed while nobody listened."""
        query = "SELECT slug, version FROM tourney_event WHERE slug = ANY(%s)"
        for slug, version in await (await line.execute(query, [list(self.channels)])).fetchall():
            self._tell(slug, version)

    def _tell(self, slug: str, version: int) -> None:
        if channel := self.channels.get(slug):
            channel.tell(version)


async def _stream(channel: Channel, receive: Receive, send: Send, headers: Headers) -> None:
    """Say the version at once and whenever it changes, until the page has gone or the server stops."""
    tasks = [asyncio.create_task(_write(channel, send, headers)), asyncio.create_task(_gone(receive))]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _write(channel: Channel, send: Send, headers: Headers) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    while channel.is_open:
        changed = channel.changed
        message = f"event: version\nid: {channel.version}\ndata: {channel.version}\n\n"
        await send({"type": "http.response.body", "body": message.encode(), "more_body": True})
        with suppress(TimeoutError):
            async with asyncio.timeout(HEARTBEAT):
                await changed.wait()
                await asyncio.sleep(uniform(0, channel.jitter))
    await send({"type": "http.response.body"})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _is_known(slug: str, channel: Channel) -> bool:
    """Whether there is such an event. Only the first page of an event asks the database; then NOTIFY says it."""
    if channel.is_rehearsal is None:
        try:
            found = await sync_to_async(_found, thread_sensitive=False)(slug)
        except DatabaseError:  # Django meets it too, and says so
            return False
        if found is None:
            return False
        version, rehearsal = found
        channel.is_rehearsal = rehearsal is not None
        channel.tell(version)
    return True


def _found(slug: str) -> tuple[int, int | None] | None:
    """The event's version, and the rehearsal it is, if it is one."""
    try:
        return Event.objects.filter(slug=slug).values_list("version", "campaign__store__rehearsal").first()
    finally:
        connection.close()  # back to the pool: this thread may not come again


def database_address() -> dict[str, Any]:
    """How Django reaches its database, without what is meant for its own connections."""
    ours = ("cursor_factory", "context", "prepare_threshold")
    return {name: value for name, value in connection.get_connection_params().items() if name not in ours}
