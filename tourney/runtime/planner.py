"""What the planner of PostgreSQL is told with each connection, whichever PostgreSQL it is.

Its own defaults are made for disks that turn and for queries of minutes: an event's one query then reads all players
of all stores, and compiling it takes longer than its answer.
"""

from django.db import connection
from psycopg import sql

PLANNER_SETTINGS = {"jit": "off", "random_page_cost": "1.1"}


def with_planner_settings(options: str = "") -> str:
    """The `options` of a connection, as libpq takes them; those that somebody gave come last, so they win."""
    ours = (f"-c {name}={value}" for name, value in PLANNER_SETTINGS.items())
    return " ".join((*ours, options)).rstrip()


def keep_planner_settings() -> None:
    """Keep them with the role of this connection, in this database: a pooler takes no options.

    Connections that the pooler has open already learn of them when it makes them anew.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_database()")
        (database,) = cursor.fetchone()
        for name, value in PLANNER_SETTINGS.items():
            cursor.execute(sql.SQL("SHOW {}").format(sql.Identifier(name)))
            if cursor.fetchone() != (value,):
                keep = sql.SQL("ALTER ROLE CURRENT_USER IN DATABASE {} SET {} = {}")
                cursor.execute(keep.format(sql.Identifier(database), sql.Identifier(name), sql.Literal(value)))
