"""The process for tasks has a backup made when it is due or asked for, by a process of its own."""

import errno
import os
import signal
from pathlib import Path
from threading import Event
from urllib.parse import urlsplit

import psycopg
import pytest
from django.db import OperationalError, connection

from tests.support.nights import make_store
from tourney.backups.actions import daily, keeper
from tourney.backups.actions.scratch import CannotRestore
from tourney.backups.queries.kept import is_asked
from tourney.runtime import disk
from tourney.runtime.backup_state import read_state

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What happens while the thread looks three times."""
    monkeypatch.setenv("BACKUP_DIR", str(tmp_path))
    monkeypatch.setattr(keeper, "LOOK", 0)
    found: list[str] = []

    def make_one(stopped: Event) -> None:
        (tmp_path / "asked").unlink(missing_ok=True)
        found.append("made")

    monkeypatch.setattr(keeper, "make_one", make_one)
    return found


class ThirdTime(Event):
    """Stopped at the third look."""

    left = 3

    def wait(self, timeout: float | None = None) -> bool:
        self.left -= 1
        return self.left < 0


def test_with_a_database_of_ones_own_none_is_made_unless_asked(looks: list[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("BACKUPS", raising=False)
    keeper.keep_backed_up(ThirdTime())
    assert looks == []

    daily.ask()
    keeper.keep_backed_up(ThirdTime())
    assert looks == ["made"]
    assert not is_asked()


def test_it_goes_on_after_its_line_to_the_database_was_lost(looks: list[str], monkeypatch: pytest.MonkeyPatch):
    class LineLost(ThirdTime):
        def wait(self, timeout: float | None = None) -> bool:
            if self.left == ThirdTime.left:
                connection.ensure_connection()
                connection.connection.close()  # as a database that ends leaves it
            return super().wait(timeout)

    monkeypatch.setenv("BACKUPS", "1")
    keeper.keep_backed_up(LineLost())

    assert looks == ["made"] * 2


def test_where_dailies_are_wanted_one_that_is_due_is_made(looks: list[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BACKUPS", "1")
    keeper.keep_backed_up(ThirdTime())

    assert looks == ["made"] * 3  # this one notes nothing, so it stays due


def test_one_that_could_not_be_made_is_not_tried_again_at_once(looks: list[str], monkeypatch: pytest.MonkeyPatch):
    """Though nothing may have been noted of it, on a disk that is full."""

    def fail(stopped: Event) -> int:
        looks.append("failed")
        return 1

    monkeypatch.setenv("BACKUPS", "1")
    monkeypatch.setattr(keeper, "make_one", fail)
    daily.ask()

    keeper.keep_backed_up(ThirdTime())

    assert looks == ["failed"]
    assert not is_asked()


def of(cause: Exception) -> Exception:
    """An error of Django, with what it comes from."""
    error = CannotRestore("The database couldn’t take the backup.")
    error.__cause__ = OperationalError("no room")
    error.__cause__.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (OSError(errno.ENOSPC, "no room"), True),
        (PermissionError(errno.EACCES, "not yours"), False),
        (of(psycopg.errors.DiskFull("no room")), True),
        (of(psycopg.errors.AdminShutdown("ended")), False),
    ],
)
def test_a_disk_that_is_full_is_found_in_whatever_it_leads_to(error: Exception, expected: bool):
    assert disk.was_full(error) is expected


@pytest.mark.nightly
def test_its_process_makes_and_tests_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    make_store()
    url = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}").geturl()
    monkeypatch.setenv("DATABASE_URL", url)
    monkeypatch.setenv("BACKUP_DIR", str(tmp_path))

    assert keeper.make_one(Event()) == 0

    state = read_state()
    assert (state.trouble, len(state.checked)) == (None, 1)


def test_it_ends_with_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BACKUP_DIR", str(tmp_path))
    stopped = Event()
    stopped.set()

    assert keeper.make_one(stopped) == -signal.SIGTERM

    assert not list(tmp_path.glob("*.backup"))
