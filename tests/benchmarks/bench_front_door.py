"""What it costs to be told, before Django, that a page has not changed: processor time by the whole application."""

import asyncio
from statistics import median
from time import process_time

import pytest
from django.urls import reverse

from tests.benchmarks.bench_night import table
from tests.support.nights import make_night
from tourney.serving.front_door import FrontDoor

ASKED, TIMES = 2000, 7
PHONE = {
    "host": "flagship.example",
    "user-agent": "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Mobile",
    "accept": "*/*",
    "accept-encoding": "gzip, deflate",
    "accept-language": "en-GB,en;q=0.9",
    "referer": "http://flagship.example/e/a-night/",
    "hx-request": "true",
    "hx-target": "now",
}

pytestmark = pytest.mark.django_db(transaction=True)


def bench_an_early_304():
    path = reverse("event", args=[make_night(players=8).event.slug])
    taken = asyncio.run(early(path))
    table(
        "Processor time of an early 304, the question to the database included", [("median", f"{taken * 1e6:.0f} µs")]
    )


async def early(path: str) -> float:
    """Seconds for each."""
    from tourney.serving.asgi import make  # with the settings of the tests

    application = make()
    _, headers = await ask(application, path, PHONE)
    phone = PHONE | {"if-none-match": headers["etag"]}
    rounds = []
    for _ in range(TIMES):
        begun = process_time()
        for _ in range(ASKED):
            status, _ = await ask(application, path, phone)
            assert status == 304
        rounds.append((process_time() - begun) / ASKED)
    await application.application.application.versions.connection.close()
    return median(rounds)


async def ask(application: FrontDoor, path: str, headers: dict[str, str]) -> tuple[int, dict[str, str]]:
    told = []

    async def receive() -> dict:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict) -> None:
        told.append(message)

    scope = {
        "type": "http", "http_version": "1.1", "method": "GET", "scheme": "http", "path": path, "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 50000), "server": ("127.0.0.1", 8000),
    }  # fmt: skip
    await application(scope, receive, send)
    return told[0]["status"], {name.decode().lower(): value.decode() for name, value in told[0]["headers"]}
