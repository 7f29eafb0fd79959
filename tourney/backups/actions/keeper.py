"""The thread of the process for tasks that has backups made: each day, and when an owner asks."""

import logging
import subprocess
import sys
import threading
from contextlib import suppress

import psutil
import psycopg
from django.db import Error, connection
from django.utils import timezone

from tourney.backups.queries.kept import due, is_asked
from tourney.runtime import installation, restored
from tourney.runtime.backup_state import are_daily

LOOK = 2.0  # seconds between two looks whether one is asked for or due
LOWEST = 10  # priority: whoever plays tonight goes first

logger = logging.getLogger(__name__)


def keep_backed_up(stopped: threading.Event) -> None:
    """Until that is set."""
    while not stopped.wait(LOOK):
        try:
            connection.ensure_connection()
            restored.seen.look(connection.connection)  # while there is no database, nothing can be backed up
            if is_asked() or (are_daily() and due(timezone.now())):
                make_one(stopped)
        except (Error, psycopg.Error, OSError) as error:
            logger.info("No backup was made: %s", error)
            connection.close()


def make_one(stopped: threading.Event) -> None:
    """In a process of its own, whose memory is free again afterwards, and which lets all others go first."""
    command = [sys.executable, str(installation.FILES / "manage.py"), "backup", "--keep"]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        with suppress(psutil.Error):  # it may have ended already
            psutil.Process(process.pid).nice(LOWEST)
        while process.poll() is None:
            if stopped.wait(0.1):
                process.terminate()
