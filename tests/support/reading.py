"""What PostgreSQL reads for a page: the statements that were asked, the rows of each table, and how they are found.

with transaction.atomic(), asked() as statements:
    client.get(page)
    rows_read()["tourney_seat"]
plan_of(statements[0])
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from django.db import connection

EXPLAINED = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")
WHOLE = ("Seq Scan", "Index Scan", "Index Only Scan", "Bitmap Index Scan")
"""Nodes that read the whole table, or the whole index where it has no condition."""


@dataclass(frozen=True, slots=True)
class Statement:
    """As it was asked, how many rows it gave or changed, and the seconds until then."""

    sql: str
    values: Any
    rows: int
    seconds: float

    @property
    def shape(self) -> str:
        """The same for statements that differ only in what they ask for."""
        return re.sub(r"\s+", " ", re.sub(r"%s(, %s)+", "%s, …", re.sub(r"\b\d+\b", "#", self.sql))).strip()

    @property
    def has_plan(self) -> bool:
        return self.sql.lstrip(" (\n").upper().startswith(EXPLAINED)


@contextmanager
def asked() -> Iterator[list[Statement]]:
    """The statements of the block on this connection."""
    found: list[Statement] = []

    def note(execute, sql, values, many, context):
        start = perf_counter()
        try:
            return execute(sql, values, many, context)
        finally:
            text = sql if isinstance(sql, str) else sql.as_string(None)
            found.append(Statement(text, values, context["cursor"].rowcount, perf_counter() - start))

    with connection.execute_wrapper(note):
        yield found


READ = """
    SELECT c.relname, c.relkind = 'i', pg_stat_get_xact_numscans(c.oid), pg_stat_get_xact_tuples_returned(c.oid)
    FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'i')
    AND pg_stat_get_xact_numscans(c.oid) > 0
"""


@dataclass(frozen=True, slots=True)
class Read:
    """How often a table was read from its first to its last row, or an index was asked, and how many rows came."""

    is_index: bool
    scans: int
    rows: int


def rows_read() -> dict[str, Read]:
    """By table and index, in this transaction; what triggers asked too."""
    with connection.cursor() as cursor:
        cursor.execute(READ)
        return {name: Read(*facts) for name, *facts in cursor.fetchall()}


def differences(before: dict[str, Read], after: dict[str, Read]) -> dict[str, Read]:
    """What was read between the two."""
    none = Read(False, 0, 0)
    return {
        name: Read(read.is_index, read.scans - there.scans, read.rows - there.rows)
        for name, read in after.items()
        if read != (there := before.get(name, none))
    }


def plan_of(statement: Statement) -> dict[str, Any]:
    """As the planner chooses it at this moment for these very values: Django sends them as part of the text."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (FORMAT JSON) {statement.sql}", statement.values)
        return cursor.fetchone()[0][0]["Plan"]


def whole_reads(plan: dict[str, Any], table: str = "") -> Iterator[tuple[str, str]]:
    """(node, table or index) of all that the plan reads from beginning to end, however much it then keeps."""
    table = plan.get("Relation Name", table)
    if plan["Node Type"] in WHOLE and "Index Cond" not in plan:
        yield plan["Node Type"], plan.get("Index Name") or table
    for part in plan.get("Plans", ()):
        yield from whole_reads(part, table)
