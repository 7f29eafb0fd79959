"""A line to a server that can be slow, or silent: what a phone has of a store's Wi-Fi."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

from tests.support.serving import free_port

PIECE = 4096  # bytes: a question is one


class Line:
    """Connections to `port` on, handed on to the server; whatever is asked waits `latency` seconds first.

    All answers share `rate` bytes per second. A silent line hands nothing on until it is heard again.
    """

    def __init__(self, server: int, *, latency: float = 0, rate: float = 0):
        self.server, self.latency, self.rate = server, latency, rate
        self.port = free_port()
        self.loop = asyncio.new_event_loop()
        self.heard, self.turn = asyncio.Event(), asyncio.Lock()
        self.heard.set()
        self.doing: dict[asyncio.Task, tuple[asyncio.Transport, ...]] = {}

    def be_silent(self) -> None:
        self.loop.call_soon_threadsafe(self.heard.clear)

    def be_heard(self) -> None:
        self.loop.call_soon_threadsafe(self.heard.set)

    async def open(self) -> None:
        self.listening = await asyncio.start_server(self.connect, "127.0.0.1", self.port)

    async def connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers, asking = await asyncio.open_connection("127.0.0.1", self.server)
        task, ends = asyncio.current_task(), (asking.transport, writer.transport)
        self.doing[task] = ends
        await asyncio.gather(self.ask(reader, asking), self.answer(answers, writer), return_exceptions=True)
        for end in ends:
            end.abort()
        del self.doing[task]

    async def ask(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while piece := await source.read(PIECE):
            await asyncio.sleep(self.latency)
            await self.heard.wait()
            target.write(piece)
        target.close()

    async def answer(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while piece := await source.read(PIECE):
            await self.heard.wait()
            if self.rate:
                async with self.turn:
                    await asyncio.sleep(len(piece) / self.rate)
            target.write(piece)
        target.close()

    async def close(self) -> None:
        self.listening.close()
        self.heard.set()
        for end in [end for ends in self.doing.values() for end in ends]:
            end.abort()
        await asyncio.gather(*self.doing)
        await asyncio.sleep(0)  # in which the sockets are closed


@contextmanager
def line_to(server: int, **how: float) -> Iterator[Line]:
    """`with line_to(port, latency=2) as line`: it is open meanwhile, on a thread of its own."""
    line = Line(server, **how)
    thread = Thread(target=line.loop.run_forever, daemon=True)
    thread.start()
    asyncio.run_coroutine_threadsafe(line.open(), line.loop).result()
    yield line
    asyncio.run_coroutine_threadsafe(line.close(), line.loop).result()
    line.loop.call_soon_threadsafe(line.loop.stop)
    thread.join()
    line.loop.close()
