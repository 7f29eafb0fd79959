"""One thread for a request, and forms with a password in a thread of their own."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from django.test import override_settings
from django.urls import reverse

from tourney.serving import handler
from tourney.serving.handler import TOO_MANY_WAIT, Handler


def form(path: str, *, method: str = "POST", address: str = "192.168.1.20", **more) -> dict:
    empty = {"type": "http", "query_string": b"", "headers": [(b"host", b"localhost")]}
    return empty | {"method": method, "path": path, "client": (address, 50_000)} | more


def thread_of(one: Handler, scope: dict) -> str:
    with one._threads_for(scope) as threads:
        return threads._thread_name_prefix


KEY = ["A" * 22]
DOORS = (
    *(reverse(name) for name in ("sign_in", "password", "confirm_yourself")),
    *(reverse(name, args=KEY) for name in ("set_up", "invitation", "new_password")),
)


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


@override_settings(BEHIND_PROXY=True)
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
