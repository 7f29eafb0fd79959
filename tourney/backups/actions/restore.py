"""A backup takes the place of all that there is, at one moment, while the server runs."""

import os
import time
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from random import uniform

from django.conf import settings
from django.db import OperationalError, connection, transaction
from psycopg import sql

from tourney.backups.actions.scratch import REPLACED, SCHEMA, CannotRestore, load, problems, scratch
from tourney.backups.domain.backup_file import BackupReader, Manifest
from tourney.models import Store, User
from tourney.runtime.availability import RESTORED
from tourney.runtime.database_roles import grant_rows_to
from tourney.runtime.embedded import replacing_secret_key
from tourney.runtime.error_reports import first_line

LOCK_TIMEOUT = "500ms"  # shorter than PostgreSQL's deadlock_timeout: we give way, and not who works
PATIENCE = 60  # seconds for a moment in which nobody else works on the tables
ROOM = 100_000
"""Of versions that each restore moves on, more than an event ever has: no page has seen one of those to come."""

TABLES = """
    SELECT c.oid, c.relname FROM pg_class c
    WHERE c.relnamespace = %(schema)s::regnamespace AND c.relkind IN ('r', 'p') AND (
        c.relname IN (SELECT relname FROM pg_class WHERE relnamespace = %(like)s::regnamespace)
        OR EXISTS (SELECT FROM pg_inherits i JOIN pg_class parent ON parent.oid = i.inhparent WHERE i.inhrelid = c.oid
            AND parent.relname IN (SELECT relname FROM pg_class WHERE relnamespace = %(like)s::regnamespace))
    ) ORDER BY c.relname
"""
FUNCTIONS = """
    SELECT p.proname, pg_get_function_identity_arguments(p.oid),
        EXISTS (SELECT FROM unnest(p.proconfig) AS setting WHERE starts_with(setting, 'search_path=')) FROM pg_proc p
    WHERE p.pronamespace = %(schema)s::regnamespace
    AND p.proname IN (SELECT proname FROM pg_proc WHERE pronamespace = %(like)s::regnamespace)
"""
VERSIONS = """
    UPDATE tourney_event SET version = version % {room} + {room} * (1 + greatest(
        (SELECT max(version) FROM tourney_event), (SELECT max(version) FROM {live})
    ) / {room})
"""


@dataclass(frozen=True, slots=True)
class Restored:
    """What was restored. `is_keyless`: its secret key is not the one in use here, which the environment says."""

    manifest: Manifest
    is_keyless: bool


def is_empty() -> bool:
    """Whether there is nothing that a restore would replace: no store, nobody who signs in."""
    return not Store.objects.exists() and not User.objects.exists()


def verify(path: Path) -> tuple[Manifest, list[str]]:
    """Restore into tables that nobody uses, and see that all is there; what is wrong with its history, as sentences.

    Raises UnreadableBackup, CannotRestore, OSError.
    """
    with BackupReader.of(path) as backup:
        backup.check()
        with scratch():
            load(backup)
            return backup.manifest, list(problems())


def restore(path: Path, *, despite_problems: bool = False) -> Restored:
    """Put the backup in place of everything; whatever goes wrong before the last moment changes nothing.

    Raises UnreadableBackup, CannotRestore, OSError.
    """
    role, live = _who_and_where()
    with BackupReader.of(path) as backup:
        backup.check()
        key = backup.secret_key() or settings.SECRET_KEY
        is_another, is_given = key != settings.SECRET_KEY, bool(os.environ.get("SECRET_KEY"))
        with scratch():
            load(backup)
            if not despite_problems and (found := list(problems())):
                raise CannotRestore("\n".join(["The history in this backup has problems.", *found]))
            if os.environ.get("DATABASE_OWNER_URL"):
                grant_rows_to(role)
            _send_nothing_of_old()
            with replacing_secret_key(key) if is_another and not is_given else nullcontext():
                _change_over(live)
            if not is_given:
                settings.SECRET_KEY = key
            _tell_everybody()
        return Restored(backup.manifest, is_another and is_given)


def _who_and_where() -> tuple[str, str]:
    """The application's role, and the schema in which its tables are."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user, current_schema()")
        role, schema = cursor.fetchone()
    return role, schema


def _send_nothing_of_old() -> None:
    """What waited to be sent to a webhook when the backup was made waits no more."""
    with connection.cursor() as cursor:
        cursor.execute("UPDATE tourney_delivery SET next_at = NULL WHERE next_at IS NOT NULL")


def _change_over(live: str) -> None:
    """Raises CannotRestore if others never leave the tables for a moment."""
    give_up = time.monotonic() + PATIENCE
    while True:
        try:
            with transaction.atomic():
                _exchange(live)
            return
        except OperationalError as error:  # somebody holds a lock
            if time.monotonic() > give_up:
                raise CannotRestore(
                    f"Another program keeps using the tables ({first_line(error)}), so they can’t be replaced. "
                    "Try again."
                ) from error
            time.sleep(uniform(0.05, 0.3))


def _exchange(live: str) -> None:
    """The tables that are in use go out, those of the backup come in."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lock_timeout', %s, true)", [LOCK_TIMEOUT])
        cursor.execute(TABLES, {"schema": live, "like": SCHEMA})
        out = [sql.Identifier(live, name) for _, name in cursor.fetchall()]
        cursor.execute(sql.SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(sql.SQL(", ").join(out)))
        events = sql.Identifier(live, "tourney_event")
        cursor.execute(sql.SQL("ALTER TABLE tourney_event DISABLE TRIGGER USER"))
        cursor.execute(sql.SQL(VERSIONS).format(room=sql.Literal(ROOM), live=events))
        cursor.execute(sql.SQL("ALTER TABLE tourney_event ENABLE TRIGGER USER"))
        cursor.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(REPLACED)))
    _move(live, REPLACED)
    _move(SCHEMA, live)


def _move(source: str, target: str) -> None:
    """Move our tables and functions; sequences, indexes and triggers go with them."""
    like = SCHEMA if source != SCHEMA else source
    with connection.cursor() as cursor:
        cursor.execute(TABLES, {"schema": source, "like": like})
        tables = [sql.SQL("TABLE {}").format(sql.Identifier(source, name)) for _, name in cursor.fetchall()]
        cursor.execute(FUNCTIONS, {"schema": source, "like": like})
        functions = []
        for name, arguments, has_path in cursor.fetchall():
            one = sql.SQL("FUNCTION {}({})").format(sql.Identifier(source, name), sql.SQL(arguments))
            functions.append(one)
            if has_path:  # which was that of the schema in which it was made
                cursor.execute(sql.SQL("ALTER {} SET search_path TO {}").format(one, sql.Identifier(target)))
        for one in (*functions, *tables):  # whose arguments are rows of tables
            cursor.execute(sql.SQL("ALTER {} SET SCHEMA {}").format(one, sql.Identifier(target)))


def _tell_everybody() -> None:
    """Every process that runs forgets what it knew (tourney/runtime/restored.py)."""
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("NOTIFY {}").format(sql.Identifier(RESTORED)))
