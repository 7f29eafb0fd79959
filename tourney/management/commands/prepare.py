"""Bring the database up to date before the program runs."""

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError

from tourney.actions.finals import keep_missing_finals
from tourney.runtime.database_roles import RolesAreWrong, prepare_database
from tourney.sharing.actions.push import ensure_key


class Command(BaseCommand):
    help = (
        "Create or update the tables. With DATABASE_OWNER_URL, that role owns the tables, and the role of DATABASE_URL "
        "can only read and write rows."
    )

    def handle(self, **options: object) -> None:
        try:
            prepare_database()
        except (RolesAreWrong, OperationalError) as error:
            raise CommandError(str(error)) from error
        keep_missing_finals()
        ensure_key()
        self.stdout.write("The database is ready.")
