"""The server is killed while phones report: what it acknowledged is there once, and so is the rest in the end.

With each change 60 phones report, with --all 200.
"""

import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from threading import Semaphore
from urllib.parse import urlencode

import psutil
import pytest
from django.urls import reverse

from tests.support.nights import BY, make_night, make_store
from tests.support.serving import PATIENCE, Running, free_port, on_test_database
from tests.support.tenth import runs_all
from tourney import access
from tourney.domain.keys import hash_of
from tourney.models import Event, IdempotencyKey, JournalEntry, PlayerCard, PlayerReport

pytestmark = pytest.mark.django_db(transaction=True)

FEW_EVENTS, ALL_EVENTS, PLAYERS = 3, 10, 20
AT_ONCE = 40
BEFORE_THE_KILL = 0.3  # of the reports
TOKEN = "t" * 32


@dataclass(frozen=True, slots=True)
class Phone:
    """A player's phone that reports, as the outbox does: the same key again until the server says that it has it."""

    event: int
    number: int
    path: str
    cookie: str

    @property
    def key(self) -> str:
        return f"report-{self.event}-{self.number}"

    def send(self, port: int) -> int:
        """The status of the answer; a server that is gone is asked again, after a pause with chance in it."""
        pause = 0.05
        while True:
            try:
                return self.post(port)
            except (OSError, HTTPException):
                time.sleep(pause * random.uniform(0.5, 1))
                pause = min(2 * pause, 1)

    def post(self, port: int) -> int:
        facts = {"do": "report", "ending": "time", "sp_left_a": self.number, "sp_left_b": self.number, "key": self.key}
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Cookie": f"{self.cookie}; csrftoken={TOKEN}",
            "X-Outbox": "1",
        }
        connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        try:
            connection.request("POST", self.path, urlencode(facts | {"csrfmiddlewaretoken": TOKEN}), headers)
            answer = connection.getresponse()
            answer.read()
            return answer.status
        finally:
            connection.close()


@pytest.fixture
def events(pytestconfig: pytest.Config) -> list[Event]:
    store, _ = make_store()
    count = ALL_EVENTS if runs_all(pytestconfig) else FEW_EVENTS
    return [make_night(players=PLAYERS, open_round=True, store=store).event for _ in range(count)]


@pytest.fixture
def phones(events) -> list[Phone]:
    found = []
    for event in events:
        path, cookie = reverse("report", args=[event.slug, 1]), access.card_cookie(event.store)
        for entrant in event.entrants.all():
            key = f"card-{entrant.player_id}"
            PlayerCard.objects.get_or_create(player_id=entrant.player_id, key_hash=hash_of(key), issued_at=BY.at)
            found.append(Phone(event.pk, entrant.number, path, f"{cookie}={key}"))
    return found


@pytest.fixture
def start(tmp_path) -> Iterator[Callable[[int], Running]]:
    """`start(port)`: the server in this test's folder; whatever still runs is killed afterwards."""
    started: list[Running] = []

    def start(port: int) -> Running:
        started.append(on_test_database(tmp_path, port))
        return started[-1]

    yield start
    for running in started:
        kill(running)
        running.process.stdout.close()


def kill(running: Running) -> None:
    """All its processes at once: nobody gets to finish anything."""
    if running.process.poll() is None:
        main = psutil.Process(running.process.pid)
        for process in (main, *main.children(recursive=True)):
            process.send_signal(signal.SIGKILL)
        running.process.wait()


def test_every_report_is_there_once_though_the_server_was_killed_amid_them(events, phones, start):
    versions = [Event.objects.get(pk=event.pk).version for event in events]
    port, acknowledged = free_port(), Semaphore(0)
    running = start(port)

    def report(phone: Phone) -> int:
        status = phone.send(port)
        acknowledged.release()
        return status

    with ThreadPoolExecutor(AT_ONCE) as hands:
        answers = [hands.submit(report, phone) for phone in phones]
        for _ in range(int(BEFORE_THE_KILL * len(phones))):
            acknowledged.acquire()
        kill(running)
        unanswered = sum(not answer.done() for answer in answers)
        start(port)
        statuses = Counter(answer.result() for answer in answers)

    sent = sorted((phone.event, phone.number, phone.number, phone.number) for phone in phones)
    assert statuses == {204: len(phones)}
    assert unanswered > len(phones) // 4
    stored = PlayerReport.objects.values_list("seat__round__event", "seat__entrant__number", "sp_left_a", "sp_left_b")
    assert sorted(stored) == sent
    assert sorted(IdempotencyKey.objects.values_list("key", flat=True)) == sorted(phone.key for phone in phones)
    entries = JournalEntry.objects.filter(did="report").values_list("event", "after__entrant")
    assert sorted(entries) == sorted((phone.event, phone.number) for phone in phones)
    grown = [Event.objects.get(pk=event.pk).version - version for event, version in zip(events, versions, strict=True)]
    assert grown == [PLAYERS] * len(events)
