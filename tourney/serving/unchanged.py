"""304 before Django: a page that asks again for what it has is told so for the price of one small query.

Any other page is left to Django, which is told (`EVENT_VERSION`) what that query found: id and version of the event.

The ETag of a page of an event (`views.responses.live`) is the event with its version and a digest of all else the page
depends on: the installation, the address, the part, the language, and whose card the device holds. So a request alone
tells of which version the page is that the device has. Who has signed in is left to Django, which knows the roles.
"""

import asyncio
import re
from collections.abc import Callable
from contextvars import Context

import psycopg
from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.http import parse_cookie

from tourney.runtime.availability import database, hang_up
from tourney.runtime.bus import database_address
from tourney.runtime.etag import TAG, cards_in, tag_of
from tourney.runtime.language import language_of
from tourney.runtime.like_django import Headers, LikeDjango, headers_of
from tourney.runtime.scope import EVENT_VERSION, Application, Receive, Scope, Send

ADDRESS = re.compile(r"/e/(?P<slug>[-a-zA-Z0-9_]{1,100})/")
ALWAYS = [(b"cache-control", b"no-cache, private"), (b"vary", b"Accept-Language, Cookie, HX-Request, HX-Target")]
NAME = "flagship versions"  # of the connection, for who looks at the database
LEFT_TO_DJANGO = {"hx-target-uri-autoencoded", "hx-history-restore-request"}  # headers of rare requests
PATIENCE = 1  # seconds for the database; after that Django asks it, and for so long nobody waits here again


class Versions:
    """Id and version of events as the database has them: all that are wanted at one moment in one query."""

    def __init__(self) -> None:
        self.connection: psycopg.AsyncConnection | None = None
        self.wanted: dict[str, asyncio.Future[tuple[int, int] | None]] = {}
        self.asking: asyncio.Task[None] | None = None
        self.silent_until = 0.0

    async def of(self, slug: str) -> tuple[int, int] | None:
        """Those of now; None if there is no such event, or no answer."""
        if database.is_away or asyncio.get_running_loop().time() < self.silent_until:
            return None
        if slug not in self.wanted:
            self.wanted[slug] = asyncio.get_running_loop().create_future()
        answer = self.wanted[slug]
        if self.asking is None or self.asking.done():
            self.asking = asyncio.create_task(self._ask(), context=Context())  # of no request
        return await asyncio.shield(answer)

    async def _ask(self) -> None:
        while self.wanted:
            wanted, self.wanted = self.wanted, {}
            versions: dict[str, tuple[int, int]] = {}
            asking = asyncio.create_task(self._versions_of(list(wanted)))
            try:
                done, _ = await asyncio.wait({asking}, timeout=PATIENCE)
                if done:
                    versions = asking.result()
                else:
                    self._give_up(asking)
            except (psycopg.Error, OSError):
                self.connection = None
            finally:
                for slug, answer in wanted.items():
                    answer.set_result(versions.get(slug))

    def _give_up(self, asking: asyncio.Task[dict[str, tuple[int, int]]]) -> None:
        """Hang up: a query that is cancelled would wait once more, for the database to say that it ended it."""
        self.silent_until = asyncio.get_running_loop().time() + PATIENCE
        asking.add_done_callback(lambda task: task.cancelled() or task.exception())  # nobody waits for it any more
        if self.connection is not None:
            hang_up(self.connection)
            self.connection = None

    async def _versions_of(self, slugs: list[str]) -> dict[str, tuple[int, int]]:
        if self.connection is None or self.connection.closed:
            self.connection = await psycopg.AsyncConnection.connect(
                **database_address(), application_name=NAME, autocommit=True
            )
        found = await self.connection.execute(
            "SELECT slug, id, version FROM tourney_event WHERE slug = ANY(%s) AND deleted_at IS NULL", [slugs]
        )
        return {slug: (event, version) async for slug, event, version in found}


class Unchanged:
    """An ASGI application that answers what has not changed and leaves the rest to another."""

    def __init__(self, application: Application, build: Callable[[], str]) -> None:
        self.application = application
        self.like_django = LikeDjango()
        self.build = build
        self.versions = Versions()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if told := await self._unchanged(scope):
            await send({"type": "http.response.start", "status": 304, "headers": told})
            await send({"type": "http.response.body"})
        else:
            await self.application(scope, receive, send)

    async def _unchanged(self, scope: Scope) -> Headers | None:
        """The headers of a 304 if the page that is asked for is the one this device has.

        Otherwise the scope says what was seen.
        """
        found = ADDRESS.match(scope["path"]) if scope["type"] == "http" and scope["method"] == "GET" else None
        headers = headers_of(scope) if found else {}
        cookies = parse_cookie(headers.get("cookie", ""))
        shared = self.like_django.headers(scope, headers) if found else None
        if (
            found is None
            or shared is None
            or settings.SESSION_COOKIE_NAME in cookies
            or CookieStorage.cookie_name in cookies
        ):
            return None
        scope[EVENT_VERSION] = now = await self.versions.of(found["slug"])
        known = TAG.fullmatch(headers.get("if-none-match", ""))
        if known is None or LEFT_TO_DJANGO & headers.keys() or now is None:
            return None
        if now != (int(known["event"]), int(known["version"])):
            return None
        address = f"{scope['path']}?{scope['query_string'].decode('latin-1')}"
        target = headers.get("hx-target", "") if headers.get("hx-request") == "true" else ""
        language = language_of(cookies, headers.get("accept-language", ""))
        tag = tag_of(*now, self.build(), address, target, cards_in(cookies), language)
        return [(b"etag", f'W/"{tag}"'.encode()), *ALWAYS, *shared] if tag == known["tag"] else None
