"""Two roles of PostgreSQL: one owns the tables and migrates, the application's may only read and write rows.

With `DATABASE_OWNER_URL` set, nobody can switch the journal's triggers off through the application's connection.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import dj_database_url
from django.conf import settings
from django.core.management import call_command
from django.db import connection, connections, transaction
from psycopg import sql

from tourney.runtime.planner import keep_planner_settings

GUARDED = (
    "tourney_journalentry",
    "tourney_journallink",
    "tourney_tokenline",
    "tourney_change",
    "tourney_packed_history",
)
"""Tables that only triggers keep from being changed."""

GRANTS = """
    REVOKE CREATE ON SCHEMA {schema} FROM PUBLIC;
    REVOKE ALL ON ALL TABLES IN SCHEMA {schema} FROM {role};
    GRANT USAGE ON SCHEMA {schema} TO {role};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema} TO {role};
    REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM {role};
    GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA {schema} TO {role};
    ALTER DEFAULT PRIVILEGES IN SCHEMA {schema} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {role};
    ALTER DEFAULT PRIVILEGES IN SCHEMA {schema} GRANT USAGE, SELECT ON SEQUENCES TO {role};
    REVOKE TEMPORARY ON DATABASE {database} FROM PUBLIC, {role};
"""
"""Without temporary tables: a trigger would find one before the table of that name."""

TOO_MUCH = """
    SELECT rolsuper, pg_has_role(rolname, current_user, 'MEMBER'), rolcreaterole,
        has_database_privilege(rolname, current_database(), 'TEMPORARY'),
        has_schema_privilege(rolname, current_schema(), 'CREATE'),
        pg_has_role(rolname, (SELECT datdba FROM pg_database WHERE datname = current_database()), 'MEMBER')
    FROM pg_roles WHERE rolname = %s
"""
WHY = (
    "is a superuser",
    "is a member of the role that owns the tables",
    "can create roles",
    "can create temporary tables, because the database belongs to another role",
    "can create tables in the schema, because the schema belongs to another role",
    "owns the database",
)


class RolesAreWrong(Exception):
    """The two roles cannot be set up so; the message says what to do."""


def prepare_database() -> None:
    """Migrate, as the owner of the tables where there is one apart, and give the application's role what it needs.

    Raises RolesAreWrong.
    """
    if settings.PGBOUNCER:
        keep_planner_settings()
    if not os.environ.get("DATABASE_OWNER_URL"):
        call_command("migrate", interactive=False, verbosity=0)
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        (role,) = cursor.fetchone()
    with connected_by(owner_settings()):
        call_command("migrate", interactive=False, verbosity=0)
        grant_rows_to(role)


@transaction.atomic
def grant_rows_to(role: str) -> None:
    """Let `role` read and write the rows of all tables of this connection's role, and nothing else.

    Raises RolesAreWrong where it could do more in spite of that.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user, current_schema(), current_database()")
        owner, schema, database = cursor.fetchone()
        if role == owner:
            raise RolesAreWrong(
                f"DATABASE_URL and DATABASE_OWNER_URL name the same role, “{role}”. Give the application a role of its "
                "own, or remove DATABASE_OWNER_URL (docs/operating.md, “Your own PostgreSQL”)."
            )
        names = {"schema": schema, "role": role, "database": database}
        cursor.execute(sql.SQL(GRANTS).format(**{key: sql.Identifier(name) for key, name in names.items()}))
        cursor.execute(TOO_MUCH, [role])
        if reasons := [why for why, is_so in zip(WHY, cursor.fetchone(), strict=True) if is_so]:
            raise RolesAreWrong(
                f"The role “{role}” of DATABASE_URL {' and '.join(reasons)}, so it could switch off the journal's "
                "triggers. Set up the roles as in docs/operating.md, “Your own PostgreSQL”."
            )


def owns_its_tables() -> str:
    """This connection's role, if it owns a guarded table or may act for its owner; otherwise an empty text."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_user FROM pg_class WHERE oid = ANY(%s::regclass[]) "
            "AND pg_has_role(current_user, relowner, 'USAGE') LIMIT 1",
            [list(GUARDED)],
        )
        found = cursor.fetchone()
    return found[0] if found else ""


def owner_settings() -> dict[str, Any]:
    """The settings of the default connection as the owner of the tables, who may be another role."""
    settings = dict(connections["default"].settings_dict)
    if url := os.environ.get("DATABASE_OWNER_URL"):
        owner = dj_database_url.parse(url)
        settings |= {name: owner[name] for name in ("NAME", "USER", "PASSWORD", "HOST", "PORT")}
        settings["OPTIONS"] = owner.get("OPTIONS", {})
    return settings


@contextmanager
def connected_by(changed: dict[str, Any]) -> Iterator[None]:
    """The default connection has these settings inside."""
    default = connections["default"]
    settings = default.settings_dict
    default.close()
    default.settings_dict = changed
    try:
        yield
    finally:
        default.close()
        default.settings_dict = settings
