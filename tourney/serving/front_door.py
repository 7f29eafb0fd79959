"""Before everything else: what no page can read is refused, each request gets its id, and what fails is answered.

The limits here and in `tourney/serving/bodies.py` stand in one table with all others: docs/operating.md, "Limits".
"""

import asyncio
import logging
from contextlib import suppress
from time import perf_counter
from typing import Protocol

from django.conf import settings

from tourney.runtime import request_log
from tourney.runtime.like_django import Headers, LikeDjango
from tourney.runtime.messages import message
from tourney.runtime.metrics import meter
from tourney.runtime.plain_pages import PlainPages
from tourney.runtime.scope import Receive, Scope, ScopeMessage, Send
from tourney.serving.bodies import BodyRefused, declared_length

LONGEST_PATH, LONGEST_QUERY, LONGEST_HEADERS = 1_000, 8_000, 32_000  # bytes
BODILESS = ("GET", "HEAD", "OPTIONS", "TRACE")
STREAM = (b"content-type", b"text/event-stream")
UTF_8 = {b"charset=utf-8", b'charset="utf-8"', b"charset=utf8", b"charset=us-ascii"}

logger = logging.getLogger(__name__)


class Streaming(Protocol):
    """An ASGI application with streams that somebody has to end."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...

    def close(self) -> None:
        """End all streams."""

    def start_over(self) -> None:
        """End them, and forget what they were of."""


class FrontDoor:
    """The ASGI application that the server calls; it leaves all that can be read to another."""

    def __init__(self, application: Streaming) -> None:
        self.application = application
        self.pages = PlainPages(LikeDjango())
        self.trusts_ids = settings.BEHIND_PROXY  # then all comes through a proxy

    def close(self) -> None:
        """End all streams: the server stops."""
        self.application.close()

    def start_over(self) -> None:
        """Have all streams made again: the database is another one."""
        self.application.start_over()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.application(scope, receive, send)
        told, why = "", None
        try:
            told, why = examine(scope)
        except BodyRefused as refusal:
            why = refusal
        request = request_log.begin(scope["method"], scope["path"], told if self.trusts_ids else "")
        own = (b"x-request-id", request.id.encode())
        has_begun = False
        measured = Measured(request) if meter else None

        async def send_with_id(message: ScopeMessage) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                if measured:
                    measured.begins(message)
                headers = [*message["headers"], own]
                if message["status"] >= 400:
                    self._complete(headers, scope)
                message = {**message, "headers": headers}
            await send(message)

        try:
            if why:
                raise why
            await self.application(scope, receive, send_with_id)
        except BodyRefused as refusal:
            await self._refuse(refusal, scope, receive, send_with_id)
        except Exception:
            if not has_begun:
                request_log.number_of_failure()
            logger.exception("Failed outside Django")
            if has_begun:
                raise  # the server ends the connection: the answer is not whole
            await self.pages.fail(scope, send_with_id)
        finally:
            if measured:
                measured.ends()

    def _complete(self, headers: Headers, scope: Scope) -> None:
        """What went wrong early has not come by all that adds headers."""
        there = {name.lower() for name, _ in headers}
        headers += [one for one in self.pages.headers_for_all(scope) if one[0] not in there]

    async def _refuse(self, refusal: BodyRefused, scope: Scope, receive: Receive, send: Send) -> None:
        await self.pages.begin(scope, send, refusal.status, refusal.title, *refusal.sentences, more=refusal.more)
        if refusal.linger:
            with suppress(TimeoutError):
                async with asyncio.timeout(refusal.linger.seconds):
                    await _discard(receive, refusal.linger.size)
        await send({"type": "http.response.body", "body": b""})


class Measured:
    """A request for /metrics, from its beginning to the end of its answer."""

    __slots__ = ("began", "is_stream", "request", "status")

    def __init__(self, request: request_log.Request) -> None:
        self.request, self.began = request, perf_counter()
        self.status, self.is_stream = 0, False

    def begins(self, message: ScopeMessage) -> None:
        """The answer begins with this message."""
        self.status = message["status"]
        self.is_stream = STREAM in message["headers"]
        if self.is_stream and meter:
            meter.streams.inc()

    def ends(self) -> None:
        """The answer is over, or nobody takes it any more."""
        if meter:
            if self.is_stream:
                meter.streams.dec()
            seconds = None if self.is_stream else perf_counter() - self.began
            meter.answered(self._view(), self.request.method, self.status, seconds)

    def _view(self) -> str:
        """By the name of its address; what is answered before Django has none."""
        if self.request.view:
            return self.request.view
        if self.is_stream:
            return "live"
        if self.request.path.startswith(settings.STATIC_URL):
            return "static"
        return "unchanged" if self.status == 304 else "none"


async def _discard(receive: Receive, size: int) -> None:
    while size > 0:
        message = await receive()
        size -= len(message.get("body", b""))
        if not message.get("more_body", False):
            break


def examine(scope: Scope) -> tuple[str, BodyRefused | None]:
    """The id that was sent along, and why the request cannot be read, None if it can."""
    told, size, has_body = "", 0, False
    for name, value in scope["headers"]:
        size += len(name) + len(value)
        if name == b"x-request-id":
            told = value.decode("latin-1")
        elif name == b"content-type" and b"charset" in value.lower() and not is_utf_8(value):
            return told, BodyRefused(415, NOT_READ, message("Send it as UTF-8."))
        elif name in (b"content-length", b"transfer-encoding"):
            has_body = True
        elif name == b"cookie" and (b"\\000" in value or b"\0" in value):
            return told, BodyRefused(400, NOT_READ, STRANGE)
    query = scope["query_string"]
    if size > LONGEST_HEADERS:
        advice = message("Clear this site’s cookies in your browser, then try again.")
        why = BodyRefused(431, message("Too many cookies"), advice)
    elif len(scope["path"]) > LONGEST_PATH or len(query) > LONGEST_QUERY:
        advice = message("Check the link, or start from the home page.")
        why = BodyRefused(414, message("This address is too long"), advice)
    elif "\0" in scope["path"] or b"%00" in query or b"\0" in query or not is_text(scope["path"], query):
        why = BodyRefused(400, NOT_READ, STRANGE)
    elif has_body and scope["method"] in BODILESS and declared_length(scope) != 0:
        why = BodyRefused(413, message("This is too large"), message("This page takes no data."))
    else:
        why = None
    return told, why


NOT_READ = message("This can’t be read")
STRANGE = message("The address or a cookie has a character that Flagship can’t read. Check the link.")


def is_utf_8(content_type: bytes) -> bool:
    """Whether it names no other encoding; Python knows some that are none of text."""
    named = [part.strip() for part in content_type.lower().split(b";")]
    return UTF_8.issuperset(part for part in named if part.startswith(b"charset"))


def is_text(path: str, query: bytes) -> bool:
    """Whether both are UTF-8; half of a surrogate pair is not."""
    if path.isascii() and query.isascii():
        return True
    try:
        path.encode()
        query.decode()
    except UnicodeError:
        return False
    return True
