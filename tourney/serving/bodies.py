"""Bodies of requests: how large each address takes one, how long it may take to come, how many are held at once.

All of it is decided on the event loop while a body comes: one too large, too slow or one too many holds no thread.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from tempfile import SpooledTemporaryFile
from typing import IO

from django.core.exceptions import RequestAborted
from django.urls import Resolver404, resolve

from tourney.runtime.like_django import Header
from tourney.runtime.messages import Message, message
from tourney.runtime.scope import Receive, Scope

IN_MEMORY = 2_500_000  # bytes of one body; only what owners may send is larger, and goes to a file from there on
LONGEST_LENGTH = 15  # digits


@dataclass(frozen=True)
class Limit:
    """Bytes of a body, and the seconds in which it is to come."""

    size: int
    seconds: float = 30

    def __str__(self) -> str:
        return f"{self.size // 1_000_000} MB" if self.size >= 5_000_000 else f"{self.size // 1000:,} kB"


BY_NAME = {
    "csp_reports": Limit(16_384),
    "import_fleets": Limit(1_100_000),  # a file of 1 MB (fleets/domain/intake.py)
    "entrant_fleet": Limit(1_100_000),
}
LINGER, LINGER_FOR_OWNERS = Limit(4_000_000, 3), Limit(42_000_000, 20)
OF_OWNERS = {"cards": Limit(21_000_000, seconds=120)}  # a catalogue of 20 MB (fleets/domain/space_dock.py)


@dataclass(frozen=True)
class BodyLimits:
    """Which limit holds where, by the names of `tourney/urls.py`; `owners` for who is signed in as an owner there.

    At most `most` bodies come at once, and `held` bytes of them and of those that wait for an answer are in memory;
    `owners_at_once` more come from owners.
    """

    usual: Limit = Limit(512_000)
    by_name: Mapping[str, Limit] = field(default_factory=lambda: BY_NAME)
    owners: Mapping[str, Limit] = field(default_factory=lambda: OF_OWNERS)
    most: int = 1000
    held: int = 64_000_000
    owners_at_once: int = 2


class BodyRefused(Exception):
    """The body is not taken: the status, and what the page says.

    Of what goes on coming so much is discarded as `linger` says: until then the sender can read the page.
    """

    def __init__(
        self,
        status: int,
        title: Message,
        *sentences: Message,
        more: Sequence[Header] = (),
        linger: Limit | None = None,
    ) -> None:
        super().__init__(title)
        self.status, self.title, self.sentences, self.linger = status, title, sentences, linger
        self.more = [*more, (b"connection", b"close")]


@dataclass(eq=False)
class Coming:
    """A body on its way: its bytes so far, and when it has to be there."""

    deadline: asyncio.Timeout
    size: int = 0
    is_pushed_out: bool = False


class Bodies:
    """All bodies of this process. `is_owner` says whether a request is one of an owner of the store it names."""

    def __init__(self, is_owner: Callable[[Scope], Awaitable[bool]], limits: BodyLimits | None = None) -> None:
        self.is_owner, self.limits = is_owner, limits or BodyLimits()
        self.coming: dict[Coming, None] = {}  # the oldest first
        self.held = 0
        self.of_owners = 0

    @asynccontextmanager
    async def of(self, scope: Scope, receive: Receive) -> AsyncIterator[IO[bytes]]:
        """The body, which counts as held until the end of the block. Raises `BodyRefused`, or `RequestAborted`."""
        declared = declared_length(scope)
        if declared == 0:
            with SpooledTemporaryFile(IN_MEMORY) as body:
                yield body
            return
        limit, larger = self._limits_at(scope["path"])
        is_more = declared is None or declared > limit.size
        if larger and is_more and await self.is_owner(scope):
            async with self._of_owner(larger, declared, receive) as body:
                yield body
        elif declared is not None and is_more:
            raise too_large(limit)
        else:
            async with self._of_anybody(limit, receive) as body:
                yield body

    def _limits_at(self, path: str) -> tuple[Limit, Limit | None]:
        try:
            name = resolve(path).url_name
        except Resolver404:
            name = None
        return self.limits.by_name.get(name or "", self.limits.usual), self.limits.owners.get(name or "")

    @asynccontextmanager
    async def _of_owner(self, limit: Limit, declared: int | None, receive: Receive) -> AsyncIterator[IO[bytes]]:
        if declared is not None and declared > limit.size:
            raise too_large(limit, LINGER_FOR_OWNERS)
        if self.of_owners >= self.limits.owners_at_once:
            raise busy(message("Other catalogues are being uploaded. Try again in a minute."))
        self.of_owners += 1
        try:
            with SpooledTemporaryFile(IN_MEMORY) as body:
                async with _in_time(limit) as deadline:
                    await _read(receive, body, limit, Coming(deadline), lambda _: None)
                yield body
        finally:
            self.of_owners -= 1

    @asynccontextmanager
    async def _of_anybody(self, limit: Limit, receive: Receive) -> AsyncIterator[IO[bytes]]:
        coming: Coming | None = None
        try:
            with SpooledTemporaryFile(IN_MEMORY) as body:
                try:
                    async with _in_time(limit) as deadline:
                        coming = Coming(deadline)
                        self.coming[coming] = None
                        self._make_room()
                        await _read(receive, body, limit, coming, self._hold)
                except BodyRefused:
                    if coming and coming.is_pushed_out:
                        raise busy(message("Too much is being sent right now. Try again in a minute.")) from None
                    raise
                finally:
                    if coming:
                        self.coming.pop(coming, None)
                yield body
        finally:
            if coming:
                self.held -= coming.size

    def _hold(self, size: int) -> None:
        self.held += size
        self._make_room()

    def _make_room(self) -> None:
        """The oldest on their way go first: what a phone sends is there at once, a flood of slow ones is not."""
        while self.coming and (len(self.coming) > self.limits.most or self.held > self.limits.held):
            oldest = next(iter(self.coming))
            del self.coming[oldest]
            self.held -= oldest.size
            oldest.size, oldest.is_pushed_out = 0, True
            oldest.deadline.reschedule(asyncio.get_running_loop().time())


@asynccontextmanager
async def _in_time(limit: Limit) -> AsyncIterator[asyncio.Timeout]:
    try:
        async with asyncio.timeout(limit.seconds) as deadline:
            yield deadline
    except TimeoutError:
        raise BodyRefused(
            408,
            message("This took too long"),
            message("Not saved. Not everything arrived within {seconds} seconds.", seconds=f"{limit.seconds:g}"),
            message("Check your connection and send it again."),
        ) from None


async def _read(receive: Receive, body: IO[bytes], limit: Limit, coming: Coming, hold: Callable[[int], None]) -> None:
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise RequestAborted
        part = message.get("body", b"")
        coming.size += len(part)
        hold(len(part))
        if coming.size > limit.size:
            raise too_large(limit)
        body.write(part)
        if not message.get("more_body", False):
            break
    body.seek(0)


def too_large(limit: Limit, linger: Limit = LINGER) -> BodyRefused:
    """The refusal of a body above the limit, a 413; `limit` in words."""
    sentence = message("Not saved. Send at most {limit}.", limit=str(limit))
    return BodyRefused(413, message("This is too large"), sentence, linger=linger)


def busy(sentence: Message) -> BodyRefused:
    """The refusal of what can be sent again in 10 seconds, a 503."""
    return BodyRefused(503, message("Not saved"), sentence, more=[(b"retry-after", b"10")])


def declared_length(scope: Scope) -> int | None:
    """Bytes of the body as the headers say; None if they leave it open (chunked). Raises `BodyRefused` for nonsense."""
    length = 0
    for name, value in scope["headers"]:
        if name == b"transfer-encoding":
            return None
        if name == b"content-length":
            if not value.isdigit() or len(value) > LONGEST_LENGTH:
                raise BodyRefused(400, message("This can’t be read"), message("The request gives no valid length."))
            length = int(value)
    return length
