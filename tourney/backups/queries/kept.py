"""The backups that lie in the folder for them, and what came of the last attempt to make one.

All of it is files, so that it is still there when the database is not, and a restore doesn't turn it back.
"""

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import msgspec
from django.http import HttpRequest
from msgspec import Meta, Struct

from tourney.backups.domain.dailies import is_due
from tourney.models import Role, Store
from tourney.runtime import embedded
from tourney.runtime.messages import Message, message

NAME = re.compile(r"(?P<kind>flagship|before-restore)-(?P<at>\d{4}-\d\d-\d\d-\d{6})\.backup")
FORMAT = "%Y-%m-%d-%H%M%S"
STATE, ASKED, LOCK = "state.json", "asked", "lock"


class BackupTrouble(StrEnum):
    """Why the last attempt came to nothing."""

    NO_ROOM = "no room"
    UNREADABLE = "unreadable"
    HISTORY = "history"
    FAILED = "failed"


PROBLEMS = {
    BackupTrouble.NO_ROOM: message("The store computer’s disk is almost full. Free some space, then back up again."),
    BackupTrouble.UNREADABLE: message(
        "The backup couldn’t be restored in a test. Back up again; the server’s log says why."
    ),
    BackupTrouble.HISTORY: message("The backup is whole, but data integrity has problems. Check each event’s history."),
    BackupTrouble.FAILED: message("The backup couldn’t be written. The server’s log says why."),
}


class State(Struct, frozen=True):
    """The last attempt, and the names of those files that were restored in a test and found whole."""

    tried_at: Annotated[datetime, Meta(tz=True)] | None = None
    problem: BackupTrouble | None = None
    checked: list[str] = []


@dataclass(frozen=True, slots=True)
class Kept:
    """A backup in the folder: `size` in bytes; whether it was restored in a test; whether a restore left it behind."""

    name: str
    made_at: datetime
    size: int
    is_checked: bool
    is_before_restore: bool


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


def folder() -> Path:
    """Where backups are kept: `BACKUP_DIR`, or `backups` in the folder for all data."""
    return Path(os.environ.get("BACKUP_DIR") or embedded.var_dir() / "backups").absolute()


def are_daily() -> bool:
    """Whether the server makes one each day: with the embedded database, and with another if `BACKUPS` asks for it."""
    asked = os.environ.get("BACKUPS", "").strip().lower()
    return asked in {"1", "true", "yes", "on"} if asked else embedded.is_used()


def name_of(moment: datetime, kind: str) -> str:
    """The name of a file that is made then."""
    return f"{kind}-{moment.astimezone(UTC):{FORMAT}}.backup"


def overview() -> Overview:
    """All that the page of backups shows."""
    state = read_state()
    return Overview(
        all_kept(),
        PROBLEMS[state.problem] if state.problem else None,
        state.tried_at,
        is_asked() or is_running(),
        are_daily(),
    )


def problem() -> Message | None:
    """What is wrong with the last attempt."""
    found = read_state().problem
    return PROBLEMS[found] if found else None


def all_kept() -> list[Kept]:
    """The backups in the folder, newest first."""
    checked = set(read_state().checked)
    found = []
    with suppress(OSError):
        for path in folder().iterdir():
            if fits := NAME.fullmatch(path.name):
                made_at = datetime.strptime(fits["at"], FORMAT).replace(tzinfo=UTC)
                before = fits["kind"] != "flagship"
                with suppress(OSError):  # deleted since
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
    return is_due(max(checked, default=None), state.tried_at if state.problem else None, now)


def read_state() -> State:
    """What was noted last; nothing if that can't be read."""
    try:
        return msgspec.json.decode((folder() / STATE).read_bytes(), type=State)
    except (OSError, msgspec.DecodeError):
        return State()


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


def may_see_everything(request: HttpRequest) -> bool:
    """Whether this user owns every store: a backup holds the data of all, and whoever has one can act as anyone."""
    real = Store.objects.real()
    return real.exists() and not real.exclude(pk__in=Store.objects.with_role(request.user, Role.OWNER)).exists()


@contextmanager
def _opened_lock() -> Iterator[int]:
    lock = os.open(folder() / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        yield lock
    finally:
        os.close(lock)
