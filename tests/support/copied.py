"""A night that was made once is there again by copying its rows: what a test begins with costs no 200 statements.

The rows come back with the keys they had. That is possible where the same rows are there as when they were made: as a
sequence never gives a key twice, the last key of each table tells. The rows of a test are gone when it ends. Triggers
that note changes are off meanwhile, for what they noted is copied as well. Those of the journal are on: they write its
chain when the transaction ends, as they always do.
"""

import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from importlib import import_module

from django.apps import apps
from django.conf import settings
from django.db import connection, transaction
from django.db.models import Field, IntegerField, UUIDField

from tourney.models import JournalEntry, JournalLink, RowChange
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
class Copy:
    """What a maker gave back, pickled, and the rows that it left."""

    made: bytes
    rows: tuple[Rows, ...]


class Copies[Made]:
    """Of each thing that was made, by its key and the last rows that were there before, one copy."""

    def __init__(self) -> None:
        self._copies: dict[object, Copy] = {}

    def get(self, key: object, make: Callable[[], Made]) -> Made:
        """The thing of that key: copied if it was made before, else made, and kept as a copy if that is possible."""
        if not may_switch_triggers_off():
            return make()
        before = last_rows()
        key = key, tuple(before.items())
        if copy := self._copies.get(key):
            put_back(copy.rows)
            return pickle.loads(copy.made)
        made = make()
        grown = [table for table, last in last_rows().items() if last != before[table]]
        if all(before[table] is None or is_numbered(table) for table in grown):
            rows = tuple(rows_after(before[table], table) for table in grown if table != COMPUTED)
            self._copies[key] = Copy(pickle.dumps(made), rows)
        return made


def copied[**Asked, Made](make: Callable[Asked, Made]) -> Callable[Asked, Made]:
    """The same maker, for whom what was made before with the same arguments, as they are written, is copied."""
    copies: Copies[Made] = Copies()

    @wraps(make)
    def made(*args: Asked.args, **kwargs: Asked.kwargs) -> Made:
        return copies.get(repr((args, sorted(kwargs.items()))), lambda: make(*args, **kwargs))

    return made


def may_switch_triggers_off() -> bool:
    """Whether the role of this moment may do that: ours may (tests/support/postgres.py), a plain owner may not."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT has_parameter_privilege('session_replication_role', 'SET')")
        return cursor.fetchone()[0]


@contextmanager
def triggers_off() -> Iterator[None]:
    """Triggers do nothing meanwhile, in this transaction; they do if the role may not switch them off."""
    may = may_switch_triggers_off()
    with connection.cursor() as cursor:
        if may:
            cursor.execute(WITHOUT_TRIGGERS, ["replica"])
        yield
        if may:
            cursor.execute(WITHOUT_TRIGGERS, ["origin"])


def tables() -> dict[str, Field]:
    """Table → its primary key, for every table of a model."""
    models = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    return {model._meta.db_table: model._meta.pk for model in sorted(models, key=lambda model: model._meta.db_table)}


def last_rows() -> dict[str, str | None]:
    """Table → the greatest key in it, None if it is empty; how many there are where keys are random."""
    asked = (f"SELECT '{table}', {_last(key)} FROM \"{table}\"" for table, key in tables().items())
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(asked))
        return dict(cursor.fetchall())


def _last(key: Field) -> str:
    return "nullif(count(*), 0)::text" if isinstance(key, UUIDField) else f'max("{key.column}")::text'


def is_numbered(table: str) -> bool:
    """Whether later rows have greater keys."""
    return isinstance(tables()[table], IntegerField)


def rows_after(last: str | None, table: str) -> Rows:
    """The rows of that table with greater keys; where a change names its transaction, a placeholder stands."""
    key = tables()[table].column
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT * FROM "{table}" LIMIT 0')
        names = [f'"{column.name}"' for column in cursor.description]
        read = ["'this-transaction'" if (table, name) == (CHANGES, '"transaction"') else name for name in names]
        wanted = f'"{table}" WHERE "{key}" > {last}' if last else f'"{table}"'
        with cursor.copy(f'COPY (SELECT {", ".join(read)} FROM {wanted} ORDER BY "{key}") TO STDOUT') as copy:
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
        if _went_back:
            numbered = (rows.table for rows in all_rows if is_numbered(rows.table))
            cursor.execute(" UNION ALL ".join(PASS.format(table, tables()[table].column) for table in numbered))


_went_back: list[bool] = []
PASS = """
    SELECT setval(numbers, greatest(last, pg_sequence_last_value(numbers::regclass)))
    FROM (SELECT pg_get_serial_sequence('"{0}"', '{1}') AS numbers, (SELECT max("{1}") FROM "{0}") AS last) AS of_table
    WHERE numbers IS NOT NULL AND last IS NOT NULL
"""


def numbers_went_back() -> None:
    """From now on a sequence may be behind the keys of a copy: it goes on after them."""
    _went_back[:] = [True]


def write(cursor, rows: Rows, text: bytes) -> None:
    with cursor.copy(f'COPY "{rows.table}" ({rows.columns}) FROM STDIN') as copy:
        copy.write(text)


def forget_kept() -> None:
    """Pages are kept by key and version of their event, which for a copy are those of another test."""
    if not KEPT:
        import_module(settings.ROOT_URLCONF)  # with every module that keeps anything
        ours = [module for name, module in sys.modules.items() if name.startswith("tourney.")]
        KEPT.extend(kept for module in ours for kept in vars(module).values() if type(kept) is VersionedCache)
    for one in KEPT:
        one.forget()


KEPT: list[VersionedCache] = []
