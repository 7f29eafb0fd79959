"""The stream of an event: its version, or the part that a page shows, the moment it changes (docs/live.md).

Actions tell the bus on commit (`actions.record.bump_version_and_notify`); one connection of this process listens; each
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
from urllib.parse import parse_qs

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import parse_cookie
from django.middleware.gzip import re_accepts_gzip

from tourney.models import Event
from tourney.runtime.availability import database
from tourney.runtime.bus import BusLost, bus
from tourney.runtime.language import language_of
from tourney.runtime.like_django import LikeDjango, headers_of
from tourney.runtime.metrics import meter
from tourney.runtime.scope import Application, Receive, Scope, ScopeMessage, Send
from tourney.serving.streams import Channel, Stream, answer
from tourney.views.live_parts import reader_of

ADDRESS = re.compile(r"/e/(?P<slug>[-a-zA-Z0-9_]{1,100})/live/")
HEADERS = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # nginx passes it on at once
]
GZIPPED = (b"content-encoding", b"gzip")
FIRST_PAUSE, LONGEST_PAUSE = 0.2, 2  # seconds before the connection that listens is made again

logger = logging.getLogger(__name__)


class Live:
    """An ASGI application that answers the streams itself and leaves the rest to another."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self.like_django = LikeDjango()
        self.channels: dict[str, Channel] = {}
        self.bus = bus()
        self.listener: asyncio.Task[None] | None = None
        self.asker: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if meter:
            self._listen()  # what this process tells it also hears, and so knows how long that takes
        found = ADDRESS.fullmatch(scope["path"]) if scope["type"] == "http" and scope["method"] == "GET" else None
        if found and sum(channel.streams for channel in self.channels.values()) < settings.MOST_STREAMS:
            headers = self.like_django.headers(scope, headers_of(scope))
            if headers is not None:
                self._listen()
                stream = self._stream_for(scope, found["slug"])
                with self._watching(found["slug"], stream) as channel:
                    if await _is_known(found["slug"], channel):
                        if not channel.is_rehearsal or await self._lets_in(scope, receive, send):
                            more = HEADERS + [GZIPPED] * stream.is_compressed
                            await answer(channel, stream, receive, send, more + headers)
                        return None
        return await self.application(scope, receive, send)  # which says 404, 503, or 204: keep asking

    def _stream_for(self, scope: Scope, slug: str) -> Stream:
        """With the reader of the part that the address names, if it can be brought: `?of=` the page."""
        asked, headers = parse_qs(scope["query_string"].decode("latin-1")), headers_of(scope)
        if "of" not in asked:
            return Stream()
        cookies = parse_cookie(headers.get("cookie", ""))
        reader = reader_of(
            slug,
            asked["of"][0],
            host=headers.get("host", ""),
            scheme=self.like_django.scheme(headers, scope["scheme"]),
            language=language_of(cookies, headers.get("accept-language", "")),
            cookies=cookies,
        )
        takes_gzip = re_accepts_gzip.search(headers.get("accept-encoding", "")) is not None
        return Stream(reader, is_compressed=reader is not None and takes_gzip)

    async def _lets_in(self, scope: Scope, receive: Receive, send: Send) -> bool:
        """Whether Django has nothing against this visitor. What it has against one is said to them."""
        said: list[ScopeMessage] = []

        async def listen(message: ScopeMessage) -> None:
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

    def start_over(self) -> None:
        """End all streams, whose pages come again at once: a backup was restored, and their events are others now."""
        ended, self.channels = self.channels, {}
        for channel in ended.values():
            channel.close()

    @contextmanager
    def _watching(self, slug: str, stream: Stream) -> Iterator[Channel]:
        channel = self.channels.setdefault(slug, Channel(slug))
        channel.add(stream)
        try:
            yield channel
        finally:
            channel.remove(stream)
            if not channel.streams and self.channels.get(slug) is channel:
                del self.channels[slug]

    def _listen(self) -> None:
        if self.listener is None or self.listener.done():
            self.listener = asyncio.create_task(self._listen_for_ever(), context=Context())  # of no request
        if self.bus.ask_every and (self.asker is None or self.asker.done()):
            self.asker = asyncio.create_task(self._ask_every(self.bus.ask_every), context=Context())

    async def _listen_for_ever(self) -> None:
        pause, is_lost = FIRST_PAUSE, False
        while True:
            try:
                async with self.bus.listen() as news:
                    await self._catch_up()
                    pause, is_lost = FIRST_PAUSE, False
                    async for slug, version in news:
                        self._tell(slug, version)
            except (BusLost, DatabaseError) as error:
                if not is_lost and not database.is_away:  # that is said already
                    logger.warning("The bus does not tell what changes; trying again. %s", error)
                is_lost = True
            await asyncio.sleep(uniform(pause / 2, pause))
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _ask_every(self, seconds: float) -> None:
        """Where the bus may lose news: nobody who watches waits longer for it than that."""
        while True:
            await asyncio.sleep(seconds)
            with suppress(DatabaseError):  # the next time, then
                await self._catch_up()

    async def _catch_up(self) -> None:
        """What changed while nobody listened."""
        if self.channels:
            for slug, version in await sync_to_async(_versions_of, thread_sensitive=False)([*self.channels]):
                self._tell(slug, version)

    def _tell(self, slug: str, version: int) -> None:
        if meter:
            meter.heard(slug, version)
        if channel := self.channels.get(slug):
            channel.tell(version)


async def _is_known(slug: str, channel: Channel) -> bool:
    """Whether there is such an event. Only the first page of an event asks the database; then the bus says it."""
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


def _versions_of(slugs: list[str]) -> list[tuple[str, int]]:
    try:
        return [*Event.objects.filter(slug__in=slugs).values_list("slug", "version")]
    finally:
        connection.close()
