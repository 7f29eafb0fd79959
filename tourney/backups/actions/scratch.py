"""A backup loaded into tables of its own, beside those that are in use: to see that it is whole, or to change over.

They are in a schema of the same database: that needs no right to create databases, and tables change their schema
without being copied. The default connection sees that schema and no other meanwhile, so code that knows nothing of
backups (migrations, proofs) works on it.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import psycopg
from django.db import Error, OperationalError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from psycopg import sql

from tourney.backups.domain.backup_file import BackupReader, DamagedBackup, NewerBackup, TableRows
from tourney.backups.queries.contents import (
    AS_WRITTEN,
    DESCRIBED,
    NOT_KEPT,
    columns_of,
    differing_heads,
    differing_tables,
    tables_of,
)
from tourney.models import Event, Store
from tourney.queries.integrity import store_problems
from tourney.runtime.database_roles import connected_by, owner_settings
from tourney.runtime.error_reports import first_line
from tourney.runtime.planner import with_planner_settings

SCHEMA = "flagship_scratch"
REPLACED = "flagship_replaced"
"""The schema in which the tables that were in use wait to be dropped."""
LOCK = 7_305_001
"""Of PostgreSQL, held as long as somebody uses these schemas."""


class CannotRestore(Exception):
    """This database takes no backup now; nothing changed. The message says why, and what to do."""


@contextmanager
def scratch() -> Iterator[None]:
    """The default connection sees an empty schema inside, which is gone afterwards; so is what was replaced.

    Raises CannotRestore.
    """
    with _connection_to(SCHEMA):
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_try_advisory_lock(%s), has_database_privilege(current_database(), 'CREATE')", [LOCK]
            )
            is_free, may_create = cursor.fetchone()
            if not is_free:
                raise CannotRestore("Another backup is being checked or restored. Try again when it’s done.")
            if not may_create:
                raise CannotRestore(
                    "The database role may not create a schema. Let it own the database, or set DATABASE_OWNER_URL "
                    "(docs/operating.md, “Your own PostgreSQL”)."
                )
            _drop()
            cursor.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(SCHEMA)))
        try:
            _refuse_if_others_are_seen()
            yield
        finally:
            connection.close()  # whatever state its transaction is in
            _drop()


def load(backup: BackupReader) -> None:
    """Make the tables of the backup, fill them, and bring them up to date.

    Raises DamagedBackup, NewerBackup, CannotRestore.
    """
    manifest = backup.manifest
    _migrate_to(manifest.migrations)
    tables = tables_of(manifest.migrations)
    if tables - NOT_KEPT != manifest.tables.keys():
        raise DamagedBackup("This backup is damaged: tables are missing. Use another one.")
    try:
        with transaction.atomic():
            _fill(backup, sorted(tables - {DESCRIBED}))
    except (OperationalError, psycopg.OperationalError) as error:  # it ended, or has no room: not the backup's fault
        raise CannotRestore(f"The database couldn’t take the backup ({first_line(error)}). Try again.") from error
    except (Error, psycopg.Error) as error:
        raise DamagedBackup(
            f"This backup is damaged: the database can’t take it ({first_line(error)}). Use another one."
        ) from error
    if different := differing_tables(manifest.tables):
        raise DamagedBackup(f"The database has something else than the backup: {', '.join(different)}.")
    if different := differing_heads(manifest.heads):
        raise DamagedBackup(f"The journal doesn’t end as the backup says: {', '.join(different)}.")
    _migrate_to_the_end()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def problems() -> Iterator[str]:
    """What `prove_history` says of all that is there, as sentences."""
    for store in Store.objects.order_by("pk"):
        events = Event.objects.filter(campaign__store=store).select_related("campaign__store").order_by("pk")
        for sentence in store_problems(store, events):
            yield f"{store.slug}: {sentence}"


def _fill(backup: BackupReader, tables: list[str]) -> None:
    names = [sql.Identifier(SCHEMA, name) for name in tables]
    with connection.cursor() as cursor:
        cursor.execute(AS_WRITTEN)
        for name in names:  # what they keep from being changed, and write of their own, is in the backup
            cursor.execute(sql.SQL("ALTER TABLE {} DISABLE TRIGGER USER").format(name))
        cursor.execute(sql.SQL("TRUNCATE {}").format(sql.SQL(", ").join(names)))  # migrations wrote rows, too
        for table, known in backup.manifest.tables.items():
            _copy(backup, table, known)
        for sequence, last in backup.manifest.sequences.items():
            if last:
                cursor.execute(
                    "SELECT setval(c.oid, %s) FROM pg_class c WHERE c.relkind = 'S' AND c.relname = %s "
                    "AND c.relnamespace = current_schema()::regnamespace",
                    [last, sequence],
                )
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # each key leads somewhere
        for name in names:
            cursor.execute(sql.SQL("ALTER TABLE {} ENABLE TRIGGER USER").format(name))


def _copy(backup: BackupReader, table: str, known: TableRows) -> None:
    if set(known.columns) != set(columns_of(table).names):
        raise DamagedBackup(f"This backup is damaged: columns of “{table}” are missing. Use another one.")
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(SCHEMA, table), sql.SQL(", ").join(map(sql.Identifier, known.columns))
    )
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for block in backup.blocks_of(table):
            copy.write(block)


def _migrate_to(migrations: Mapping[str, list[str]]) -> None:
    """Run exactly these migrations. Raises NewerBackup if this code doesn't know one of them."""
    applied = {(app, name) for app, names in migrations.items() for name in names}
    executor = MigrationExecutor(connection)
    if not applied <= executor.loader.disk_migrations.keys():
        raise NewerBackup("A newer Flagship made this backup. Update Flagship, then restore it.")
    graph = executor.loader.graph
    here = applied & graph.nodes.keys()
    last = [node for node in here if not any(child.key in here for child in graph.node_map[node].children)]
    executor.migrate(sorted(last))


def _migrate_to_the_end() -> None:
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


@contextmanager
def _connection_to(schema: str) -> Iterator[None]:
    """The default connection sees only that schema inside, as the role that owns the tables."""
    settings = owner_settings()
    options = {name: value for name, value in settings["OPTIONS"].items() if name != "pool"}
    options["options"] = f"{with_planner_settings(options.get('options', ''))} -c search_path={schema}"
    with connected_by(settings | {"OPTIONS": options}):
        yield


def _refuse_if_others_are_seen() -> None:
    """A pooler that drops the options of a connection would lead us to the tables that are in use."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_schemas(false)")
        (seen,) = cursor.fetchone()
    if seen != [SCHEMA]:
        raise CannotRestore(
            "The connection doesn’t take “search_path”. Set DATABASE_OWNER_URL to the address of PostgreSQL itself, "
            "without a pooler in between."
        )


def _drop() -> None:
    """Drop both schemas, which somebody may have left behind who was killed."""
    with connection.cursor() as cursor:
        for schema in (SCHEMA, REPLACED):
            cursor.execute(sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(sql.Identifier(schema)))
