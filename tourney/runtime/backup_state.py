"""Where backups are kept, and what came of the last attempt to make one.

It is a file, so that it is still there when the database is not, and a restore doesn't turn it back.
"""

import os
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from tourney.runtime import embedded
from tourney.runtime.messages import Message, message
from tourney.runtime.whole_file import written_whole

STATE = "state.json"


class BackupTrouble(StrEnum):
    """Why the last attempt came to nothing."""

    NO_ROOM = "no room"
    UNREADABLE = "unreadable"
    HISTORY = "history"
    FAILED = "failed"


SAID = {
    BackupTrouble.NO_ROOM: message(
        "The store computer’s disk is too full for a backup. Free some space, then back up again."
    ),
    BackupTrouble.UNREADABLE: message("The backup couldn’t be restored in a test. Back up again."),
    BackupTrouble.HISTORY: message(
        "The history in the backup has problems. Check data integrity in each event’s history."
    ),
    BackupTrouble.FAILED: message("The backup couldn’t be made. The server’s log says why."),
}


class BackupState(Struct, frozen=True):
    """The last attempt, and the names of those files that were restored in a test and found whole.

    `untested` is the file that the last attempt left whose test failed.
    """

    tried_at: Annotated[datetime, Meta(tz=True)] | None = None
    trouble: BackupTrouble | None = None
    checked: list[str] = []
    untested: str = ""

    @property
    def problem(self) -> Message | None:
        """What was wrong, and what to do."""
        return SAID[self.trouble] if self.trouble else None


def folder() -> Path:
    """Where backups are kept: `BACKUP_DIR`, or `backups` in the folder for all data."""
    return Path(os.environ.get("BACKUP_DIR") or embedded.var_dir() / "backups").absolute()


def are_daily() -> bool:
    """Whether the server makes one each day: with the embedded database, and with another if `BACKUPS` asks for it."""
    asked = os.environ.get("BACKUPS", "").strip().lower()
    return asked in {"1", "true", "yes", "on"} if asked else embedded.is_used()


def read_state() -> BackupState:
    """What was noted last; nothing if that can't be read, but that backups fail if nothing can be noted."""
    try:
        return msgspec.json.decode((folder() / STATE).read_bytes(), type=BackupState)
    except (OSError, msgspec.DecodeError):
        return BackupState(trouble=BackupTrouble.FAILED if are_daily() and not _can_be_written() else None)


def _can_be_written() -> bool:
    """Whether there can be files in the folder, which may be on a disk that was taken away."""
    there = next(one for one in (folder(), *folder().parents) if os.path.exists(one))  # False where we may not look
    return there.is_dir() and os.access(there, os.W_OK)


def write_state(state: BackupState) -> None:
    """Note it for every process. Raises OSError."""
    with written_whole(folder() / STATE) as file:
        file.write(msgspec.json.encode(state))
