"""How much memory there is, and how much of it each process of the server keeps things in (`runtime.kept`)."""

from contextlib import suppress
from pathlib import Path

LIMIT_OF_CONTAINER = Path("/sys/fs/cgroup/memory.max")
PART = 8
"""One part of so many of the memory is for what all processes keep; the rest is PostgreSQL's, and other programs'."""
LEAST = 64
"""Megabytes for each process; below that, pages of one large event would push one another out."""


def of_machine() -> int:
    """Bytes of memory of this machine, or of this container if that has less."""
    import psutil

    there = int(psutil.virtual_memory().total)
    with suppress(OSError, ValueError):  # no container, or one without a limit: “max”
        there = min(there, int(LIMIT_OF_CONTAINER.read_text()))
    return there


def for_caches(memory: int, processes: int) -> int:
    """Megabytes in which each of so many processes keeps what it made, of so many bytes in all."""
    return max(LEAST, memory // PART // processes // 1_000_000)
