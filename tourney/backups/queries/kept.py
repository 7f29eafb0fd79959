"""The backups that lie in the folder for them, and whether one is being made."""

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tourney.backups.domain.dailies import is_due
from tourney.runtime.backup_state import are_daily, folder, read_state
from tourney.runtime.messages import Message

NAME = re.compile(r"(?P<kind>flagship|before-restore)-(?P<at>\d{4}-\d\d-\d\d-\d{6})\.backup")
FORMAT = "%Y-%m-%d-%H%M%S"
ASKED, LOCK = "asked", "lock"


@dataclass(frozen=True, slots=True)
class Kept:
    """A backup in the folder: `size` in bytes; whether it was restored in a test; whether a restore left it behind."""

    name: str
    made_at: datetime
    size: int
    is_checked: bool
    is_before_restore: bool

    @property
    def megabytes(self) -> float:
        """Its size as people read it, which is never nothing."""
        return max(self.size / 1_000_000, 0.1)


@dataclass(frozen=True, slots=True)
class Overview:
    """What an owner reads: the backups, newest first; what is wrong with the last attempt, and when that was."""

    backups: list[Kept]
    problem: Message | None
    tried_at: datetime | None
    is_under_way: bool
    is_daily: bool

    @property
    def last(self) -> Kept | None:
        """The newest that was checked."""
        return next((one for one in self.backups if one.is_checked), None)


def name_of(moment: datetime, kind: str) -> str:
    """The name of a file that is made then."""
    return f"{kind}-{moment.astimezone(UTC):{FORMAT}}.backup"


def overview() -> Overview:
    """All that the page of backups shows."""
    state = read_state()
    return Overview(
        all_kept(),
        state.problem,
        state.tried_at,
        is_asked() or is_running(),
        are_daily(),
    )


def all_kept() -> list[Kept]:
    """The backups in the folder, newest first."""
    checked = set(read_state().checked)
    found = []
    with suppress(OSError):
        for path in folder().iterdir():
            if fits := NAME.fullmatch(path.name):
                before = fits["kind"] != "flagship"
                with suppress(OSError, ValueError):  # deleted since, or named by somebody for a day that there isn't
                    made_at = datetime.strptime(fits["at"], FORMAT).replace(tzinfo=UTC)
                    found.append(Kept(path.name, made_at, path.stat().st_size, path.name in checked, before))
    return sorted(found, key=lambda one: (one.made_at, one.name), reverse=True)


def newest() -> Path | None:
    """The newest backup, checked or not."""
    found = all_kept()
    return folder() / found[0].name if found else None


def due(now: datetime) -> bool:
    """Whether the next daily is to be made now."""
    state = read_state()
    checked = [one.made_at for one in all_kept() if one.is_checked]
    return is_due(max(checked, default=None), state.tried_at if state.trouble else None, now)


def is_asked() -> bool:
    """Whether somebody asked for a backup that was not begun."""
    return (folder() / ASKED).exists()


def is_running() -> bool:
    """Whether one is being made or checked."""
    with suppress(OSError), _opened_lock() as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


@contextmanager
def only_one() -> Iterator[bool]:
    """Whether nobody else makes one; nobody can inside."""
    with _opened_lock() as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True


@contextmanager
def _opened_lock() -> Iterator[int]:
    lock = os.open(folder() / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        yield lock
    finally:
        os.close(lock)
