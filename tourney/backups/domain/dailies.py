"""Which backups are kept, and when the next is due."""

from collections.abc import Mapping
from datetime import datetime, timedelta

KEPT = timedelta(days=14)
EACH = timedelta(days=1)
AGAIN = timedelta(hours=1)
"""After one that failed."""


def is_due(newest: datetime | None, failed_at: datetime | None, now: datetime) -> bool:
    """Whether it is time for another one: a day after the last good one, an hour after one that failed.

    A clock that was put back makes it due, too.
    """
    if failed_at and timedelta() <= now - failed_at < AGAIN:
        return False
    return newest is None or not timedelta() <= now - newest < EACH


def too_old[SQLName](made_at: Mapping[SQLName, datetime], last_checked: SQLName, now: datetime) -> list[SQLName]:
    """The ones that are to be deleted, now that one is there that was checked: it stays, whatever its date."""
    return [name for name, moment in made_at.items() if name != last_checked and now - moment > KEPT]
