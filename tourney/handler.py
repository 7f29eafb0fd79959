"""Django behind ASGI, with one thread for a request from its beginning to its end."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from contextvars import copy_context
from io import BytesIO
from typing import IO

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.sessions.backends.db import SessionStore
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, ASGIRequest, get_script_prefix
from django.core.signals import request_started
from django.db import connection
from django.http import Http404, HttpResponseBase, parse_cookie
from django.urls import resolve, set_script_prefix
from django.utils import timezone

from tourney import access
from tourney.bodies import Bodies, Limits
from tourney.like_django import headers_of

THREADS = 4  # more of them only take the processor from one another
ROOM = 16_384
"""Slots of a frame: 128 kB of a piece of 256 kB, whose other half is deep enough for every page."""


def in_one_piece[**Given, Done](call: Callable[Given, Done], *args: Given.args, **options: Given.kwargs) -> Done:
    """What `call` returns, with room for all frames inside it.

    Python takes the memory for frames in pieces of 16 kB. A loop whose calls are the first in a new piece has the
    system give and take that piece each time: the same table of 500 rows takes 180 ms instead of 65, where the frames
    around it happen to fill a piece. A frame that needs more gets a larger piece, and those inside are in there too.
    """
    return call(*args, **options)


in_one_piece.__code__ = in_one_piece.__code__.replace(co_stacksize=ROOM)


class Handler(ASGIHandler):
    """Django's own goes to another thread and back for every middleware, which takes longer than most answers.

    No view here is asynchronous: the streams are answered before (`tourney.live`).
    """

    def __init__(self, limits: Limits | None = None):
        super().__init__()
        self.threads = ThreadPoolExecutor(THREADS, thread_name_prefix="request")
        self.bodies = Bodies(self._is_owner, limits)

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def __call__(self, scope: dict, receive: Callable, send: Callable) -> None:
        try:
            async with self.bodies.of(scope, receive) as body:
                response = await self._in_thread(self._answer, scope, body)
                await self.send_response(response, send)
        except RequestAborted:
            return

    def _in_thread[**Given, Done](self, call: Callable[Given, Done], *args: Given.args) -> Awaitable[Done]:
        """With what the log knows of the request."""
        run = copy_context().run
        return asyncio.get_running_loop().run_in_executor(self.threads, run, in_one_piece, call, *args)

    async def _is_owner(self, scope: dict) -> bool:
        """Whether who is signed in owns the store of the address; without a session nobody is asked."""
        cookies = parse_cookie(headers_of(scope).get("cookie", ""))
        return settings.SESSION_COOKIE_NAME in cookies and await self._in_thread(is_owner, scope)

    def _answer(self, scope: dict, body: IO[bytes]) -> HttpResponseBase:
        """The whole response, whose database connection has been given back."""
        with closing(body):
            set_script_prefix(get_script_prefix(scope))
            timezone.deactivate()  # what the request before had chosen
            request_started.send(sender=self.__class__, scope=scope)
            request, error = self.create_request(scope, body)
            with closing(error or self.get_response(request)) as response:
                if response.streaming:
                    response.streaming_content = _each(list(response.streaming_content))
                return response


def is_owner(scope: dict) -> bool:
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
