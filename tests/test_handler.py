"""One thread for a request: its frames in one piece of memory, and forms with a password in a thread of their own."""

import asyncio
import resource
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from django.test import override_settings
from django.urls import reverse

from tourney.serving import handler
from tourney.serving.handler import TOO_MANY_WAIT, Handler, with_preallocated_frames

CALLS = 2000
WHOSE = getattr(resource, "RUSAGE_THREAD", resource.RUSAGE_SELF)


def most_taken(run: Callable) -> int:
    """How many pages of memory the system hands out while a loop calls something: the most at any depth."""
    return max(run(deep, depth) for depth in range(300))


def deep(depth: int) -> int:
    return deep(depth - 1) if depth else loop()


def loop() -> int:
    before = resource.getrusage(WHOSE).ru_minflt
    for number in range(CALLS):
        called(number)
    return resource.getrusage(WHOSE).ru_minflt - before


def called(number: int) -> int:
    """With a larger frame than `deep` has, so that it meets the end of a piece at some depth."""
    a = b = c = d = e = f = g = h = i = j = k = m = n = o = p = q = r = s = t = number
    return max(a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t)


def test_no_loop_takes_memory_with_each_call():
    assert most_taken(with_preallocated_frames) < CALLS // 10


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="known of Python 3.12 and 3.13")
def test_without_that_some_loop_does():
    assert most_taken(lambda call, depth: call(depth)) >= CALLS


def test_what_is_called_gets_its_arguments_and_its_answer_comes_back():
    assert with_preallocated_frames(sorted, [2, 3, 1], reverse=True) == [3, 2, 1]


# forms with a password


def form(path: str, *, method: str = "POST", address: str = "192.168.1.20", **more) -> dict:
    empty = {"type": "http", "query_string": b"", "headers": [(b"host", b"localhost")]}
    return empty | {"method": method, "path": path, "client": (address, 50_000)} | more


def thread_of(one: Handler, scope: dict) -> str:
    with one._threads_for(scope) as threads:
        return threads._thread_name_prefix


KEY = ["A" * 22]
DOORS = (reverse("sign_in"), reverse("password"), reverse("set_up", args=KEY), reverse("invitation", args=KEY))


@pytest.mark.parametrize("path", DOORS)
def test_a_form_with_a_password_waits_for_no_page_and_no_page_for_it(path):
    assert thread_of(Handler(), form(path)) == "password"
    assert thread_of(Handler(), form(path, method="GET")) == "request"
    assert thread_of(Handler(), form(f"/tonight{path}", root_path="/tonight")) == "password"


@pytest.mark.parametrize("path", [reverse("card", args=KEY), reverse("sign_out"), "/", "/nowhere/", "/e/x/join/"])
def test_no_page_waits_with_other_forms(path):
    assert thread_of(Handler(), form(path)) == "write"
    assert thread_of(Handler(), form(path, method="GET")) == "request"


def test_one_address_does_not_take_all_places_of_those_who_wait():
    with ExitStack() as waiting:
        one = Handler()
        for _ in range(handler.MOST_OF_ONE_ADDRESS):
            waiting.enter_context(one._threads_for(form(DOORS[0])))

        assert thread_of(one, form(DOORS[0])) == "request"
        assert thread_of(one, form(DOORS[0], address="192.168.1.21")) == "password"
    assert thread_of(one, form(DOORS[0])) == "password"
    assert not one.waiting


def test_there_is_an_end_to_those_who_wait():
    with ExitStack() as waiting:
        one = Handler()
        for number in range(handler.MOST_HASHING):
            waiting.enter_context(one._threads_for(form(DOORS[0], address=f"192.168.1.{number}")))

        assert thread_of(one, form(DOORS[0], address="10.0.0.1")) == "request"


@override_settings(HTTPS=True)
def test_behind_a_proxy_its_last_word_says_who_waits():
    with ExitStack() as waiting:
        one = Handler()
        for number in range(handler.MOST_OF_ONE_ADDRESS):
            headers = [(b"x-forwarded-for", b"10.0.0.%d, 203.0.113.7" % number)]
            waiting.enter_context(one._threads_for(form(DOORS[0], headers=headers)))

        assert set(one.waiting) == {"203.0.113.7"}


@pytest.mark.parametrize("path", DOORS)
def test_a_form_too_many_is_told_to_come_back(path):
    one, sent = Handler(), []
    one.load_middleware()

    async def receive() -> dict:
        return {"type": "http.request", "body": b"username=quill&password=wrong"}

    async def send(message: dict) -> None:
        sent.append(message)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(handler, "MOST_HASHING", 0)
        with ThreadPoolExecutor(1) as thread:  # where no browser's event loop runs
            thread.submit(asyncio.run, one(scope := form(path), receive, send)).result()

    headers = dict(sent[0]["headers"])
    assert (sent[0]["status"], headers[b"Retry-After"], scope[TOO_MANY_WAIT]) == (503, b"10", True)
    assert b"Content-Security-Policy" in headers
    assert b"Nothing changed. Go back, wait a few seconds, and send the form again." in sent[1]["body"]
