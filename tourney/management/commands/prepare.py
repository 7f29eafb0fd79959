"""Bring the database, the cards and the collected files up to date before the server starts."""

import io

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError

from tourney.actions.finals import keep_missing_finals
from tourney.runtime import collected, tables
from tourney.runtime.database_roles import RolesAreWrong, prepare_database
from tourney.sharing.actions.push import ensure_key


class Command(BaseCommand):
    help = (
        "Create or update the tables, load the cards that come with Flagship, and collect static files. Start it as "
        "often and on as many hosts as you like: one waits for the other. With DATABASE_OWNER_URL, that role owns the "
        "tables, and the role of DATABASE_URL can only read and write rows."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--tables", action="store_true", help="the tables only: no cards, no static files")

    def handle(self, *, tables: bool, **options: object) -> None:
        try:
            prepare(tables_only=tables)
        except (RolesAreWrong, OperationalError) as error:
            raise CommandError(f"The database can’t be prepared:\n{error}") from error
        self.stdout.write("The database is ready.")


def prepare(*, tables_only: bool) -> None:
    """Do it, while everybody else who wants to waits. Raises RolesAreWrong, and OperationalError without a database."""
    with tables.one_at_a_time():
        prepare_database()
        keep_missing_finals()
        ensure_key()
        if not tables_only:
            call_command("starter_cards", stdout=io.StringIO())
            collected.collect()
