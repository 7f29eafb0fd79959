"""A night that was made once is there again by copying its rows: what a test begins with costs no 200 statements.

The rows come back with the keys they had. That is possible where a test begins without any store, as its rows are gone
when it ends and a sequence never gives a key twice. Triggers that note changes are off meanwhile, for what they noted
is copied as well. Those of the journal are on: they write its chain when the transaction ends, as they always do.
"""

import gc
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass

from django.apps import apps
from django.db import connection, transaction

from tourney.models import JournalEntry, JournalLink, RowChange, Store
from tourney.runtime.kept import VersionedCache

WITHOUT_TRIGGERS = "SELECT set_config('session_replication_role', %s, true)"
CHAINED = JournalEntry._meta.db_table
COMPUTED = JournalLink._meta.db_table
CHANGES = RowChange._meta.db_table
THIS_TRANSACTION = b"\tthis-transaction\t"


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of a table as COPY writes them, with the names of their columns."""

    table: str
    columns: str
    text: bytes


@dataclass(frozen=True, slots=True)
class Copy[Made]:
    """What a maker gave back, and the rows that it left."""

    made: Made
    rows: tuple[Rows, ...]


class Copies[Made]:
    """Of each thing that was made, by its key, one copy."""

    def __init__(self) -> None:
        self._copies: dict[object, Copy[Made]] = {}

    def get(self, key: object, make: Callable[[], Made]) -> Made:
        """The thing of that key: copied if it was made before, else made, and kept as a copy if that is possible."""
        if not may_copy():
            return make()
        if key in self._copies:
            copy = self._copies[key]
            put_back(copy.rows)
            return deepcopy(copy.made)
        before = sizes()
        made = make()
        grown = [table for table, size in sizes().items() if size > before[table]]
        if not any(before[table] for table in grown):
            self._copies[key] = Copy(deepcopy(made), tuple(rows_of(table) for table in grown if table != COMPUTED))
        return made


def may_copy() -> bool:
    """Whether there is no store yet, and the rows may be put there without triggers."""
    return may_switch_triggers_off() and not Store.objects.exists()


def may_switch_triggers_off() -> bool:
    """Whether the role of this moment may do that (tests/support/postgres.py lets it)."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT has_parameter_privilege('session_replication_role', 'SET')")
        return cursor.fetchone()[0]


def sizes() -> dict[str, int]:
    """Table → its number of rows, for every table of a model."""
    models = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    tables = sorted({model._meta.db_table for model in models})
    counts = " UNION ALL ".join(f"SELECT '{table}', count(*) FROM \"{table}\"" for table in tables)
    with connection.cursor() as cursor:
        cursor.execute(counts)
        return dict(cursor.fetchall())


def rows_of(table: str) -> Rows:
    """All rows of that table; where a change names its transaction, a placeholder stands."""
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT * FROM "{table}" LIMIT 0')
        names = [f'"{column.name}"' for column in cursor.description]
        read = ["'this-transaction'" if (table, name) == (CHANGES, '"transaction"') else name for name in names]
        with cursor.copy(f'COPY (SELECT {", ".join(read)} FROM "{table}" ORDER BY 1) TO STDOUT') as copy:
            return Rows(table, ", ".join(names), b"".join(copy))


def put_back(all_rows: tuple[Rows, ...]) -> None:
    """Store these rows again, as if they had been written in this transaction."""
    forget_kept()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_xact_id()::text, set_config('session_replication_role', 'replica', true)")
        now = f"\t{cursor.fetchone()[0]}\t".encode()
        for rows in all_rows:
            if rows.table != CHAINED:
                write(cursor, rows, rows.text.replace(THIS_TRANSACTION, now) if rows.table == CHANGES else rows.text)
        cursor.execute(WITHOUT_TRIGGERS, ["origin"])
        for rows in all_rows:
            if rows.table == CHAINED:
                write(cursor, rows, rows.text)


def write(cursor, rows: Rows, text: bytes) -> None:
    with cursor.copy(f'COPY "{rows.table}" ({rows.columns}) FROM STDIN') as copy:
        copy.write(text)


def forget_kept() -> None:
    """Pages are kept by key and version of their event, which for a copy are those of another test."""
    if not KEPT:
        KEPT.extend(found for found in gc.get_objects() if type(found) is VersionedCache)
    for one in KEPT:
        one.forget()


KEPT: list[VersionedCache] = []
