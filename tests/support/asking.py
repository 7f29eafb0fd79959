"""The whole ASGI application as the server calls it, without the server, which lets less through."""

import asyncio
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.conf import settings
from django.test import Client

from tourney.models import User
from tourney.serving.bodies import BodyLimits
from tourney.serving.front_door import FrontDoor
from tourney.serving.handler import Handler
from tourney.serving.live import Live
from tourney.serving.unchanged import Unchanged
from tourney.views.responses import build_id

NEVER = object()
"""In place of a part of a body: no more of it ever comes."""


@dataclass
class Answer:
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    parts_taken: int = 0

    @property
    def text(self) -> str:
        return self.body.decode()


class Site:
    """The application in a loop of its own, in a thread, as long as the block of `site()` lasts."""

    def __init__(self, limits: BodyLimits | None = None):
        self.handler = Handler(limits)
        self.to_django: list[str] = []  # the paths that it was asked for
        self.unchanged = Unchanged(self._django, build_id)
        self.live = Live(self.unchanged)
        self.application = FrontDoor(self.live)
        self.threads = ThreadPoolExecutor(1)
        self.runner = asyncio.Runner()

    async def _django(self, scope: dict, receive, send) -> None:
        self.to_django.append(scope["path"])
        await self.handler(scope, receive, send)

    def run(self, work):
        return self.threads.submit(self.runner.run, work).result()

    def ask(self, path: str, headers: Iterable[tuple[str, str | bytes]] | dict = (), **how) -> Answer:
        return self.run(self.asked(path, headers, **how))

    async def asked(
        self, path: str, headers=(), *, method="GET", query=b"", body: Iterable[bytes] = (), scheme="http"
    ) -> Answer:
        """The answer; for a stream its first part, after which the page is closed. A body is sent part by part."""
        answer, parts = Answer(), iter(body)
        is_enough = asyncio.Event()

        async def receive() -> dict:
            part = next(parts, None)
            if part is NEVER:
                await asyncio.Event().wait()
            if part is not None:
                answer.parts_taken += 1
                return {"type": "http.request", "body": part, "more_body": True}
            if method != "GET" and not answer.status:
                return {"type": "http.request", "body": b"", "more_body": False}
            await is_enough.wait()
            return {"type": "http.disconnect"}

        async def send(message: dict) -> None:
            if message["type"] == "http.response.start":
                answer.status = message["status"]
                answer.headers = {name.decode().lower(): value.decode("latin-1") for name, value in message["headers"]}
            else:
                answer.body += message.get("body", b"")
                is_enough.set()

        await self.application(self.scope(path, headers, method, query, scheme), receive, send)
        return answer

    @staticmethod
    def scope(path: str, headers=(), method="GET", query=b"", scheme="http") -> dict:
        pairs = list(headers.items() if isinstance(headers, dict) else headers)
        if not any(name == "host" for name, _ in pairs):
            pairs.append(("host", "localhost"))
        coded = [
            (name.encode(), value if isinstance(value, bytes) else value.encode("latin-1")) for name, value in pairs
        ]
        return {
            "type": "http", "http_version": "1.1", "method": method, "scheme": scheme, "path": path,
            "query_string": query, "headers": coded, "client": ("127.0.0.1", 50000), "server": ("127.0.0.1", 8000),
        }  # fmt: skip

    @staticmethod
    def session(user: User) -> tuple[str, str]:
        """The header of a device on which this user is signed in."""
        client = Client()
        client.force_login(user)
        return "cookie", f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"

    def close(self) -> None:
        self.run(self._close())
        self.threads.submit(self.runner.close).result()
        self.threads.shutdown()
        self.handler.threads.shutdown()
        self.handler.password_thread.shutdown()

    async def _close(self) -> None:
        if self.live.listener:
            self.live.listener.cancel()
            await asyncio.gather(self.live.listener, return_exceptions=True)
        if self.unchanged.versions.connection:
            await self.unchanged.versions.connection.close()


@contextmanager
def site(limits: BodyLimits | None = None) -> Iterator[Site]:
    made = Site(limits)
    try:
        yield made
    finally:
        made.close()
