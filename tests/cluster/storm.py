"""Phones that report all the time and phones that watch, while hosts die; and what came of everything acknowledged."""

import threading
import time
from collections import Counter
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException
from itertools import count
from random import Random
from urllib.parse import urlencode

from tests.cluster.cluster import Cluster
from tests.cluster.programs import HERE, until
from tests.support.serving import Stream

TOKEN = "t" * 32
SILENCE = 8  # seconds after which a phone takes its stream for lost (static/js/live.js)
PATIENCE = 15  # seconds for an answer
AWAY = (0, 502, 503, 504)  # nobody there, or not just now: the phone keeps what it has, and tries again
FINAL = 90, 80  # what both sides of a table report in the end; nobody says that before
TRIES = 600


class Watcher(threading.Thread):
    """An open page that hears the versions of an event, at that port; it comes back when its line is lost."""

    def __init__(self, port: int, slug: str) -> None:
        super().__init__(daemon=True)
        self.port, self.slug = port, slug
        self.version = 0
        self.is_over = False

    def run(self) -> None:
        while not self.is_over:
            with suppress(OSError, HTTPException, EOFError, KeyError), closing(Stream(self.port, self.slug)) as stream:
                stream.connection.sock.settimeout(SILENCE)
                while not self.is_over and stream.answer.status == 200:
                    self.version = max(self.version, stream.next_version())
            time.sleep(0.5)


class Storm:
    """Phones report until so many reports are acknowledged; then both sides of every table say the same."""

    def __init__(self, hosts: Cluster, night: dict, reports: int, *, hands: int = 8, watchers: int = 40) -> None:
        self.hosts, self.port = hosts, hosts.balancer.web
        self.tables = [table for event in night["events"] for table in event["tables"]]
        self.slugs = [event["slug"] for event in night["events"]]
        self.reports = reports - 2 * len(self.tables)  # the last two of each table come at the end
        self.numbers = count(1)
        self.acknowledged: dict[str, float] = {}
        self.statuses: Counter[int] = Counter()
        self.odd: list[str] = []
        self.lock = threading.Lock()
        self.watchers = [Watcher(self.port, self.slugs[number % len(self.slugs)]) for number in range(watchers)]
        phones = [phone for table in self.tables for phone in table]
        self.hands = [
            threading.Thread(target=self._report_some, args=(phones[hand::hands], hand), daemon=True)
            for hand in range(hands)
        ]

    def begin(self) -> None:
        for one in (*self.watchers, *self.hands):
            one.start()

    def wait_for(self, part: float) -> None:
        """Until that part of the reports is acknowledged."""
        most = round(part * self.reports)
        until(lambda: len(self.acknowledged) >= most or self.odd, f"{most} reports are acknowledged", 1200)
        assert not self.odd, self.odd

    def next_acknowledged(self) -> float:
        """When the first of those is acknowledged that are sent from now on."""
        now = time.monotonic()
        until(lambda: max(self.acknowledged.values(), default=0) > now, "A report is acknowledged", 300)
        return min(at for at in [*self.acknowledged.values()] if at > now)

    def end(self) -> None:
        """The rest of the reports; then every table agrees."""
        for hand in self.hands:
            hand.join()
        for first, second in self.tables:
            for phone in (first, second):
                self._send(phone, f"final-{next(self.numbers)}", *FINAL)

    def shown_after(self) -> float:
        """Seconds from now until every open page shows the version that is stored now."""
        stored = dict(self.hosts.rows("SELECT slug, version FROM tourney_event"))
        return until(
            lambda: all(one.version >= stored[one.slug] for one in self.watchers), "Every page shows the last version"
        )

    def stop(self) -> None:
        for one in self.watchers:
            one.is_over = True

    def _report_some(self, phones: list[dict], hand: int) -> None:
        dice = Random(hand)
        said: dict[str, int] = {}
        while len(self.acknowledged) < self.reports and not self.odd:
            phone = dice.choice(phones)
            # Neither the same as before nor what anybody else says: each report is a new one, and no table agrees.
            said[phone["cookie"]] = said.get(phone["cookie"], -1) + 1
            left = 1 + said[phone["cookie"]] % 38
            self._send(phone, f"key-{next(self.numbers)}", left, 40 + hand)

    def _send(self, phone: dict, key: str, left: int, other: int) -> None:
        """With the same key until it is acknowledged."""
        facts = {"do": "report", "ending": "time", "sp_left_a": left, "sp_left_b": other, "key": key}
        for _ in range(TRIES):
            status, said = self._post(phone, facts | {"csrfmiddlewaretoken": TOKEN})
            with self.lock:
                self.statuses[status] += 1
                if status == 204 and "x-needs" not in said:
                    self.acknowledged[key] = time.monotonic()
                elif status not in AWAY:
                    self.odd.append(f"{status} {said[:300]}")
            if status not in AWAY:
                return
            time.sleep(0.2)
        self.odd.append(f"{key} was never acknowledged")

    def _post(self, phone: dict, facts: dict) -> tuple[int, str]:
        headers = {
            "Cookie": f"csrftoken={TOKEN}; {phone['cookie']}",
            "Content-Type": "application/x-www-form-urlencoded",
            "X-Outbox": "1",
        }
        with closing(HTTPConnection(HERE, self.port, timeout=PATIENCE)) as connection:
            try:
                connection.request("POST", phone["path"], urlencode(facts), headers)
                answer = connection.getresponse()
                said = " ".join(name.lower() for name in answer.headers) if answer.status == 204 else ""
                return answer.status, said or answer.read().decode(errors="replace")
            except (OSError, HTTPException):
                return 0, ""
