"""304 before Django: a page that asks again for what it has is told so for the price of one small query.

Any other page is left to Django, which is told (`SEEN`) what that query found: id and version of the event.

The ETag of a page of an event (`views.shell.live`) is the event with its version and a digest of all else the page
depends on: the installation, the address, the part, and whose card the device holds. So a request alone tells of which
version the page is that the device has. Who has signed in is left to Django, which knows the roles.
"""

import asyncio
import re
from collections.abc import Callable, Mapping
from hashlib import sha256

import psycopg
from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.http import parse_cookie

from tourney.live import Application, database_address

ADDRESS = re.compile(r"/e/(?P<slug>[-a-zA-Z0-9_]+)/")
TAG = re.compile(r'(?:W/)?"(?P<tag>(?P<event>\d+)-(?P<version>\d+)-[0-9a-f]+)"')
VARY = "Cookie, HX-Request, HX-Target"
NAME = "flagship versions"  # of the connection, for who looks at the database
SEEN = "flagship.event"  # in the scope: id and version of the event that the address names, as the database has them
LEFT_TO_DJANGO = {"hx-target-uri-autoencoded", "hx-history-restore-request"}  # headers of rare requests
PATIENCE = 2  # seconds for the database; after that Django asks it, and for so long nobody waits here again


def tag_of(event: int, version: int, build: str, address: str, target: str, viewer: str) -> str:
    """The ETag of a part of that event; `address` with its query, `viewer` as `cards_in` or a role says it."""
    key = repr((build, address, target, viewer))
    return f"{event}-{version}-{sha256(key.encode()).hexdigest()[:20]}"


def cards_in(cookies: Mapping[str, str]) -> str:
    """The cards that a device holds, and the secret that its forms carry, which signing in makes another.

    The keys say who it is; a card that was given anew leads to another version.
    """
    own = settings.CSRF_COOKIE_NAME
    return repr(sorted((name, value) for name, value in cookies.items() if name.startswith("card-") or name == own))


class Versions:
    """Id and version of events as the database has them: all that are wanted at one moment in one query."""

    def __init__(self):
        self.line: psycopg.AsyncConnection | None = None
        self.wanted: dict[str, asyncio.Future[tuple[int, int] | None]] = {}
        self.asking: asyncio.Task | None = None
        self.silent_until = 0.0

    async def of(self, slug: str) -> tuple[int, int] | None:
        """Those of now; None if there is no such event, or no answer."""
        if asyncio.get_running_loop().time() < self.silent_until:
            return None
        if slug not in self.wanted:
            self.wanted[slug] = asyncio.get_running_loop().create_future()
        answer = self.wanted[slug]
        if self.asking is None or self.asking.done():
            self.asking = asyncio.create_task(self._ask())
        return await asyncio.shield(answer)

    async def _ask(self) -> None:
        while self.wanted:
            wanted, self.wanted = self.wanted, {}
            versions = {}
            try:
                async with asyncio.timeout(PATIENCE):
                    versions = await self._versions_of(list(wanted))
            except TimeoutError:
                self.line, self.silent_until = None, asyncio.get_running_loop().time() + PATIENCE
            except (psycopg.Error, OSError):
                self.line = None
            finally:
                for slug, answer in wanted.items():
                    answer.set_result(versions.get(slug))

    async def _versions_of(self, slugs: list[str]) -> dict[str, tuple[int, int]]:
        if self.line is None or self.line.closed:
            self.line = await psycopg.AsyncConnection.connect(
                **database_address(), application_name=NAME, autocommit=True
            )
        found = await self.line.execute("SELECT slug, id, version FROM tourney_event WHERE slug = ANY(%s)", [slugs])
        return {slug: (event, version) async for slug, event, version in found}


class Unchanged:
    """An ASGI application that answers what has not changed and leaves the rest to another."""

    def __init__(self, application: Application, build: Callable[[], str]):
        self.application = application
        self.build = build
        self.versions = Versions()

    async def __call__(self, scope: dict, receive: Callable, send: Callable) -> None:
        if tag := await self._unchanged(scope):
            headers = [("etag", tag), ("cache-control", "no-cache, private"), ("vary", VARY)]
            told = [(name.encode(), value.encode()) for name, value in headers]
            await send({"type": "http.response.start", "status": 304, "headers": told})
            return await send({"type": "http.response.body"})
        return await self.application(scope, receive, send)

    async def _unchanged(self, scope: dict) -> str | None:
        """The ETag if the page that is asked for is the one this device has. Otherwise the scope says what was seen."""
        found = ADDRESS.match(scope["path"]) if scope["type"] == "http" and scope["method"] == "GET" else None
        headers = {name.decode(): value.decode("latin-1") for name, value in scope["headers"]} if found else {}
        cookies = parse_cookie(headers.get("cookie", ""))
        if found is None or settings.SESSION_COOKIE_NAME in cookies or CookieStorage.cookie_name in cookies:
            return None
        scope[SEEN] = now = await self.versions.of(found["slug"])
        known = TAG.fullmatch(headers.get("if-none-match", ""))
        if known is None or LEFT_TO_DJANGO & headers.keys() or now != (int(known["event"]), int(known["version"])):
            return None
        address = f"{scope['path']}?{scope['query_string'].decode('latin-1')}"
        target = headers.get("hx-target", "") if headers.get("hx-request") == "true" else ""
        tag = tag_of(*now, self.build(), address, target, cards_in(cookies))
        return f'W/"{tag}"' if tag == known["tag"] else None
