"""A backup is restored while the server runs: nobody restarts it, and every page shows what is there now."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.support.nights import BY, make_store
from tests.support.serving import ROOT, Running, Stream, free_port, installed, night_of_its_own
from tourney.actions import entrants
from tourney.backups.actions.back_up import back_up_to
from tourney.backups.actions.restore import ROOM, restore
from tourney.backups.queries.kept import name_of
from tourney.models import Event
from tourney.runtime import kept, restored
from tourney.runtime.kept import VersionedCache

pytestmark = pytest.mark.django_db(transaction=True)


def session_of(user) -> str:
    """The cookie of somebody who signed in."""
    client = Client()
    client.force_login(user)
    return f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"


def downloaded(running: Running, address: str, cookie: str) -> bytes:
    with urlopen(Request(f"http://localhost:{running.port}{address}", headers={"Cookie": cookie})) as answer:
        return answer.read()


def is_ended(stream: Stream) -> bool:
    """Whether the server ends it, after what it said every five seconds while the backup was loaded."""
    with suppress(EOFError):
        for _ in range(60):
            stream.next_version()
        return False
    return True


def test_pages_streams_and_sessions_of_a_running_server_are_those_of_the_backup(
    running: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("VAR_DIR", str(tmp_path))
    night = night_of_its_own(players=4)
    event, page = night.event, f"/e/{night.event.slug}/"
    desk, owner = reverse("desk", args=[event.slug]), session_of(night.owner)
    path = running.folder / "backups" / name_of(timezone.now(), "flagship")
    path.parent.mkdir()
    back_up_to(path)
    address = reverse("backup_file", args=[night.store.slug, path.name])
    assert downloaded(running, address, owner) == path.read_bytes()
    version = Event.objects.get(pk=event.pk).version
    late, staff = make_store()
    since = session_of(staff["owner"])
    stream = Stream(running.port, event.slug)
    assert stream.next_version() == version
    entrants.register(event, [("Quark", "")], by=BY)
    assert stream.next_version() > version
    seen = running.ask(page)
    assert "Quark" in seen.text
    assert "Quark" in running.ask(desk, Cookie=owner).text
    assert running.ask(f"/s/{late.slug}/settings/", Cookie=since).status == 200

    restore(path)

    assert is_ended(stream)  # the page connects again, as it does when a server stops
    again = Stream(running.port, event.slug)
    assert again.next_version() > version + ROOM // 2
    now = running.ask(page, If_None_Match=seen.headers["ETag"])
    assert now.status == 200
    assert "Quark" not in now.text
    assert "Quark" not in running.ask(desk, Cookie=owner).text
    assert running.ask(f"/s/{late.slug}/").status == 404
    assert running.ask(f"/s/{late.slug}/settings/", Cookie=since).status in (302, 404)
    # The night goes on, and is told of to who reads it.
    entrants.register(Event.objects.get(pk=event.pk), [("Rom", "")], by=BY)
    assert again.next_version() > version + ROOM
    assert "Rom" in running.ask(page).text
    again.close()
    stream.close()


@pytest.mark.nightly
def test_a_store_moves_to_another_computer_whose_server_runs_already(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """With the key that its sessions and its players' recovery words depend on."""
    monkeypatch.setenv("VAR_DIR", str(tmp_path / "here"))
    night = night_of_its_own(players=4)
    owner, path = session_of(night.owner), tmp_path / "one.backup"
    back_up_to(path)
    there = tmp_path / "there"
    running = installed(there, free_port(), WORKERS="1")
    try:
        assert running.ask(f"/e/{night.event.slug}/").status == 404
        environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        done = subprocess.run(
            [sys.executable, "manage.py", "restore", str(path)],
            cwd=ROOT,
            env=environment | {"VAR_DIR": str(there)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        assert "Restored:" in done.stdout

        assert running.ask(f"/e/{night.event.slug}/").status == 200
        assert running.ask(reverse("desk", args=[night.event.slug]), Cookie=owner).status == 200
        assert (there / "secret-key").read_text() == settings.SECRET_KEY
        assert (there / "secret-key").stat().st_mode & 0o777 == 0o600
    finally:
        running.end(signal.SIGTERM)
        running.process.stdout.close()


def test_what_was_made_of_the_rows_of_another_database_is_forgotten():
    cache: VersionedCache[str] = VersionedCache(4)
    cache.get("event", 1, lambda last: "old")

    kept.forget_everything()

    assert cache.get("event", 1, lambda last: "new") == "new"


class Answering:
    """A connection to a database whose tables have that number."""

    def __init__(self, number: int) -> None:
        self.number = number

    def execute(self, query: str) -> "Answering":
        return self

    def fetchone(self) -> tuple[int]:
        return (self.number,)


def test_another_database_is_noticed_once():
    told = []
    watch = restored.Watch(lambda: told.append("again"))

    assert [watch.look(Answering(number)) for number in (7, 7, 8, 8)] == [False, False, True, False]
    assert told == ["again"]
