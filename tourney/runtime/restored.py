"""A backup took the place of the database while this process runs: what it remembers is of another one.

The tables of a restored database are others, so each process tells by the number that PostgreSQL gave one of them. It
asks whenever it is told (NOTIFY), its line to the database was cut, and now and then, should both have been missed.
"""

import os
from collections.abc import Callable
from threading import Lock

import psycopg
from django.conf import settings
from django.contrib.contenttypes.models import ContentType

from tourney.runtime import embedded, kept

WHICH = "SELECT to_regclass('tourney_store')::oid"


class Watch:
    """Knows which database this process last saw."""

    def __init__(self, do_too: Callable[[], None] = lambda: None) -> None:
        self.do_too = do_too
        self._seen: int | None = None
        self._lock = Lock()

    def look(self, connection: psycopg.Connection) -> bool:
        """Whether it is another one since the last look; then nothing of the old one is remembered.

        The connection commits by itself.
        """
        with self._lock:
            found = connection.execute(WHICH).fetchone()
            now = found[0] if found else None
            is_another, self._seen = self._seen not in (None, now), now
            if is_another:
                forget()
                self.do_too()
            return is_another


seen = Watch()
"""Of this process."""


def forget() -> None:
    """Forget what was made of the rows of another database, and sign with the key that came with this one."""
    kept.forget_everything()
    ContentType.objects.clear_cache()
    if not os.environ.get("SECRET_KEY"):
        settings.SECRET_KEY = embedded.secret_key()
