"""Measure a function in a process of its own: how long it takes and how much memory it adds."""

import gc
import resource
import sys
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from statistics import median
from time import perf_counter

RUNS = 5
LONG = 1.0
"""Seconds; what takes longer is run once."""

FRESH = get_context("forkserver")  # each process starts from the same small one, so that its peak is its own


@dataclass(frozen=True, slots=True)
class Measured[Answer]:
    """`seconds` is the median of RUNS runs after the first; `memory`, in bytes, what a run holds at most.

    Memory is what the first run added to the largest resident set of the process: no tracer of Python sees
    what Rust and C++ allocate. Small objects can also go where others were before, so that it does not grow;
    where a trace of Python's own memory, in a run apart, shows more, that counts.
    """

    answer: Answer
    seconds: float
    memory: int


def measure[Given, Answer](
    ready: Callable[[Given], Callable[[], Answer]], given: Given, *, limit: float
) -> Measured[Answer]:
    """What `ready(given)()` answers and costs; `ready` itself is not measured.

    Raises TimeoutError if all runs together need more than `limit` seconds, EOFError if the process dies,
    and what the function raises.
    """
    ours, theirs = FRESH.Pipe(duplex=False)
    process = FRESH.Process(target=_send, args=(theirs, ready, given))
    process.start()
    theirs.close()
    try:
        if not ours.poll(limit):
            raise TimeoutError(f"> {limit:g} s")
        outcome = ours.recv()
    finally:
        process.kill()
        process.join()
        ours.close()
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def _send[Given](answers: Connection, ready: Callable[[Given], Callable[[], object]], given: Given) -> None:
    try:
        answers.send(_measured(ready(given)))
    except Exception as error:
        answers.send(error)


def _measured[Answer](run: Callable[[], Answer]) -> Measured[Answer]:
    gc.collect()
    before = _largest()
    answer, seconds = _timed(run)
    memory = _largest() - before
    if seconds < LONG:
        seconds = median(_timed(run)[1] for _ in range(RUNS))
        memory = max(memory, _traced(run))
    return Measured(answer, seconds, memory)


def _timed[Answer](run: Callable[[], Answer]) -> tuple[Answer, float]:
    start = perf_counter()
    answer = run()
    return answer, perf_counter() - start


def _largest() -> int:
    """The largest resident set of this process so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _traced(run: Callable[[], object]) -> int:
    """The most that Python's own memory grew in a run, in bytes."""
    tracemalloc.start()
    run()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most
