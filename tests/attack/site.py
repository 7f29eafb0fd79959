"""The real server under a flood, and what is watched meanwhile: the event page by another process, memory, the disk."""

import json
import os
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from tests.attack.figures import Figures
from tests.support.serving import ROOT, Running, free_port, on_test_database

P95, MOST_MEMORY = 0.3, 300
"""Seconds that the event page takes at most, of 95 in a hundred; MB of each worker."""
ENOUGH = 1_500
"""MB at which the server is killed before it takes the machine along."""
FILES = 1
"""MB that bodies may leave or hold on disk."""


@dataclass
class Watched:
    """A running server: the most that any worker held, the most that stood on disk, in MB."""

    running: Running
    port: int
    folder: Path
    memory: float = 0
    disk: float = 0
    disk_before: float = 0
    was_killed: bool = False
    asked: dict = field(default_factory=dict)
    over: threading.Event = field(default_factory=threading.Event)

    @property
    def workers(self) -> list[psutil.Process]:
        """The processes that answer; the database and what only helps are none."""
        main = psutil.Process(self.running.process.pid)
        found = []
        for process in main.children(recursive=True):
            with suppress(psutil.Error):
                if "spawn_main" in " ".join(process.cmdline()):
                    found.append(process)
        return found

    def watch(self) -> None:
        while not self.over.wait(0.25):
            with suppress(psutil.Error):
                for process in self.workers:
                    self._look_at(process)
            self.disk = max(self.disk, size_of(self.folder))

    def _look_at(self, process: psutil.Process) -> None:
        with suppress(psutil.Error, OSError):
            memory = process.memory_info().rss / 2**20
            self.memory = max(self.memory, memory)
            self.disk = max(self.disk, size_of(self.folder) + unlinked(process.pid, self.folder))
            if memory > ENOUGH or self.disk - self.disk_before > ENOUGH:
                self.was_killed = True
                process.kill()

    def tell(self, figures: Figures, *, p95: float = P95, most_files: float = FILES) -> None:
        """The rows that every flood has. `most_files` in MB: what stands on disk while it is read, and goes then."""
        asked = self.asked
        figures.say("event page, asked meanwhile", asked["asked"])
        figures.at_most("event page, p95", asked["p95"], p95, "s")
        figures.say("event page, longest", f"{asked['longest']:.3f} s")
        figures.none("event page, other than 200 and 304", [one for one in asked["statuses"] if one not in (200, 304)])
        figures.at_most("memory of the largest worker", round(self.memory), MOST_MEMORY, "MB")
        figures.at_most("files of bodies on disk", round(self.disk - self.disk_before, 1), most_files, "MB")
        figures.at_most("files left on disk", round(size_of(self.folder) - self.disk_before, 1), FILES, "MB")
        figures.holds("no worker had to be killed", not self.was_killed)


def size_of(folder: Path) -> float:
    """MB of the files in it."""
    total = 0
    for path in folder.rglob("*"):
        with suppress(OSError):
            total += path.stat().st_size if path.is_file() else 0
    return total / 2**20


def unlinked(pid: int, folder: Path) -> float:
    """MB of files of that folder which have no name any more and are held open by the process."""
    total = 0
    for link in Path(f"/proc/{pid}/fd").glob("*"):
        with suppress(OSError):
            name = os.readlink(link)
            if name.startswith(str(folder)) and name.endswith("(deleted)"):
                total += link.stat().st_size
    return total / 2**20


@contextmanager
def flooded(folder: Path, page: str, **environment: str) -> Iterator[Watched]:
    """`with flooded(tmp_path, "/e/…/") as site`: two workers on the test database; afterwards `site.asked` is there."""
    allow_open_files()
    bodies = folder / "bodies"
    bodies.mkdir(parents=True, exist_ok=True)
    port = free_port()
    running = on_test_database(folder, port, WORKERS="2", TMPDIR=str(bodies), **environment)
    site = Watched(running, port, bodies, disk_before=size_of(bodies))
    watching = threading.Thread(target=site.watch, daemon=True)
    watching.start()
    asker = Asker(port, page)
    try:
        yield site
    finally:
        site.asked = asker.end()
        site.over.set()
        watching.join()
        end(running)


def end(running: Running) -> None:
    """In good order within 15 seconds; otherwise killed."""
    running.process.send_signal(signal.SIGTERM)
    family = []
    with suppress(psutil.Error):
        family = psutil.Process(running.process.pid).children(recursive=True)
    try:
        running.process.wait(15)
    except subprocess.TimeoutExpired:
        for process in family:
            with suppress(psutil.Error):
                process.kill()
        running.process.kill()
        running.process.wait()
    running.process.stdout.close()


def allow_open_files(wanted: int = 9000) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


class Asker:
    """A process of its own that asks for a page again and again, so that no flood from here slows its watch."""

    def __init__(self, port: int, page: str):
        command = [sys.executable, "-m", "tests.attack.asker", str(port), page]
        self.process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdout.readline()

    def end(self) -> dict:
        """How often it asked, p95 and longest in seconds, and which statuses came how often."""
        told, _ = self.process.communicate("enough\n")
        found = json.loads(told)
        return found | {"statuses": {int(status): times for status, times in found["statuses"].items()}}
