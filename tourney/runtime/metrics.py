"""What /metrics tells: kept by each process in a file of its own, and added up by whichever is asked.

Without `METRICS_TOKEN` nothing is kept, and nothing of this is loaded.
"""

import logging
import os
import platform
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tourney.runtime.release import release

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that names the folder of these files; the library reads it when it is loaded."""
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
LOOK = 5
"""Seconds between two looks at what has a size rather than being counted."""
MOST_TOLD = 1000
"""So many versions are remembered that were told and not heard yet, and that were heard of others: else ever more."""
type Moments = OrderedDict[tuple[str, int], float]
METHODS = {"GET": "GET", "HEAD": "HEAD", "POST": "POST"}


class Meter:
    """The figures of this process."""

    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        registry = None if os.environ.get(FOLDER) else CollectorRegistry()  # each reads the files of all
        at: dict[str, Any] = {"registry": registry}
        self.registry = registry
        self._requests = Counter("flagship_requests", "Requests that were answered", ["view", "method", "status"], **at)
        self._seconds = Histogram(
            "flagship_request_seconds", "From a request to the end of its answer", ["view"], buckets=SECONDS, **at
        )
        self._news = Histogram(
            "flagship_news_seconds", "From a commit until the bus has told it", buckets=SECONDS, **at
        )
        self._errors = Counter("flagship_errors", "Lines of the log that say that something failed", ["logger"], **at)
        now: dict[str, Any] = {**at, "multiprocess_mode": "livesum"}
        self.streams = Gauge("flagship_streams", "Open pages that are told what changes", **now)
        self.processes = Gauge("flagship_processes", "Processes that answer", **now)
        self.pool = Gauge("flagship_pool_connections", "Connections to the database", ["state"], **now)
        self.waiting = Gauge("flagship_pool_waiting", "Requests that wait for a connection", **now)
        self.away = Gauge("flagship_database_away", "Processes that miss the database", **now)
        build = Gauge("flagship_build", "1, with the versions", ["version", "python"], multiprocess_mode="max", **at)
        build.labels(release(), platform.python_version()).set(1)
        self._answered: dict[tuple[str, str, int], Counter] = {}
        self._lasting: dict[str, Histogram] = {}
        self._told: Moments = OrderedDict()
        self._heard: Moments = OrderedDict()
        self._lock = threading.Lock()

    def answered(self, view: str, method: str, status: int, seconds: float | None) -> None:
        """A request was answered; `seconds` is None for a stream, which lasts as long as its page is open."""
        key = view, METHODS.get(method, "other"), status
        counter = self._answered.get(key)
        if counter is None:
            counter = self._answered[key] = self._requests.labels(*map(str, key))
        counter.inc()
        if seconds is not None:
            histogram = self._lasting.get(view)
            if histogram is None:
                histogram = self._lasting[view] = self._seconds.labels(view)
            histogram.observe(seconds)

    def told(self, slug: str, version: int) -> None:
        """This process committed a version of an event, and the bus is to tell it to all, to this process too."""
        self._note((slug, version), self._told, self._heard)

    def heard(self, slug: str, version: int) -> None:
        """The bus told it; only who told it knows how long that took."""
        self._note((slug, version), self._heard, self._told)

    def _note(self, what: tuple[str, int], here: Moments, there: Moments) -> None:
        """Mostly the bus is quicker than who committed: whichever comes first waits for the other."""
        now = time.monotonic()
        with self._lock:
            before = there.pop(what, None)
            if before is None:
                here[what] = now
                while len(here) > MOST_TOLD:
                    here.popitem(last=False)
        if before is not None:
            self._news.observe(now - before)

    def failed(self, logger: str) -> None:
        """Something failed, and the log says so."""
        self._errors.labels(logger).inc()

    def text(self) -> bytes:
        """The figures of all processes of this host, in the format of Prometheus."""
        from prometheus_client import CollectorRegistry, generate_latest
        from prometheus_client.multiprocess import MultiProcessCollector

        if self.registry is not None:
            return generate_latest(self.registry)
        forget_the_dead()
        together = CollectorRegistry()
        MultiProcessCollector(together)  # type: ignore[no-untyped-call]
        return generate_latest(together)


meter = Meter() if os.environ.get("METRICS_TOKEN") else None


class CountErrors(logging.Handler):
    """Counts what is logged as an error."""

    def emit(self, record: logging.LogRecord) -> None:
        """Count that line."""
        if meter:
            meter.failed(record.name)


def make_folder(folder: Path) -> None:
    """An empty folder for the files of all processes that are started from here, whose environment names it."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in folder.glob("*.db"):
        file.unlink(missing_ok=True)
    os.environ[FOLDER] = str(folder)


def begin(pool: Callable[[], Any], is_away: Callable[[], bool]) -> None:
    """This process answers from now on: look every few seconds at its pool of connections, and at the database."""
    if meter:
        meter.processes.set(1)
        threading.Thread(target=_look_for_ever, args=(pool, is_away), name="metrics", daemon=True).start()


def forget_the_dead() -> None:
    """What a process that ended had just then counts no more; what it had counted does."""
    import psutil

    for file in Path(os.environ[FOLDER]).glob("gauge_live*_*.db"):
        if not psutil.pid_exists(int(file.stem.rpartition("_")[2])):
            file.unlink(missing_ok=True)  # somebody else may be asked just now


def _look_for_ever(pool: Callable[[], Any], is_away: Callable[[], bool]) -> None:
    while True:
        look(pool(), is_away())
        time.sleep(LOOK)


def look(pool: Any, is_away: bool) -> None:
    """Note how large they are now: connections that are used and free, and who waits for one."""
    if meter:
        found = pool.get_stats() if pool else {}
        free = found.get("pool_available", 0)
        meter.pool.labels("free").set(free)
        meter.pool.labels("used").set(found.get("pool_size", 0) - free)
        meter.waiting.set(found.get("requests_waiting", 0))
        meter.away.set(int(is_away))
