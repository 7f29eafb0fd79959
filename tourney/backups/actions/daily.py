"""The backup of each day, and the one that an owner asks for: made, restored in a test, and the old ones deleted."""

import logging
import shutil
from datetime import datetime
from pathlib import Path

import psycopg
from django.db import Error, connection

from tourney.backups.actions.back_up import back_up_to
from tourney.backups.actions.restore import verify
from tourney.backups.actions.scratch import CannotRestore
from tourney.backups.domain.backup_file import UnreadableBackup
from tourney.backups.domain.dailies import too_old
from tourney.backups.queries.kept import ASKED, all_kept, name_of, only_one
from tourney.runtime import disk, embedded
from tourney.runtime.backup_state import BackupState, BackupTrouble, folder, read_state, write_state
from tourney.runtime.error_reports import first_line
from tourney.runtime.messages import Message
from tourney.runtime.whole_file import delete_drafts

logger = logging.getLogger(__name__)


def ask() -> None:
    """Have a backup made: the process for tasks looks for this file. Raises OSError."""
    folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder() / ASKED).touch(mode=0o600)


def back_up_and_check(now: datetime) -> Message | None:
    """Make one and restore it beside the tables in use; what went wrong, which is noted for the owner's page, too.

    Nothing happens while another process does so.
    """
    folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    with only_one() as is_ours:
        if not is_ours:
            return None
        (folder() / ASKED).unlink(missing_ok=True)
        delete_drafts(folder())
        path = folder() / name_of(now, "flagship")
        trouble = _make_and_check(path)
        before, made_at = read_state(), {one.name: one.made_at for one in all_kept()}
        is_made = path.name in made_at
        needless = {before.untested} if is_made else set()  # else each hour would leave one more
        if trouble is None:
            needless |= {*too_old(made_at, path.name, now)}
        for name in needless & made_at.keys():
            (folder() / name).unlink(missing_ok=True)
        checked = ({*before.checked} | (set() if trouble else {path.name})) & made_at.keys() - needless
        untested = before.untested if not is_made else path.name if trouble else ""
        state = BackupState(now, trouble, sorted(checked), untested)
        write_state(state)
        return state.problem


def _make_and_check(path: Path) -> BackupTrouble | None:
    try:
        if not _has_room():
            return BackupTrouble.NO_ROOM
        back_up_to(path)
        _, problems = verify(path)
    except UnreadableBackup as error:
        logger.warning("The backup %s is not whole: %s", path, error)
        return BackupTrouble.UNREADABLE
    except (OSError, Error, psycopg.Error, CannotRestore) as error:
        logger.warning("No backup was made and tested: %s", first_line(error))
        return BackupTrouble.NO_ROOM if disk.was_full(error) else BackupTrouble.FAILED
    for sentence in problems:
        logger.warning("In the backup %s: %s", path, sentence)
    return BackupTrouble.HISTORY if problems else None


def _has_room() -> bool:
    """Whether the disk of the backups, and that of the database, have room for all of it once more, and some left."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        (size,) = cursor.fetchone()
    folders = [folder(), *([embedded.var_dir()] if embedded.is_used() else [])]
    return all(shutil.disk_usage(one).free >= disk.LOW + size for one in folders)
