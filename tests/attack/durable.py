"""A server with a durable database of its own, people who write all the time, and a count of what it acknowledged."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from itertools import count
from pathlib import Path
from random import Random
from time import monotonic, sleep
from urllib.parse import urlencode

import psutil
import psycopg

from tests.attack.site import end
from tests.support.serving import ROOT, Running, free_port
from tourney.runtime import embedded

TOKEN = "t" * 32
LONGEST = 5
"""Seconds that any answer may take, whatever has happened to the database."""
SP_AT_MOST = 90
"""Squadron points left that a report may say."""
READS = ("/e/{event}/", "/e/{event}/standings/", "/e/{event}/wall/", "/s/{store}/")


@dataclass
class Told:
    """What the people heard: `kept` are the keys of writes that the server acknowledged."""

    statuses: Counter = field(default_factory=Counter)
    writes: Counter = field(default_factory=Counter)
    kept: dict[str, str] = field(default_factory=dict)
    longest: float = 0
    slow: list[str] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)


class Place:
    """A store in a folder of its own, as `make run` has it. `told` gathers what everybody was answered."""

    def __init__(self, folder: Path, seed: int, **environment: str):
        self.folder, self.dice, self.port = folder, Random(seed), free_port()
        folder.mkdir(parents=True, exist_ok=True)
        self.environment = environment | {"WORKERS": "2"}
        self.told, self.over, self.numbers = Told(), threading.Event(), count(1)
        self.night = prepared(folder)
        self.running: Running | None = None
        self.people: list[threading.Thread] = []

    def start(self) -> None:
        self.running = Running(self.folder, self.port, **self.environment)

    def stop(self) -> None:
        self.over.set()
        for one in self.people:
            one.join(60)
        if self.running and self.running.process.poll() is None:
            end(self.running)
        with suppress(Exception):
            self.server.stop()

    @property
    def server(self) -> embedded.Server:
        return embedded.Server(self.folder / "postgres")

    def processes(self) -> tuple[psutil.Process, list[psutil.Process]]:
        """The main process, and the workers."""
        return psutil.Process(self.running.process.pid), self.running.workers()

    def postmaster(self) -> psutil.Process | None:
        with suppress(OSError, ValueError, psutil.Error):
            return psutil.Process(int((self.folder / "postgres" / "postmaster.pid").read_text().split("\n")[0]))
        return None

    def come_in(self, writers: int, readers: int) -> None:
        """So many people write and read from now on, until the end."""
        for number in range(writers):
            self._begin(lambda n=number: self._write(Random(n)))
        for number in range(readers):
            self._begin(lambda n=number: self._read(Random(n)))

    def _begin(self, do: Callable[[], None]) -> None:
        self.people.append(threading.Thread(target=do, daemon=True))
        self.people[-1].start()

    def _read(self, dice: Random) -> None:
        while not self.over.is_set():
            path = dice.choice(READS).format(**self.night)
            status, _ = self.ask("GET", path)
            with self.told.lock:
                self.told.statuses[status] += 1
            sleep(0.05)

    def _write(self, dice: Random) -> None:
        """A report by a phone, sent again with the same key until it is acknowledged; or a ruling, sent once."""
        while not self.over.is_set():
            number = next(self.numbers)
            if dice.random() < 0.6:
                phones = self.night["phones"]
                place = dice.randrange(len(phones))
                # No two phones ever say the same: what they agree on is decided, and nothing after it is kept.
                left = number % (SP_AT_MOST // len(phones)) * len(phones) + place
                self._report(phones[place], f"key-{number}", left)
            else:
                self._rule(f"ruling-{number}")
            sleep(dice.uniform(0, 0.05))

    def _report(self, phone: dict, key: str, left: int) -> None:
        facts = {"do": "report", "ending": "time", "sp_left_a": left, "sp_left_b": left, "key": key}
        for _ in range(200):
            status, said = self.ask("POST", phone["path"], facts, phone["cookie"], outbox=True)
            self._count(status, said, key, "report", status == 204 and "x-needs" not in said.lower())
            if self.over.is_set() or status not in (0, 500, 502, 503, 507):
                return
            sleep(0.1 + random.random() * 0.2)

    def _rule(self, topic: str) -> None:
        path = f"/s/{self.night['store']}/judge/rulings/new/"
        status, said = self.ask("POST", path, {"topic": topic, "text": "As decided tonight."}, self.night["owner"])
        self._count(status, said, topic, "ruling", status == 302 and "/sign-in/" not in said)

    def _count(self, status: int, said: str, key: str, kind: str, is_kept: bool) -> None:
        with self.told.lock:
            self.told.writes[status] += 1
            if is_kept:
                self.told.kept[key] = kind
            elif status not in (0, 409, 422) and len(self.told.odd) < 50:
                self.told.odd.append(f"{kind} {status} {words_in(said)[:80]}")

    def ask(
        self, method: str, path: str, facts: dict | None = None, cookie: str = "", *, outbox: bool = False
    ) -> tuple[int, str]:
        """Status (0: no answer) and headers or body; what takes too long is noted."""
        began = monotonic()
        headers = {"Cookie": f"csrftoken={TOKEN}; {cookie}".rstrip("; ")} if facts is not None or cookie else {}
        body = None
        if facts is not None:
            body = urlencode(facts | {"csrfmiddlewaretoken": TOKEN})
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        if outbox:
            headers["X-Outbox"] = "1"
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            said = answer.read().decode(errors="replace")
            status = answer.status
            shown = (
                "; ".join(f"{name}: {value}" for name, value in answer.getheaders()) if status in (204, 302) else said
            )
        except (OSError, HTTPException):
            status, shown = 0, ""
        finally:
            connection.close()
        taken = monotonic() - began
        with self.told.lock:
            self.told.longest = max(self.told.longest, taken)
            if taken > LONGEST + 0.5:
                self.told.slow.append(f"{method} {path} {status} {taken:.1f} s")
        return status, shown

    def back_after(self, patience: float = 60) -> float:
        """Seconds until the event page and a write answer again; `patience` if they do not."""
        began = monotonic()
        page = f"/e/{self.night['event']}/desk/"
        while monotonic() - began < patience:
            if self.ask("GET", page, cookie=self.night["owner"])[0] == 200:
                return monotonic() - began
            sleep(0.05)
        return patience

    def lost(self) -> tuple[list[str], list[str]]:
        """Of what was acknowledged: what is not there, and what is there more than once."""
        self.server.ensure_running()
        try:
            with psycopg.connect(self.server.url()) as line:
                receipts = Counter(key for (key,) in line.execute("SELECT key FROM tourney_receipt"))
                rulings = Counter(topic for (topic,) in line.execute("SELECT topic FROM tourney_houseruling"))
        finally:
            self.server.release()
        stored = {"report": receipts, "ruling": rulings}
        times = {key: stored[kind][key] for key, kind in self.told.kept.items()}
        return [key for key, one in times.items() if not one], [key for key, one in times.items() if one > 1]


def prepared(folder: Path) -> dict:
    """An event in play in that folder's own database, made by a process that then leaves it."""
    environment = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "DATABASE_POOL")}
    done = subprocess.run(
        [sys.executable, "-m", "tests.attack.prepare"],
        cwd=ROOT,
        env=environment | {"VAR_DIR": str(folder)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    if done.returncode:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def words_in(page: str) -> str:
    """What a page says, on one line."""
    body = re.sub(r"<head>.*?</head>|<script.*?</script>|<[^>]+>", " ", page, flags=re.S)
    return " ".join(body.split())


def signal_all(processes: list[psutil.Process], how: signal.Signals) -> None:
    for process in processes:
        with suppress(psutil.Error):
            process.send_signal(how)
