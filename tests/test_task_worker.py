"""The process beside the server that does tasks: there while the server is, started again, gone with it."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from django.utils import timezone

from tests.support.nights import BY, make_night, make_store, now
from tests.support.push_browsers import PushBrowser, claims_of
from tests.support.receiving import Receiver, receiver
from tests.support.serving import PATIENCE, ROOT, Running, command_of, free_port, on_test_database
from tourney.actions import player_cards, rounds
from tourney.models import PlayerCard, PushKey, Store
from tourney.sharing.actions import push, webhooks
from tourney.sharing.domain.push import PushKind
from tourney.sharing.domain.webhooks import CHOICES

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def listening() -> Iterator[Receiver]:
    with receiver() as found:
        yield found


@pytest.fixture
def store(listening: Receiver) -> Store:
    """Its webhook is the server of the test."""
    store, _ = make_store()
    webhooks.save_webhook(
        store, address=listening.address, format="json", kinds=CHOICES, site="https://f.example", by=BY
    )
    return store


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    found = on_test_database(tmp_path, free_port(), WEBHOOKS_TO_LOOPBACK="1", WORKERS="1")
    yield found
    if found.process.poll() is None:
        found.end(signal.SIGKILL)
    found.process.stdout.close()


def worker_of(running: Running) -> psutil.Process:
    (found,) = (one for one in psutil.Process(running.process.pid).children() if " worker " in command_of(one))
    return found


def is_sent(store: Store, listening: Receiver) -> bool:
    """Whether a test that is asked for now arrives."""
    webhooks.send_test(store, by=BY)
    return listening.arrived.get(timeout=PATIENCE).data["kind"] == "test"


def has_ended(process: psutil.Process) -> bool:
    gone, _ = psutil.wait_procs([process], timeout=PATIENCE)
    return bool(gone)


def test_it_is_there_with_the_server_and_started_again_when_it_dies(store, listening: Receiver, running: Running):
    assert is_sent(store, listening)

    first = worker_of(running)
    first.kill()
    assert has_ended(first)
    assert is_sent(store, listening)

    second = worker_of(running)
    assert running.end(signal.SIGTERM) == 0
    assert has_ended(second)
    assert "The process that sends to webhooks stopped unexpectedly. Starting it again …" in running.said


def test_it_ends_with_a_server_that_is_killed(store, listening: Receiver, running: Running):
    assert is_sent(store, listening)
    worker = worker_of(running)

    running.process.kill()

    assert has_ended(worker)


def test_it_tells_devices_with_the_key_that_the_first_start_made(listening: Receiver, tmp_path: Path):
    PushKey.objects.all().delete()
    running = on_test_database(tmp_path, free_port(), WEBHOOKS_TO_LOOPBACK="1", WORKERS="2")
    key = PushKey.objects.get()
    night = make_night(players=2)
    phone = PushBrowser(listening)
    player_cards.issue(night.event.entrants.get(number=1).player, by=BY)
    push.listen_for(PlayerCard.objects.get(), phone.facts, [PushKind.TABLE], at=timezone.now())

    row = rounds.pair_round(night.event, seed=1, by=now())
    rounds.publish_round(night.event, row.number, by=now())
    request = listening.arrived.get(timeout=PATIENCE)

    assert json.loads(phone.read(request))["title"] == "Your table is ready"
    assert claims_of(request, key.public)
    assert running.end(signal.SIGTERM) == 0
    running.process.stdout.close()
    again = on_test_database(tmp_path, free_port(), WORKERS="1")
    assert [*PushKey.objects.all()] == [key]
    assert again.end(signal.SIGTERM) == 0
    again.process.stdout.close()


def test_without_it_nothing_is_sent_and_nothing_else_is_missing(tmp_path: Path):
    running = on_test_database(tmp_path, free_port(), TASK_WORKER="0", WORKERS="1")

    children = [command_of(one) for one in psutil.Process(running.process.pid).children()]
    assert not [one for one in children if " worker " in one]
    assert running.ask("/health/").status == 200
    assert running.end(signal.SIGTERM) == 0
    running.process.stdout.close()


def test_processes_that_answer_pages_load_nothing_of_what_the_worker_encrypts_with():
    ready = "from tourney.serving.asgi import application; import tourney.urls, sys; print(*sys.modules)"

    done = subprocess.run([sys.executable, "-c", ready], cwd=ROOT, capture_output=True, text=True, check=True)

    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert "tourney.sharing.views.push" in done.stdout.split()
    assert not loaded & {"aiohttp", "http_ece", "py_vapid", "pywebpush", "requests"}
