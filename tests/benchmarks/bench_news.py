"""How soon phones show what was just published, and what it takes: each asks for its part, or the stream brings it.

The server, its database, and all phones share two cores, where the system can be told so. What phones do with a part
(unpack, swap) is their own matter, and is looked at after the clock has stopped.
"""

import asyncio
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, process_time
from urllib.parse import urlencode

import psutil
import pytest
from django.conf import settings
from django.urls import reverse

from tests.benchmarks.bench_live import cookies_of, in_thread, night_in_play, served, two_cores  # noqa: F401
from tests.benchmarks.bench_night import milliseconds, table
from tests.benchmarks.load import Browser, all_at_once
from tests.support.nights import BY
from tests.support.serving import Running
from tests.support.tables import on_time
from tourney.actions import results, rounds
from tourney.models import Event
from tourney.queries.state import state_of

ROUNDS = 4
STORES, AT_A_STORE = 20, 50
WAYS = ("asked", "brought") * 2
SECRET = "a" * 32
END_OF_PART = b"\0\0\xff\xff\r\n"
"""The end of what is flushed on a compressed stream, and of the chunk that it comes in."""

pytestmark = pytest.mark.django_db(transaction=True)


class Phone(asyncio.Protocol):
    """A page that holds the stream which brings its part: it keeps what comes, and the moment when it was whole."""

    def __init__(self) -> None:
        self.came = bytearray()
        self.begun = asyncio.get_running_loop().create_future()
        self.shown: asyncio.Future[float] | None = None

    def data_received(self, data: bytes) -> None:
        self.came += data
        if self.came.endswith(END_OF_PART):
            waiting = self.shown or self.begun
            if not waiting.done():
                waiting.set_result(perf_counter())

    def next_part(self) -> asyncio.Future[float]:
        self.came.clear()
        self.shown = asyncio.get_running_loop().create_future()
        return self.shown

    def text(self) -> str:
        """What came since, as the browser reads it."""
        chunks, rest = b"", bytes(self.came)
        while rest:
            size, _, rest = rest.partition(b"\r\n")
            chunks, rest = chunks + rest[: int(size, 16)], rest[int(size, 16) + 2 :]
        return zlib.decompressobj(-15).decompress(chunks).decode()


@dataclass
class Room:
    """Phones at one event, all on the same page; `brought` are those to which the stream brings the part."""

    event: Event
    port: int
    page: str
    part: str
    cookies: list[str]
    brought: list[Phone] = field(default_factory=list)
    asking: list[Browser] = field(default_factory=list)

    @property
    def path(self) -> str:
        return reverse(self.page, args=[self.event.slug])

    async def open(self, way: str) -> None:
        """Hold the stream on every phone, and have each page asked for once."""
        await all_at_once([partial(self._ask, cookie) for cookie in self.cookies])
        if way == "brought":
            self.brought = await all_at_once([partial(self._phone, cookie) for cookie in self.cookies])
        else:
            self.asking = await all_at_once([self._browser for _ in self.cookies])

    async def next(self) -> list[float]:
        """When each phone has the next part."""
        if self.brought:
            return await asyncio.gather(*(phone.next_part() for phone in self.brought))
        pairs = zip(self.asking, self.cookies, strict=True)
        return await asyncio.gather(*(self._told(browser, cookie) for browser, cookie in pairs))

    async def close(self) -> None:
        for phone in self.brought:
            phone.transport.close()
        for browser in self.asking:
            await browser.close()

    async def _phone(self, cookie: str) -> Phone:
        loop = asyncio.get_running_loop()
        phone_transport, phone = await loop.create_connection(Phone, "127.0.0.1", self.port)
        phone.transport = phone_transport
        stream = f"{reverse('live', args=[self.event.slug])}?{urlencode({'of': self.path})}"
        lines = [f"GET {stream} HTTP/1.1", "Host: localhost", "Accept-Encoding: gzip", f"Cookie: {cookie}", "", ""]
        phone_transport.write("\r\n".join(lines).encode())
        await phone.begun
        return phone

    async def _browser(self) -> Browser:
        browser = await Browser.opened(self.port)
        await browser.start(reverse("live", args=[self.event.slug]))
        await browser.next_version()
        return browser

    async def _told(self, browser: Browser, cookie: str) -> float:
        await browser.next_version()
        return await self._ask(cookie)

    async def _ask(self, cookie: str) -> float:
        browser = await Browser.opened(self.port)
        answer = await browser.get(self.path, HX_Request="true", HX_Target=self.part, Cookie=cookie)
        end = perf_counter()
        assert answer.status == 200, answer
        await browser.close()
        return end


@dataclass(frozen=True, slots=True)
class Taken:
    """Seconds from the press until each phone has its part, and of processors: server, database, phones."""

    phones: list[float]
    pressed: float
    server: float
    database: float
    generator: float

    @property
    def row(self) -> tuple[str, ...]:
        cuts = quantiles(self.phones, n=20)
        wall = map(milliseconds, (self.pressed, cuts[9], cuts[18], max(self.phones)))
        each = (self.server, self.database, self.generator)
        return (*wall, *(f"{seconds / len(self.phones) * 1000:.2f}" for seconds in each))


COLUMNS = ("published", "p50", "p95", "last", "server", "database", "phones")


async def measured(running: Running, presses: list[tuple[Room, Callable[[], object]]]) -> Taken:
    """From the press at each event, one after the other, to the part on every phone of that event."""
    waiting = [asyncio.create_task(room.next()) for room, _ in presses]
    await asyncio.sleep(0.2)  # each listens
    before = processors(running)
    times = await asyncio.to_thread(in_thread, lambda: [timed(act) for _, act in presses])
    ends = [await room for room in waiting]
    spent = [now - then for now, then in zip(processors(running), before, strict=True)]
    phones = [end - start for (start, _), room in zip(times, ends, strict=True) for end in room]
    return Taken(phones, median(end - start for start, end in times), *spent)


def timed(act: Callable[[], object]) -> tuple[float, float]:
    start = perf_counter()
    act()
    return start, perf_counter()


def processors(running: Running) -> tuple[float, float, float]:
    """Seconds so far of the server's processes, of the database's for all, and of this process with its phones."""
    server = psutil.Process(running.process.pid)
    database = next(one for one in psutil.Process().children(recursive=True) if "postgres" in one.name())
    times = [sum(sum(one.cpu_times()[:2]) for one in with_children(main)) for main in (server, database)]
    return times[0], times[1], process_time()


def with_children(process: psutil.Process) -> list[psutil.Process]:
    return [process, *process.children(recursive=True)]


def report_next(event: Event) -> None:
    """The result of one table that still plays."""
    match = state_of(event).last_round.missing[0]
    results.report_result(event, ROUNDS, match.table, results.ResultInput(on_time(60, 10)), version=0, by=BY)


def cards_of(event: Event) -> list[str]:
    """What the phones send: their card, and the secret of their forms."""
    return [f"{card}; {settings.CSRF_COOKIE_NAME}={SECRET}" for card in cookies_of(event)]


@pytest.mark.parametrize(("page", "part"), [("me", "card"), ("event", "now")])
@pytest.mark.parametrize("phones", [500, 1000])
def bench_one_room(tmp_path: Path, phones: int, page: str, part: str):
    rows = [("page", "what", "way", *COLUMNS)]
    for way in WAYS:
        event = night_in_play(phones, publish=False)
        cookies = cards_of(event)
        with served(tmp_path) as (running, port):
            room = Room(event, port, page, part, cookies)
            rows += asyncio.run(asyncio.wait_for(one_night(running, room, way), 60))
    table(f"{phones} phones: from the press to the new part on each; processor time in ms a phone", rows)


async def one_night(running: Running, room: Room, way: str) -> list[tuple[str, ...]]:
    await room.open(way)
    event = room.event
    round = await measured(running, [(room, lambda: rounds.publish_round(event, ROUNDS, by=BY))])
    check(room, f"Round {ROUNDS} of {ROUNDS}")
    result = await measured(running, [(room, lambda: report_next(event))])
    check(room, "tables still playing")
    await room.close()
    return [(room.page, what, way, *taken.row) for what, taken in (("round", round), ("result", result))]


def check(room: Room, words: str) -> None:
    """Each phone that was brought something has its own part of that moment."""
    texts = [phone.text() for phone in room.brought]
    assert all(f'id="{room.part}"' in text and words in text for text in texts)
    if room.page == "me":
        assert len(set(texts)) == len(texts)


def bench_many_rooms(tmp_path: Path):
    rows = [("page", "what", "way", *COLUMNS)]
    for way in WAYS:
        events = [night_in_play(AT_A_STORE, publish=False) for _ in range(STORES)]
        cookies = [cards_of(event) for event in events]
        with served(tmp_path) as (running, port):
            rooms = [Room(event, port, "me", "card", held) for event, held in zip(events, cookies, strict=True)]
            rows += asyncio.run(asyncio.wait_for(one_after_another(running, rooms, way), 60))
    table(f"{STORES} stores with {AT_A_STORE} phones each; processor time in ms a phone", rows)


async def one_after_another(running: Running, rooms: list[Room], way: str) -> list[tuple[str, ...]]:
    """One store publishes while all others are quiet; then all others do, as fast as one process can."""
    await asyncio.gather(*(room.open(way) for room in rooms))
    presses = [(room, partial(rounds.publish_round, room.event, ROUNDS, by=BY)) for room in rooms]
    alone = await measured(running, presses[:1])
    together = await measured(running, presses[1:])
    for room in rooms:
        await room.close()
    return [("me", what, way, *taken.row) for what, taken in (("one alone", alone), ("19 in a row", together))]
