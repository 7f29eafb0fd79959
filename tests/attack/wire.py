"""Requests that no browser sends: bodies without an end, bytes one at a time, streams that nobody reads."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter

PIECE = b"10000\r\n" + b"a" * 65_536 + b"\r\n"  # one chunk of 64 kB


@dataclass(frozen=True, slots=True)
class Sent:
    """The status, 0 if the line was cut without an answer, -1 if neither came; bytes that were taken, and seconds."""

    status: int
    taken: int = 0
    seconds: float = 0
    body: bytes = b""


def head(method: str, path: str, *headers: str, host: str = "localhost") -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", f"Host: {host}", *headers, "", ""]).encode("latin-1")


async def send(
    port: int, start: bytes, pieces: AsyncIterator[bytes] | None = None, *, patience: float = 60, address: str = ""
) -> Sent:
    """Send the start and then piece by piece until there is an answer, the line is cut, or patience is over."""
    began, taken = perf_counter(), 0
    try:
        local = (address, 0) if address else None
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=local)
    except OSError:
        return Sent(0)
    answer = asyncio.create_task(status_of(reader))
    try:
        async with asyncio.timeout(patience):
            writer.write(start)
            await writer.drain()
            if pieces:
                async for piece in pieces:
                    if answer.done() or writer.is_closing():
                        break
                    writer.write(piece)
                    await writer.drain()
                    taken += len(piece)
            status, body = await answer
            return Sent(status, taken, perf_counter() - began, body)
    except TimeoutError:
        return Sent(-1, taken, perf_counter() - began)
    except (OSError, EOFError):
        status, body = 0, b""
        with suppress(TimeoutError, OSError, EOFError):
            status, body = await asyncio.wait_for(answer, 1)
        return Sent(status, taken, perf_counter() - began, body)
    finally:
        answer.cancel()
        writer.close()


async def status_of(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    line = await reader.readline()
    if not line:
        return 0, b""
    rest = b""
    with suppress(TimeoutError, OSError):
        rest = await asyncio.wait_for(reader.read(100_000), 2)
    return int(line.split()[1]), rest


async def endless(size: int) -> AsyncIterator[bytes]:
    """A chunked body of so many bytes."""
    for _ in range(size // 65_536):
        yield PIECE
    yield b"0\r\n\r\n"


async def drop_by_drop(data: bytes, *, pause: float) -> AsyncIterator[bytes]:
    for byte in data:
        yield bytes([byte])
        await asyncio.sleep(pause)


async def silence(seconds: float) -> AsyncIterator[bytes]:
    """Nothing more comes."""
    for _ in range(int(seconds * 2)):
        await asyncio.sleep(0.5)
        yield b""
