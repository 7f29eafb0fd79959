"""python -m tests.attack.asker PORT PAGE: asks for the page until a line comes in, then says how long it took, as JSON.

A line “ready” comes first, after answers that do not count.

One request at a time, each over a connection of its own, 20 in a second at most; what has no answer after ten seconds
counts as ten, with status 0.
"""

import asyncio
import json
import sys
from collections import Counter
from statistics import quantiles
from time import perf_counter

from tests.benchmarks.load import Browser

PAUSE, PATIENCE, WARM = 0.05, 10, 20


async def main(port: int, page: str) -> None:
    enough = asyncio.create_task(asyncio.to_thread(sys.stdin.readline))
    for _ in range(WARM):  # the first ones of each worker load what all others find loaded
        await once(port, page)
    print("ready", flush=True)
    taken: list[float] = []
    statuses: Counter[int] = Counter()
    while not enough.done():
        start = perf_counter()
        statuses[await once(port, page)] += 1
        taken.append(min(perf_counter() - start, PATIENCE))
        await asyncio.sleep(PAUSE)
    p95 = quantiles(taken, n=20, method="inclusive")[-1] if len(taken) > 1 else max(taken, default=PATIENCE)
    print(json.dumps({"asked": len(taken), "p95": p95, "longest": max(taken, default=0), "statuses": statuses}))


async def once(port: int, page: str) -> int:
    """The status, 0 if there was no answer."""
    try:
        async with asyncio.timeout(PATIENCE):
            browser = await Browser.opened(port)
            try:
                return (await browser.get(page)).status
            finally:
                browser.writer.close()
    except (TimeoutError, OSError, EOFError, ValueError):
        return 0


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2]))
