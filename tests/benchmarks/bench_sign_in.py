"""What the event page takes while 30 people sign in at the same moment, each of them from a network of its own or not.

Hashing passwords is slow on purpose; the phones in the room must not notice it.
"""

import asyncio
import re
from http.cookies import SimpleCookie
from pathlib import Path
from random import choice
from statistics import quantiles
from time import perf_counter
from urllib.parse import urlencode

import psutil
import pytest
from django.contrib.auth.hashers import make_password
from django.test import override_settings
from django.urls import reverse

from tests.benchmarks.bench_live import cookies_of, night_in_play, served, two_cores
from tests.benchmarks.bench_night import milliseconds, table
from tests.benchmarks.load import Browser
from tests.support.factories import PASSWORD
from tests.support.serving import Running
from tourney.models import User

SIGN_INS = 30
READERS = 20  # a second: 64 phones that ask every three seconds
PAUSE = 0.025  # seconds until the workers are weighed again
MOST = 0.3  # seconds for the event page, of 95 in a hundred
TOO_MUCH = 300 * 2**20  # bytes of one worker
HASHERS = {
    "Argon2": "tourney.runtime.passwords.Argon2",
    "PBKDF2, upgraded": "django.contrib.auth.hashers.PBKDF2PasswordHasher",
}

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures(two_cores.__name__)]


def bench_thirty_sign_ins_at_once(tmp_path: Path):
    rows = [("hashes of before", "signed in", "all done", "event page p50", "p95", "most", "largest worker")]
    slowest = []
    for name, hasher in HASHERS.items():
        event = night_in_play(64)
        names = users(name[0], hasher)
        cookies = cookies_of(event)
        with served(tmp_path) as (running, port):
            statuses, whole, taken, size = asyncio.run(
                measured(running, port, reverse("event", args=[event.slug]), cookies, names)
            )
        cuts = quantiles(taken, n=20)
        slowest.append(cuts[18])
        assert size < TOO_MUCH
        said = ", ".join(f"{statuses.count(status)} × {status}" for status in sorted(set(statuses)))
        row = (milliseconds(whole), *map(milliseconds, (cuts[9], cuts[18], max(taken))), f"{size / 2**20:.0f} MB")
        rows.append((name, said, *row))
    table(f"{SIGN_INS} sign-ins at once, {READERS} phones a second ask for the event page", rows)
    assert max(slowest) < MOST


def users(letter: str, hasher: str) -> list[str]:
    with override_settings(PASSWORD_HASHERS=[hasher]):
        hashed = make_password(PASSWORD)
    names = [f"{letter}-{number}" for number in range(SIGN_INS)]
    User.objects.bulk_create(User(username=name, password=hashed) for name in names)
    return names


async def measured(
    running: Running, port: int, path: str, cookies: list[str], names: list[str]
) -> tuple[list[int], float, list[float], int]:
    """How each sign-in was answered, the seconds until the last, those of each event page, and the most memory."""
    taken, enough, sizes = [], asyncio.Event(), []

    async def read() -> None:
        """A phone asks at its time, however long the answers before it take."""
        start = perf_counter()
        browser = await Browser.opened(port)
        answer = await browser.get(path, Cookie=choice(cookies))
        taken.append(perf_counter() - start)
        assert answer.status == 200, answer
        await browser.close()

    async def keep_reading() -> None:
        asked = []
        while not enough.is_set():
            asked.append(asyncio.create_task(read()))
            await asyncio.sleep(1 / READERS)
        await asyncio.gather(*asked)

    async def weigh() -> None:
        workers = psutil.Process(running.process.pid).children(recursive=True)
        while not enough.is_set():
            sizes.extend(worker.memory_info().rss for worker in workers if worker.is_running())
            await asyncio.sleep(PAUSE)

    doors = await asyncio.gather(*(door(port) for _ in names))
    reading = [asyncio.create_task(keep_reading()), asyncio.create_task(weigh())]
    await asyncio.sleep(1)
    taken.clear()
    start = perf_counter()
    statuses = await asyncio.gather(*(sign_in(*one, name) for one, name in zip(doors, names, strict=True)))
    whole = perf_counter() - start
    enough.set()
    await asyncio.gather(*reading)
    return list(statuses), whole, taken, max(sizes)


async def door(port: int) -> tuple[Browser, str, str]:
    """A browser at the sign-in, its cookies, and the token of the form."""
    browser = await Browser.opened(port)
    answer = await browser.get(reverse("sign_in"), Accept_Encoding="identity")
    cookie = SimpleCookie(answer.headers["set-cookie"])
    token = re.search(rb'csrfmiddlewaretoken" value="(\w+)"', answer.body)[1].decode()
    return browser, "; ".join(f"{name}={one.value}" for name, one in cookie.items()), token


async def sign_in(browser: Browser, cookie: str, token: str, name: str) -> int:
    form = {"csrfmiddlewaretoken": token, "username": name, "password": PASSWORD}
    answer = await browser.post(reverse("sign_in"), urlencode(form), Cookie=cookie)
    await browser.close()
    return answer.status
