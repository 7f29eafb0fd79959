"""Runs a parser in a process of its own, with limits of memory and time, so that no file can take a worker down.

    call(read_catalogue, data, refusal=NotACatalogue)

The process knows no Django, no database and no password of the environment, and lives for one call. What goes in is
ours; what comes back is read as values of our own rules alone.
"""

import importlib
import logging
import os
import pickle
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from tourney.runtime.installation import CODE
from tourney.runtime.messages import Message, message

SMALL = 16 * 1024
"""Bytes up to which a text is parsed where it arrives: within its bounds that takes less time than a process does."""

AT_ONCE = threading.BoundedSemaphore(2)
"""As many processes of each worker at a time; it has four threads, and the others go on answering."""

BUSY = message("Other large files are being read right now. Try again in a minute.")
BROKEN = message("The file can’t be read. Export it again or choose another.")
INHERITED = ("LD_LIBRARY_PATH",)
TRUSTED = ("fleets.domain.", "scoring.domain.", "tourney.domain.")
VALUES = {("datetime", "date"), ("tourney.runtime.messages", "Message"), ("tourney.runtime.messages", "Printed")}
OUT_OF_MEMORY = 3
OUT_OF_ROOM = 4
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """What the process may take: `memory` and `result` in bytes, `cpu` and `wall` in seconds."""

    memory: int = 512 * 1024**2
    result: int = 32 * 1024**2
    cpu: int = 15
    wall: float = 30


LIMITS = ProcessLimits()


def call[Result](
    function: Callable[..., Result], *given: Any, refusal: type[Exception], limits: ProcessLimits = LIMITS
) -> Result:
    """What a public function of a module returns for these values, worked out in a process of its own.

    Raises the function's own `refusal`, also with a sentence for a limit that was reached, and nothing else.
    """
    if not AT_ONCE.acquire(blocking=False):
        raise refusal(BUSY)
    try:
        done = subprocess.run(
            [sys.executable, "-B", "-E", "-S", "-m", __name__],
            input=pickle.dumps((limits, f"{function.__module__}:{function.__qualname__}", refusal.__qualname__, given)),
            capture_output=True,
            timeout=limits.wall,
            cwd=CODE,
            env={name: os.environ[name] for name in INHERITED if name in os.environ},
        )
    except subprocess.TimeoutExpired as error:
        raise refusal(_too_long(limits.wall)) from error
    except OSError as error:
        logger.exception("No process could be started to read a file.")
        raise refusal(BUSY) from error
    finally:
        AT_ONCE.release()
    if done.returncode:
        raise refusal(_why(done, limits))
    try:
        is_refused, answer = _Values(BytesIO(done.stdout)).load()
    except (pickle.UnpicklingError, EOFError) as error:
        logger.exception("A file was read, and what came back was not understood.")
        raise refusal(BROKEN) from error
    if is_refused:
        raise refusal(*answer)
    result: Result = answer
    return result


def call_if_large[Result](
    function: Callable[..., Result], data: bytes | str, *more: Any, refusal: type[Exception]
) -> Result:
    """The same; here where `data` is SMALL."""
    if len(data) <= SMALL:
        return function(data, *more)
    return call(function, data, *more, refusal=refusal)


def _why(done: subprocess.CompletedProcess[bytes], limits: ProcessLimits) -> Message:
    """The sentence for a process that returned nothing."""
    if done.returncode == OUT_OF_MEMORY:
        return message(
            "Reading this file takes more than {limit} MB of memory. Split it or export it again.",
            limit=limits.memory // 1024**2,
        )
    if done.returncode == OUT_OF_ROOM:
        return message("The file holds more than can be imported at once. Split it.")
    if done.returncode < 0:
        return _too_long(limits.cpu)
    logger.error("A file could not be read:\n%s", done.stderr.decode(errors="replace")[-4000:])
    return BROKEN


def _too_long(seconds: float) -> Message:
    return message(
        "Reading this file takes longer than {limit} seconds. Split it or export it again.", limit=f"{seconds:g}"
    )


class _Values(pickle.Unpickler):
    """Reads nothing but values of our own rules, dates and sentences."""

    def find_class(self, module: str, name: str) -> Any:
        if module.startswith(TRUSTED) or (module, name) in VALUES:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} is no value of our rules")


# in the process


def main() -> None:
    """Read one request from the standard input, answer it on the standard output."""
    limits, name, refusal, given = pickle.load(sys.stdin.buffer)
    keep(limits)
    try:
        answer = pickle.dumps(_answer(name, refusal, given), protocol=pickle.HIGHEST_PROTOCOL)
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    if len(answer) > limits.result:
        os._exit(OUT_OF_ROOM)
    sys.stdout.buffer.write(answer)
    sys.stdout.buffer.flush()


def keep(limits: ProcessLimits) -> None:
    """Let this process take no more than that, write no file, and step back for those that answer people."""
    with suppress(OSError):
        os.nice(10)
    resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu, limits.cpu + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (limits.memory, limits.memory))
    if sys.platform == "darwin":  # its kernel does not keep that limit
        threading.Thread(target=watch, args=(limits.memory,), daemon=True).start()


def watch(most: int, every: float = 0.02) -> None:
    """End this process as soon as more than so many bytes of memory were in use at once."""
    unit = 1 if sys.platform == "darwin" else 1024
    while resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit <= most:
        time.sleep(every)
    os._exit(OUT_OF_MEMORY)


def _answer(name: str, refusal: str, given: tuple[Any, ...]) -> tuple[bool, Any]:
    """Whether the function refused, and its result or what its refusal was made with."""
    module, _, function = name.partition(":")
    try:
        return False, getattr(importlib.import_module(module), function)(*given)
    except Exception as error:
        if type(error).__qualname__ == refusal:
            return True, error.args
        raise


if __name__ == "__main__":
    main()
