"""Streams of news: 2,000 at once, from hosts that are not ours, never read, closed as soon as they are open.

And pages that are asked for and never taken.
"""

import asyncio
import socket
from collections import Counter
from contextlib import suppress

import pytest
from django.urls import reverse

from tests.attack.figures import scaled
from tests.attack.site import Watched, flooded
from tests.attack.wire import head, send
from tests.benchmarks.load import Browser
from tests.support.nights import make_night
from tourney.serving.worker import TAKEN_WITHIN

pytestmark = pytest.mark.django_db(transaction=True)

STREAMS = scaled(2000)
UNTAKEN = scaled(1500)
IN_A_ROW = 20
"""Pages asked for on each of those connections: more than the buffers of the system take."""
OURS = "localhost,127.0.0.1"


def attack_streams(tmp_path, figures):
    found = figures(f"Streams: {STREAMS} of each kind")
    slug = make_night(players=16, rounds=1, open_round=True).event.slug
    path = reverse("live", args=[slug])
    with flooded(tmp_path, reverse("event", args=[slug]), ALLOWED_HOSTS=OURS) as site:
        opened, held = asyncio.run(open_many(site.port, path, STREAMS, hold=5))
        found.say("opened and never read", statuses(opened))
        foreign, _ = asyncio.run(open_many(site.port, path, STREAMS, host="elsewhere.example"))
        found.say("for a host that is not ours", statuses(foreign))
        unknown, _ = asyncio.run(open_many(site.port, "/e/no-such-event/live/", scaled(300)))
        found.say("of an event that is not there", statuses(unknown))
        closed, _ = asyncio.run(open_many(site.port, path, STREAMS, hold=0))
        found.say("closed at once", statuses(closed))
        early = asyncio.run(unchanged_for(site.port, reverse("event", args=[slug]), "elsewhere.example"))
    found.at_least("streams held at once", held, STREAMS)
    found.none("answered to a host that is not ours", [one for one in foreign if one != 400])
    found.none("event page to a host that is not ours", [early] if early != 400 else [])
    found.none("5xx", [one for one in [*opened, *foreign, *unknown, *closed] if one >= 500])
    site.tell(found)
    found.hold()


def attack_streams_of_pages_that_nobody_takes(tmp_path, figures):
    found = figures(f"Pages that nobody takes: {UNTAKEN} connections")
    slug = make_night(players=60, rounds=2, open_round=True).event.slug
    with flooded(tmp_path, reverse("event", args=[slug])) as site:
        before = sum(worker.num_fds() for worker in site.workers)
        held, left = asyncio.run(leave_lying(site, reverse("standings", args=[slug])))
    found.say("held at once", held - before)
    found.at_most(f"still held after {TAKEN_WITHIN // 1000} seconds and a few", left - before, scaled(20))
    site.tell(found)
    found.hold()


async def leave_lying(site: Watched, path: str) -> tuple[int, int]:
    """The open files of the server when all had asked and taken a byte, and those when the time for it was over."""
    loop, free = asyncio.get_running_loop(), asyncio.Semaphore(100)

    async def one() -> socket.socket:
        line = socket.socket()
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        line.setblocking(False)
        async with free:
            await loop.sock_connect(line, ("127.0.0.1", site.port))
            await loop.sock_sendall(line, head("GET", path) * IN_A_ROW)
            await loop.sock_recv(line, 1)
        return line

    def files() -> int:
        return sum(worker.num_fds() for worker in site.workers)

    lines = await asyncio.gather(*(one() for _ in range(UNTAKEN)))
    held = files()
    await asyncio.sleep(TAKEN_WITHIN / 1000 + 15)
    left = files()
    for line in lines:
        line.close()
    return held, left


async def open_many(
    port: int, path: str, many: int, *, host: str = "localhost", hold: float = 0
) -> tuple[list[int], int]:
    """The statuses of so many streams, and how many were open at once at the end."""
    free, open_lines = asyncio.Semaphore(100), []

    async def one() -> int:
        async with free:
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(20):
                    reader, writer = await asyncio.open_connection("127.0.0.1", port)
                    writer.write(head("GET", path, host=host))
                    line = await reader.readline()
                    if hold:
                        open_lines.append(writer)
                    else:
                        writer.close()
                    return int(line.split()[1]) if line else 0
            return -1

    found = await asyncio.gather(*(one() for _ in range(many)))
    await asyncio.sleep(hold)
    held = sum(not writer.is_closing() for writer in open_lines)
    for writer in open_lines:
        writer.close()
    return found, held


async def unchanged_for(port: int, path: str, host: str) -> int:
    """What that host is told of a page whose tag it knows from ours."""
    browser = await Browser.opened(port)
    tag = (await browser.get(path)).headers["etag"]
    browser.writer.close()
    return (await send(port, head("GET", path, f"If-None-Match: {tag}", "Connection: close", host=host))).status


def statuses(found: list[int]) -> str:
    return ", ".join(f"{status}: {times}" for status, times in sorted(Counter(found).items()))
