"""Snapshot isolation: several queries that see the database as it was at one moment."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def repeatable_read() -> Iterator[None]:
    """A REPEATABLE READ transaction, read-only: what others commit meanwhile stays unseen inside.

    So there is no round without its matches, no seat without its player.

    Inside a transaction nothing is added: an action holds the lock on its event, so nobody commits to it meanwhile.
    """
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
