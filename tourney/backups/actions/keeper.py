"""The thread of the process for tasks that has backups made: each day, and when an owner asks."""

import logging
import subprocess
import sys
import threading
import time
from contextlib import suppress

import psutil
import psycopg
from django.db import Error, connection
from django.utils import timezone

from tourney.backups.domain.dailies import AGAIN
from tourney.backups.queries.kept import ASKED, due, is_asked
from tourney.runtime import installation, restored
from tourney.runtime.backup_state import are_daily, folder

LOOK = 2.0  # seconds between two looks whether one is asked for or due
LOWEST = 10  # priority: whoever plays tonight goes first

logger = logging.getLogger(__name__)


def keep_backed_up(stopped: threading.Event) -> None:
    """Until that is set."""
    again_at = 0.0  # by `time.monotonic`: where one fails, a disk may be full on which that would be noted
    while not stopped.wait(LOOK):
        try:
            connection.ensure_connection()
            restored.seen.look(connection.connection)  # while there is no database, nothing can be backed up
            is_time = time.monotonic() >= again_at and are_daily() and due(timezone.now())
            if (is_asked() or is_time) and make_one(stopped):
                again_at = time.monotonic() + AGAIN.total_seconds()
                (folder() / ASKED).unlink(missing_ok=True)
        except (Error, psycopg.Error, OSError) as error:
            logger.info("No backup was made: %s", error)
            connection.close()


def make_one(stopped: threading.Event) -> int:
    """In a process of its own, whose memory is free again afterwards, and which lets all others go first.

    What that ended with: 0 if it made one.
    """
    command = [sys.executable, str(installation.FILES / "manage.py"), "backup", "--keep"]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        with suppress(psutil.Error):  # it may have ended already
            psutil.Process(process.pid).nice(LOWEST)
        while process.poll() is None:
            if stopped.wait(0.1):
                process.terminate()
                break
    return process.returncode
