"""What an installation holds, table by table, as PostgreSQL's COPY writes it: the same rows give the same bytes."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from django.db import connection
from django.db.migrations.loader import MigrationLoader
from psycopg import sql

from tourney.backups.domain.backup_file import (
    SECRET_KEY,
    BackupWriter,
    Hashing,
    Head,
    Manifest,
    TableRows,
    WrittenPart,
    part_of,
)
from tourney.queries.snapshot import repeatable_read

DESCRIBED = "django_migrations"
"""A table whose content the manifest has."""
NOT_KEPT = frozenset({DESCRIBED, "django_tasks_database_dbtaskresult"})
"""Tables whose rows no backup has: what was waiting to be sent is no news any more when it comes back."""

COLUMNS = """
    SELECT a.attname, a.attcollation <> 0, coalesce(array_position(i.indkey::int2[], a.attnum), 0)
    FROM pg_attribute a LEFT JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary
    WHERE a.attrelid = %s::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    ORDER BY a.attnum
"""
SEQUENCES = """
    SELECT sequencename, coalesce(last_value, 0) FROM pg_sequences WHERE schemaname = current_schema() ORDER BY 1
"""
HEADS = """
    SELECT DISTINCT ON (store.slug) store.slug, link.number, link.chain_hash
    FROM tourney_journallink link JOIN tourney_store store ON store.id = link.store_id
    ORDER BY store.slug, link.number DESC
"""
AS_WRITTEN = """
    SET LOCAL timezone TO 'UTC'; SET LOCAL datestyle TO 'ISO, YMD'; SET LOCAL intervalstyle TO 'iso_8601';
    SET LOCAL bytea_output TO 'hex'; SET LOCAL extra_float_digits TO 1; SET LOCAL client_encoding TO 'UTF8'
"""
"""How values are written, whatever the server's own habits are."""


@dataclass(frozen=True, slots=True)
class TableColumns:
    """A table's columns: their names in order, and what its rows are sorted by."""

    names: tuple[str, ...]
    order: sql.Composable


def write_backup(backup: BackupWriter, *, at: datetime, secret_key: str | None) -> Manifest:
    """Write all that there is at one moment, whoever goes on writing meanwhile."""
    with _as_of_one_moment():
        migrations = _migrations()
        tables = {}
        for name in sorted(tables_of(migrations) - NOT_KEPT):
            columns = columns_of(name)
            rows = _count(name)
            part = backup.add(part_of(name), _copied(name, columns))
            tables[name] = TableRows(list(columns.names), rows, part.size, part.sha256)
        heads = _heads() if "tourney_journallink" in tables else {}
        sequences = _sequences()  # which count on for who writes now: never too low
        kept_key = backup.add(SECRET_KEY, [secret_key.encode()]) if secret_key else None
    manifest = Manifest(
        made_at=at,
        postgresql=_server_version(),
        migrations=migrations,
        tables=tables,
        sequences=sequences,
        heads=heads,
        secret_key=kept_key,
    )
    backup.finish(manifest)
    return manifest


def differing_tables(expected: Mapping[str, TableRows]) -> list[str]:
    """The tables whose rows are not those of the manifest, now that they are in the database."""
    with _as_of_one_moment():
        return [name for name, table in expected.items() if not _is_as_expected(name, table)]


def differing_heads(expected: Mapping[str, Head]) -> list[str]:
    """The stores, by short name, whose journal doesn't end as it should."""
    found = _heads()
    return sorted(slug for slug in {*found, *expected} if found.get(slug) != expected.get(slug))


def tables_of(migrations: Mapping[str, list[str]]) -> set[str]:
    """The tables that these migrations, all of which this code knows, have made."""
    applied = [(app, name) for app, names in migrations.items() for name in names]
    loader = MigrationLoader(None)
    state = loader.project_state([node for node in applied if node in loader.graph.nodes])
    models = state.apps.get_models(include_auto_created=True)
    return {model._meta.db_table for model in models if model._meta.managed and not model._meta.proxy} | {DESCRIBED}


def columns_of(table: str) -> TableColumns:
    """The columns whose values are stored; a table without a primary key is sorted by all of them."""
    with connection.cursor() as cursor:
        cursor.execute(COLUMNS, [sql.Identifier(table).as_string(cursor.connection)])
        found = cursor.fetchall()
    key = sorted((place, name, is_text) for name, is_text, place in found if place) or [
        (0, name, is_text) for name, is_text, _ in found
    ]
    as_bytes = sql.SQL('{} COLLATE "C"')  # the same order in every database
    order = [as_bytes.format(sql.Identifier(name)) if is_text else sql.Identifier(name) for _, name, is_text in key]
    return TableColumns(tuple(name for name, _, _ in found), sql.SQL(", ").join(order))


@contextmanager
def _as_of_one_moment() -> Iterator[None]:
    with repeatable_read():
        with connection.cursor() as cursor:
            cursor.execute(AS_WRITTEN)
        yield


def _is_as_expected(name: str, table: TableRows) -> bool:
    columns = columns_of(name)
    chosen = TableColumns(tuple(table.columns), columns.order)
    hashing = Hashing()
    for _ in hashing.through(_copied(name, chosen)):
        pass
    return _count(name) == table.rows and hashing.part == WrittenPart(table.size, table.sha256)


def _copied(name: str, columns: TableColumns) -> Iterator[memoryview]:
    statement = sql.SQL("COPY (SELECT {} FROM {} ORDER BY {}) TO STDOUT").format(
        sql.SQL(", ").join(map(sql.Identifier, columns.names)), sql.Identifier(name), columns.order
    )
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for block in copy:
            yield memoryview(block)


def _count(name: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(name)))
        (rows,) = cursor.fetchone()
    return int(rows)


def _migrations() -> dict[str, list[str]]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT app, array_agg(name ORDER BY name) FROM django_migrations GROUP BY app ORDER BY app")
        return dict(cursor.fetchall())


def _sequences() -> dict[str, int]:
    with connection.cursor() as cursor:
        cursor.execute(SEQUENCES)
        return dict(cursor.fetchall())


def _heads() -> dict[str, Head]:
    with connection.cursor() as cursor:
        cursor.execute(HEADS)
        return {slug: Head(number, chain_hash) for slug, number, chain_hash in cursor.fetchall()}


def _server_version() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        (version,) = cursor.fetchone()
    return str(version)
