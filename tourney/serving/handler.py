"""Django behind ASGI, with one thread for a request from its beginning to its end."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from contextvars import copy_context
from functools import partial
from io import BytesIO
from typing import IO

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.sessions.backends.db import SessionStore
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, ASGIRequest, get_script_prefix
from django.core.signals import request_started
from django.db import DatabaseError, connection
from django.http import (
    Http404,
    HttpRequest,
    HttpResponseBadRequest,
    HttpResponseBase,
    StreamingHttpResponse,
    parse_cookie,
)
from django.urls import Resolver404, ResolverMatch, resolve, set_script_prefix
from django.utils import timezone

from tourney import access
from tourney.runtime import request_log
from tourney.runtime.availability import database
from tourney.runtime.client_address import client_address, forwarded_in
from tourney.runtime.frames import with_preallocated_frames
from tourney.runtime.like_django import headers_of
from tourney.runtime.messages import message
from tourney.runtime.scope import TOO_MANY_WAIT, UNREAD, Receive, Scope, Send
from tourney.serving.bodies import Bodies, BodyLimits, busy

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
HASHING = frozenset({"sign_in", "password", "confirm_yourself", "new_password", "set_up", "invitation", "new_store"})
"""Pages whose forms have a password hashed, which takes a core for a tenth of a second and longer."""
MOST_HASHING, MOST_OF_ONE_ADDRESS = 48, 32
"""So many such forms of all, and of one address, may wait for one another in this process."""
ANOTHER_TRY = 0.7  # seconds for the database to come back, when the page that lost it had only read


class Handler(ASGIHandler):
    """Django's own goes to another thread and back for every middleware, which takes longer than most answers.

    No view here is asynchronous: the streams are answered before (`tourney.serving.live`).
    """

    def __init__(self, limits: BodyLimits | None = None) -> None:
        super().__init__()
        self.threads = ThreadPoolExecutor(settings.PAGE_THREADS, thread_name_prefix="request")
        self.writing_threads = ThreadPoolExecutor(settings.WRITE_THREADS, thread_name_prefix="write")
        self.password_thread = ThreadPoolExecutor(1, thread_name_prefix="password")
        self.waiting: Counter[str] = Counter()
        self.bodies = Bodies(self._is_owner, limits)

    def load_middleware(self, is_async: bool = False) -> None:
        """Build the chain of middleware, which is synchronous throughout."""
        super().load_middleware(is_async=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_read = False
        try:
            async with self.bodies.of(scope, receive) as body:
                is_read = True
                response = await self._respond(scope, body)
        except RequestAborted:
            return
        except OSError as error:  # no room to keep the body in
            if is_read:
                raise
            scope[UNREAD] = error
            response = await self._respond(scope, BytesIO())
        await self.send_response(response, send)  # however slowly it is taken, the body counts no more

    async def _respond(self, scope: Scope, body: IO[bytes]) -> HttpResponseBase:
        with self._threads_for(scope) as threads:
            response = await self._in(threads, self._answer, scope, body)
            # Who waits for the database here holds no thread: all who ask meanwhile wait side by side.
            if getattr(response, "is_worth_another_try", False) and await database.is_back_within(ANOTHER_TRY):
                response = await self._in(threads, self._answer, scope, BytesIO())
            return response

    @contextmanager
    def _threads_for(self, scope: Scope) -> Iterator[ThreadPoolExecutor]:
        """The threads of pages, of forms, or the one of passwords: forms wait for one another, and no page for them.

        Those with a password take one core at most, and the memory of one hash. Only the event loop counts who waits.
        One form too many is marked in the scope and answered among the pages: that it was not taken.
        """
        if not hashes_a_password(scope):
            yield self.threads if scope["method"] in SAFE else self.writing_threads
            return
        who = _address_in(scope)
        if self.waiting.total() >= MOST_HASHING or self.waiting[who] >= MOST_OF_ONE_ADDRESS:
            scope[TOO_MANY_WAIT] = True
            yield self.threads
            return
        self.waiting[who] += 1
        try:
            yield self.password_thread
        finally:
            self.waiting -= Counter([who])  # which forgets an address that has none

    def _in[*Given, Done](
        self, threads: ThreadPoolExecutor, call: Callable[[*Given], Done], *args: *Given
    ) -> Awaitable[Done]:
        """What `call` returns in one of these threads, with what the log knows of the request."""
        run = partial(copy_context().run, lambda: with_preallocated_frames(call, *args))
        return asyncio.get_running_loop().run_in_executor(threads, run)

    async def _is_owner(self, scope: Scope) -> bool:
        """Whether who is signed in owns the store of the address; without a session nobody is asked."""
        cookies = parse_cookie(headers_of(scope).get("cookie", ""))
        try:
            return settings.SESSION_COOKIE_NAME in cookies and await self._in(self.threads, is_owner, scope)
        except DatabaseError as error:
            away = message("The store’s database isn’t answering right now. Try again in a few seconds.")
            raise busy(away) from error

    def _answer(self, scope: Scope, body: IO[bytes]) -> HttpResponseBase:
        """The whole response, whose database connection has been given back."""
        with closing(body):
            set_script_prefix(get_script_prefix(scope))
            timezone.deactivate()  # what the request before had chosen
            request_started.send(sender=self.__class__, scope=scope)
            with closing(self._response(scope, body)) as response:
                if isinstance(response, StreamingHttpResponse) and isinstance(response.streaming_content, Iterable):
                    response.streaming_content = _each(list(response.streaming_content))
                return response

    def _response(self, scope: Scope, body: IO[bytes]) -> HttpResponseBase:
        request, error = self.create_request(scope, body)
        if error or request is None:
            return error or HttpResponseBadRequest()
        return self.get_response(request)

    def resolve_request(self, request: HttpRequest) -> ResolverMatch:
        """Which view answers; from then on the log, the figures and reports of failures know its name."""
        match: ResolverMatch = super().resolve_request(request)
        if known := request_log.current.get():
            known.view = match.view_name
        return match

    def _get_response(self, request: HttpRequest) -> HttpResponseBase:
        if isinstance(request, ASGIRequest) and (error := request.scope.get(UNREAD)):
            raise error
        response: HttpResponseBase = super()._get_response(request)  # type: ignore[misc]  # the stubs leave it out
        return response


def hashes_a_password(scope: Scope) -> bool:
    """Whether this request brings a form with a password."""
    if scope["method"] != "POST":
        return False
    try:
        return resolve(scope["path"].removeprefix(scope.get("root_path", ""))).url_name in HASHING
    except Resolver404:
        return False


def _address_in(scope: Scope) -> str:
    connection, _ = scope.get("client") or ("", 0)
    return client_address(connection, forwarded_in(scope["headers"]) if settings.BEHIND_PROXY else None)


def is_owner(scope: Scope) -> bool:
    """Whether a request, whose body has not been read, is one of an owner of the store that its address names."""
    request = ASGIRequest(scope, BytesIO())
    request.session = SessionStore(request.COOKIES[settings.SESSION_COOKIE_NAME])
    try:
        request.user = get_user(request)
        access.store_for(request, resolve(scope["path"]).kwargs["slug"], *access.OWNERS)
    except Http404:
        return False
    finally:
        timezone.deactivate()
        connection.close()
    return True


async def _each(parts: Iterable[bytes]) -> AsyncIterator[bytes]:
    for part in parts:
        yield part
