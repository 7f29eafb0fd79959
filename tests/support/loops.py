"""Coroutines in tests that share a process with a browser, whose own loop runs in the main thread."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def run[Answer](coroutine: Coroutine[Any, Any, Answer]) -> Answer:
    """What it answers, on a loop in a thread of its own."""
    with ThreadPoolExecutor(1) as alone:
        return alone.submit(asyncio.run, coroutine).result()
