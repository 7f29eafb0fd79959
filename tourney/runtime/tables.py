"""Whether the tables of the database are those of this code, and who alone brings them up to date."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tourney.runtime.installation import command

LOCK = 5108  # any number, as long as it is this lock's alone
OUT_OF_DATE = f"The tables in your database are missing or out of date. Run “{command('prepare')}” first."


def are_up_to_date() -> bool:
    """Whether no migration of this code is missing; those of newer code are none of its business."""
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Other processes that come here, on whatever host, wait until the block is over.

    The lock is that of a transaction on a line of its own, which a pooler in between gives to nobody else meanwhile.
    """
    line = connection.copy()
    try:
        line.set_autocommit(False)
        with line.cursor() as cursor:
            cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        yield
    finally:
        line.close()
