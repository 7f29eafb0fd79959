"""How much room is left on the disk of `VAR_DIR`, where everything that this installation keeps lies."""

import errno
import shutil

import psycopg

from tourney.runtime import embedded
from tourney.runtime.messages import Message, message

LOW = 500_000_000
"""Bytes below which the desk and the store's page warn."""
RESERVE = 50_000_000
"""Bytes that we leave to the embedded database: it needs three of its log files of 16 MB to go on and to recover."""
FULL = {errno.ENOSPC, errno.EDQUOT}


def free() -> int:
    """Bytes that are free there. More than enough where that cannot be told."""
    try:
        return shutil.disk_usage(embedded.var_dir()).free
    except OSError:
        return LOW


def is_low() -> bool:
    """Whether less than LOW bytes are free."""
    return free() < LOW


def is_full() -> bool:
    """Whether only the reserve is left, of which nothing is taken for what people send."""
    return free() < RESERVE


def warning() -> Message | None:
    """What organizers are told when room runs out; None as long as there is enough."""
    left = free()
    if left < RESERVE:
        return message("The store computer’s disk is full. Nothing can be saved until you free some space.")
    if left < LOW:
        return message(
            "Only {megabytes} MB left on the store computer’s disk. Free some space before nothing can be saved.",
            megabytes=left // 1_000_000,
        )
    return None


def was_full(error: BaseException | None) -> bool:
    """Whether that error, or what it comes from, says that there was no room: ours, or the database's."""
    while error and not isinstance(error, psycopg.errors.DiskFull):
        if isinstance(error, OSError) and error.errno in FULL:
            return True
        error = error.__cause__
    return error is not None
