"""Many browsers at once, in one thread: requests that keep their connection, and pages that hold a stream."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from itertools import count
from statistics import quantiles
from time import perf_counter


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes


class Browser:
    """A connection to the server; one request at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter):
        self.reader, self.writer = reader, writer

    @classmethod
    async def opened(cls, port: int) -> "Browser":
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def get(self, path: str, **headers: str) -> Answer:
        """The whole answer; `headers` with _ for -."""
        answer = await self.start(path, **headers)
        if length := int(answer.headers.get("content-length", 0)):
            return Answer(answer.status, answer.headers, await self.reader.readexactly(length))
        return answer

    async def start(self, path: str, *, method: str = "GET", body: str = "", **headers: str) -> Answer:
        """Status and headers; the body is still to be read."""
        headers = {"Host": "localhost", "Accept_Encoding": "gzip"} | headers
        lines = [f"{method} {path} HTTP/1.1"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        self.writer.write("\r\n".join([*lines, "", body]).encode())
        status, *found = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")[:-2]
        said = {name.lower(): value for name, value in (line.split(": ", 1) for line in found)}
        return Answer(int(status.split()[1]), said, b"")

    async def post(self, path: str, form: str, **headers: str) -> Answer:
        """The answer to a form, without its body."""
        headers |= {"Content_Type": "application/x-www-form-urlencoded", "Content_Length": str(len(form))}
        return await self.start(path, method="POST", body=form, **headers)

    async def next_version(self) -> int:
        """The next version that a stream says."""
        while True:
            line = await self.reader.readline()
            if line.startswith(b"data: "):
                return int(line[6:])
            if not line:
                raise EOFError("the server ended the stream")

    async def close(self) -> None:
        self.writer.close()
        await self.writer.wait_closed()


@dataclass(frozen=True, slots=True)
class Asked:
    """So many requests in a second; of a hundred, 95 took at most `p95` seconds."""

    per_second: float
    p95: float
    statuses: frozenset[int]


async def ask_for(seconds: float, port: int, requests: Iterable[tuple[str, dict]], *, connections: int) -> Asked:
    """Ask for these (path, headers), one after another and again from the start, over so many connections."""
    requests, turn, taken, statuses = list(requests), count(), [], set()
    end = perf_counter() + seconds

    async def go() -> None:
        browser = await Browser.opened(port)
        while (start := perf_counter()) < end:
            path, headers = requests[next(turn) % len(requests)]
            statuses.add((await browser.get(path, **headers)).status)
            taken.append(perf_counter() - start)
        await browser.close()

    await asyncio.gather(*(go() for _ in range(connections)))
    return Asked(len(taken) / seconds, quantiles(taken, n=20)[-1], frozenset(statuses))


async def all_at_once[Done](things: Iterable[Callable[[], Awaitable[Done]]], *, hands: int = 50) -> list[Done]:
    """Start many things, so many at a time."""
    free = asyncio.Semaphore(hands)

    async def one(thing: Callable[[], Awaitable[Done]]) -> Done:
        async with free:
            return await thing()

    return await asyncio.gather(*(one(thing) for thing in things))
