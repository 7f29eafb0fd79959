"""What the tests cost, by file, in seconds of processor time: `-p tests.support.cpu --cpu=figures.json`.

Counted are the test process, everything it started (Chromium, served sites) and the database's connections on its test
database. Seconds on the clock tell nothing where others use the same processors; these do.
"""

import json
import os
import time
from collections import Counter
from pathlib import Path

import psutil
import pytest

from tests.support import postgres
from tourney.runtime import embedded


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--cpu", metavar="FILE", help="write the seconds of processor time by file and test as JSON")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--cpu"):
        config.pluginmanager.register(Meter(config), "cpu-meter")


def seconds_used() -> float:
    """Processor time so far of this process, its descendants alive or gone, and its database, in seconds."""
    me = psutil.Process()
    family, database = {me, *me.children(recursive=True)}, {*of_database()}
    _of_connections.update({process: used_by(process) for process in database - family})
    return sum(map(used_by, family)) + sum(_of_connections.values())


_of_connections: dict[psutil.Process, float] = {}
"""What each connection had used when it was last seen: where it is gone, that is counted by the server, not by us."""


def used_by(process: psutil.Process) -> float:
    """Its processor time and that of its children that ended, in seconds; 0 if it is gone: its parent counts it."""
    try:
        times = process.cpu_times()
    except psutil.Error:
        return 0.0
    return times.user + times.system + times.children_user + times.children_system


def of_database() -> list[psutil.Process]:
    """The server of this run with all it started; in one of several workers, which share it, the own connections."""
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if not worker:
        found = [process for server in postgres.started() if (process := server.process())]
        return [one for process in found for one in (process, *process.children(recursive=True))]
    title = f" test_{embedded.NAME}_{worker} "
    processes = psutil.process_iter(["name", "cmdline"])
    return [
        process
        for process in processes
        if process.info["name"] == "postgres" and title in f"{' '.join(process.info['cmdline'] or ())} "
    ]


class Meter:
    """Counts by file at the change of files (a look at all processes), by test for this process alone (cheap)."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.has_workers = bool(getattr(config.option, "numprocesses", None))
        self.files: Counter[str] = Counter()
        self.tests: Counter[str] = Counter()
        self.file: str | None = None
        self.since = 0.0

    def change_to(self, file: str | None) -> None:
        if file == self.file:
            return
        now = time.process_time() if self.has_workers else seconds_used()
        # Less than before it is where Chromium ended: nobody waits for all of its processes, and they are gone.
        self.files[self.file or "(start, collection)"] += max(now - self.since, 0.0)
        self.file, self.since = file, now
        if worker := os.environ.get("PYTEST_XDIST_WORKER"):  # for who does not wait for the end
            self.write(self.files, self.tests, f".{worker}")

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None):
        self.change_to(item.location[0])
        before = time.process_time()
        try:
            return (yield)
        finally:
            self.tests[item.nodeid] += time.process_time() - before
            self.change_to((nextitem and nextitem.location[0]) or "(end)")

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self.change_to("")
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput["cpu"] = {"files": dict(self.files), "tests": dict(self.tests)}
        else:
            self.write(self.files, self.tests)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node, error: object) -> None:
        figures = getattr(node, "workeroutput", {}).get("cpu")
        if figures:
            self.files.update(figures["files"])
            self.tests.update(figures["tests"])

    def write(self, files: Counter[str], tests: Counter[str], suffix: str = "") -> None:
        both = {"files": dict(files.most_common()), "tests": dict(tests.most_common())}
        Path(self.config.getoption("--cpu") + suffix).write_text(json.dumps(both, indent=1))
