#!/usr/bin/env python
"""Management commands; without DATABASE_URL the embedded PostgreSQL is started first."""

import io
import os
import sys

WITHOUT_DATABASE = {"help", "version", "--help", "--version", "-h", "collectstatic"}
OURS = ("tourney", "fleets", "scoring")
PREPARES = "prepare"  # which brings the tables up to date itself
AS_THEY_ARE = {PREPARES, "backup"}  # commands that take the tables in whatever state they are
BESIDE_SERVER = "BESIDE_SERVER"  # variable of what a server starts, which alone decides whether its database runs


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tourney.settings")
    if sys.argv[1:] and not WITHOUT_DATABASE & set(sys.argv):
        is_servers = BESIDE_SERVER in os.environ
        if not os.environ.get("DATABASE_URL"):
            use_embedded_database(start=not is_servers)
        if not is_servers and sys.argv[1] not in AS_THEY_ARE and is_ours(sys.argv[1]):
            bring_tables_up_to_date()

    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


def use_embedded_database(*, start: bool) -> None:
    from tourney.runtime import embedded

    try:
        if start:
            embedded.ensure_running()
        else:
            embedded.hold()
    except embedded.DatabaseDidNotStart as error:
        sys.exit(str(error))


def is_ours(command: str) -> bool:
    """Whether it is a command of this project, which needs its tables; Django's own can do without."""
    import django
    from django.core.management import get_commands

    django.setup()
    return get_commands().get(command) in OURS


def bring_tables_up_to_date() -> None:
    """Make or update the tables of the embedded database; exit with what to do where the database is one's own."""
    from django.core.management import call_command
    from django.db import OperationalError

    from tourney.runtime import tables

    try:
        if tables.are_up_to_date():
            return
    except OperationalError as error:
        sys.exit(f"The database of DATABASE_URL doesn’t answer:\n{error}")
    if os.environ.get("DATABASE_URL"):
        sys.exit(tables.OUT_OF_DATE)
    call_command(PREPARES, tables=True, stdout=io.StringIO())


if __name__ == "__main__":
    main()
