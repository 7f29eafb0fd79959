"""Django behind ASGI, with one thread for a request from its beginning to its end."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from typing import IO

from django.conf import settings
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.signals import request_started
from django.http import HttpResponseBase
from django.urls import Resolver404, resolve, set_script_prefix
from django.utils import timezone

from tourney.client_address import client_address, forwarded_in

THREADS = 4  # more of them only take the processor from one another
HASHING = frozenset({"sign_in", "password", "set_up", "invitation"})
"""Pages whose forms have a password hashed, which takes a core for a tenth of a second and longer."""
MOST_HASHING, MOST_OF_ONE_ADDRESS = 48, 32
"""So many such forms of all, and of one address, may wait for one another in this process."""
TOO_MANY_WAIT = "flagship.too_many_wait"  # in the scope of a form that was one too many
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

    def __init__(self):
        super().__init__()
        self.threads = ThreadPoolExecutor(THREADS, thread_name_prefix="request")
        self.password_thread = ThreadPoolExecutor(1, thread_name_prefix="password")
        self.waiting: Counter[str] = Counter()

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def __call__(self, scope: dict, receive: Callable, send: Callable) -> None:
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        loop = asyncio.get_running_loop()
        with self._threads_for(scope) as threads:
            response = await loop.run_in_executor(threads, in_one_piece, self._answer, scope, body)
        await self.send_response(response, send)

    @contextmanager
    def _threads_for(self, scope: dict) -> Iterator[ThreadPoolExecutor]:
        """The threads of pages; or the one of passwords, whose forms wait for one another, and no page for them.

        So they take one core at most, and the memory of one hash. Only the event loop counts who waits. One form too
        many is marked in the scope and answered among the pages: that it was not taken.
        """
        if not hashes_a_password(scope):
            yield self.threads
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


def hashes_a_password(scope: dict) -> bool:
    """Whether this request brings a form with a password."""
    if scope["method"] != "POST":
        return False
    try:
        return resolve(scope["path"].removeprefix(scope.get("root_path", ""))).url_name in HASHING
    except Resolver404:
        return False


def _address_in(scope: dict) -> str:
    connection, _ = scope.get("client") or ("", 0)
    return client_address(connection, forwarded_in(scope["headers"]) if settings.HTTPS else None)


async def _each(parts: Iterable[bytes]) -> AsyncIterator[bytes]:
    for part in parts:
        yield part
