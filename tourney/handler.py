"""Django behind ASGI, with one thread for a request from its beginning to its end."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from io import BytesIO
from typing import IO

from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.signals import request_started
from django.http import HttpRequest, HttpResponseBase
from django.urls import set_script_prefix
from django.utils import timezone

from tourney.availability import database

THREADS = 4  # more of them only take the processor from one another
ANOTHER_TRY = 0.7  # seconds for the database to come back, when the page that lost it had only read
UNREAD = "flagship.unread"  # in the scope: why the body could not be read
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

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def __call__(self, scope: dict, receive: Callable, send: Callable) -> None:
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        except OSError as error:  # no room to keep it in
            scope[UNREAD], body = error, BytesIO()
        loop = asyncio.get_running_loop()
        await self.send_response(
            await loop.run_in_executor(self.threads, in_one_piece, self._answer, scope, body), send
        )

    def _answer(self, scope: dict, body: IO[bytes]) -> HttpResponseBase:
        """The whole response, whose database connection has been given back."""
        with closing(body):
            set_script_prefix(get_script_prefix(scope))
            timezone.deactivate()  # what the request before had chosen
            request_started.send(sender=self.__class__, scope=scope)
            response = self._response(scope, body)
            if getattr(response, "is_worth_another_try", False) and database.answers_within(ANOTHER_TRY):
                response.close()
                response = self._response(scope, body)
            with closing(response):
                if response.streaming:
                    response.streaming_content = _each(list(response.streaming_content))
                return response

    def _response(self, scope: dict, body: IO[bytes]) -> HttpResponseBase:
        request, error = self.create_request(scope, body)
        return error or self.get_response(request)

    def _get_response(self, request: HttpRequest) -> HttpResponseBase:
        if error := request.scope.get(UNREAD):
            raise error
        return super()._get_response(request)


async def _each(parts: Iterable[bytes]) -> AsyncIterator[bytes]:
    for part in parts:
        yield part
