"""The open streams of one event, and the parts that they bring to their pages (docs/live.md).

A page that says which part it shows gets the part itself with each version; they are made for all who read the event,
a few at a time, in a thread of their own. Every other page is told the version, and asks.
"""

import asyncio
import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import Context
from functools import partial
from itertools import islice
from random import uniform

from django.conf import settings
from django.db import DatabaseError
from django.http import Http404

from tourney.runtime import event_stream
from tourney.runtime.frames import with_preallocated_frames
from tourney.runtime.like_django import Headers
from tourney.runtime.scope import Receive, Send
from tourney.views.live_parts import PartReader, parts_for

HEARTBEAT = 5  # seconds of silence, after which the version is said again: a page hears that the line still holds
PER_STREAM, MOST_SPREAD = 0.001, 0.4  # seconds over which many pages are told, so that they do not ask all at once
AT_ONCE = 20  # parts that are made for one event before another event has its turn
LONGEST_PAUSE = 1  # seconds; after parts for everybody were made, the processor is left to others for as long

logger = logging.getLogger(__name__)
threads = ThreadPoolExecutor(settings.PART_THREADS, thread_name_prefix="parts")


class Stream:
    """An open page: who reads which part, None for one that asks; `body` is what it is to be sent next."""

    __slots__ = ("body", "is_compressed", "reader", "told")

    def __init__(self, reader: PartReader | None = None, *, is_compressed: bool = False) -> None:
        self.reader = reader
        self.is_compressed = is_compressed
        self.body: bytes | None = None
        self.told = asyncio.Event()

    def bring(self, body: bytes | None) -> None:
        """Send that next, in place of what was not sent yet; without a body, the version."""
        self.body = body
        self.told.set()


class Channel:
    """An event that pages watch: the version last heard of, None at first, and the flag that the next one raises."""

    def __init__(self, slug: str = "") -> None:
        self.slug = slug
        self.version: int | None = None
        self.is_rehearsal: bool | None = None  # asked of the database before the first page is let in
        self.streams = 0
        self.is_open = True
        self.changed = asyncio.Event()
        self.readers: dict[tuple[PartReader, bool], set[Stream]] = {}
        self.waiting: dict[tuple[PartReader, bool], None] = {}  # in the order in which parts are made
        self.bringing: asyncio.Task[None] | None = None

    def tell(self, version: int) -> None:
        """What is no news is not said again: the bus may come after the first page has read what it tells of."""
        if self.version is None or version > self.version:
            is_news, self.version = self.version is not None, version  # a page that opens is up to date, or asks
            self._raise_flag()
            if is_news:
                self.waiting.update(dict.fromkeys(self.readers))
            if self.waiting and (self.bringing is None or self.bringing.done()):
                self.bringing = asyncio.create_task(self._bring(), context=Context())  # of no request

    def close(self) -> None:
        """End the streams of this event."""
        self.is_open = False
        self._raise_flag()
        for stream in self._of_readers():
            stream.told.set()
        if self.bringing:
            self.bringing.cancel()

    def add(self, stream: Stream) -> None:
        """Count a stream; one with a reader gets the parts from now on."""
        self.streams += 1
        if stream.reader:
            self.readers.setdefault((stream.reader, stream.is_compressed), set()).add(stream)

    def remove(self, stream: Stream) -> None:
        """The page has gone."""
        self.streams -= 1
        if stream.reader:
            key = stream.reader, stream.is_compressed
            self.readers[key].discard(stream)
            if not self.readers[key]:
                del self.readers[key]
                self.waiting.pop(key, None)

    def _raise_flag(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()

    def _of_readers(self) -> list[Stream]:
        return [stream for streams in self.readers.values() for stream in streams]

    @property
    def jitter(self) -> float:
        """Seconds over which the streams of this event are told, each at a random moment."""
        return min(MOST_SPREAD, self.streams * PER_STREAM)

    async def _bring(self) -> None:
        """Make the parts that are waited for, always of the latest version, with a pause after each time round.

        So whoever reads a busy event misses versions that are past, and nobody waits for ever.
        """
        loop = asyncio.get_running_loop()
        while self.waiting:
            start, left = loop.time(), len(self.waiting)
            while left > 0 and self.waiting:
                some = list(islice(self.waiting, min(AT_ONCE, left)))
                left -= len(some)
                for one in some:
                    del self.waiting[one]
                await self._bring_to(some)
            if self.waiting:
                await asyncio.sleep(min(LONGEST_PAUSE, loop.time() - start))

    async def _bring_to(self, some: Sequence[tuple[PartReader, bool]]) -> None:
        make = partial(with_preallocated_frames, bodies_for, self.slug, some, self.version)
        bodies: list[bytes | None] = [None] * len(some)
        try:
            bodies = await asyncio.get_running_loop().run_in_executor(threads, make)
        except (DatabaseError, Http404):
            pass  # the pages ask, and are told what is wrong
        except Exception:
            logger.exception("The live parts of %s could not be made; its pages ask for them.", self.slug)
        for one, body in zip(some, bodies, strict=True):
            for stream in self.readers.get(one, ()):
                stream.bring(body)


def bodies_for(slug: str, some: Sequence[tuple[PartReader, bool]], told: int | None = None) -> list[bytes | None]:
    """What is sent to each of these readers, compressed for those who take it; None where the page has to ask.

    `told` is the latest version that this process has heard of.
    """
    version, parts = parts_for(slug, [reader for reader, _ in some], told)
    return [
        None if part is None else event_stream.part(version, part, is_compressed=is_compressed)
        for part, (_, is_compressed) in zip(parts, some, strict=True)
    ]


async def answer(channel: Channel, stream: Stream, receive: Receive, send: Send, headers: Headers) -> None:
    """Say the version at once, and it or the part whenever it changes, until the page has gone or the server stops."""
    tasks = [asyncio.create_task(_write(channel, stream, send, headers)), asyncio.create_task(_gone(receive))]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _write(channel: Channel, stream: Stream, send: Send, headers: Headers) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    if stream.is_compressed:
        await send({"type": "http.response.body", "body": event_stream.GZIP_HEADER, "more_body": True})
    while channel.is_open:
        told = stream.told if stream.reader else channel.changed
        body, stream.body = stream.body, None
        if body is None:
            body = event_stream.version(channel.version, is_compressed=stream.is_compressed)
        await send({"type": "http.response.body", "body": body, "more_body": True})
        with suppress(TimeoutError):
            async with asyncio.timeout(HEARTBEAT):
                await told.wait()
                if stream.body is None:
                    await asyncio.sleep(uniform(0, channel.jitter))
        stream.told.clear()
    await send({"type": "http.response.body"})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
