"""Read an event back from its archive."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from tourney.actions.archive import SHOWN, InvalidArchive, import_event, keeps_other_season_rules
from tourney.actions.record import Actor
from tourney.domain.archive_file import MOST_BYTES, NotAnArchive, read
from tourney.models import Store
from tourney.runtime.isolated import ProcessLimits, call

LIMITS = ProcessLimits(memory=1024**3, result=2 * MOST_BYTES, cpu=60, wall=120)


class Command(BaseCommand):
    help = "Rebuild an event from its archive (docs/archive.md). A file with errors changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the archive")
        parser.add_argument("--store", help="the store's short name in its address (needed if there are several)")

    def handle(self, *, file: Path, store: str | None = None, **options: object) -> None:
        stores = Store.objects.real().filter(slug=store) if store else Store.objects.real()
        if stores.count() != 1:
            known = ", ".join(Store.objects.real().values_list("slug", flat=True)) or "none yet"
            raise CommandError(f"Name the store with --store. Stores here: {known}.")
        try:
            with file.open("rb") as opened:
                data: Any = call(read, opened.read(MOST_BYTES + 1), refusal=NotAnArchive, limits=LIMITS)
        except OSError as error:
            raise CommandError(f"{file} can’t be read: {error.strerror}.") from error
        except NotAnArchive as error:
            raise CommandError(f"Nothing changed. {file} was not imported.\n{error}") from error
        by = Actor(user=None, name="command line", at=timezone.now())
        try:
            event = import_event(stores.get(), data, by=by)
        except InvalidArchive as error:
            more = len(error.errors) - SHOWN
            rest = f"\n… and {more} more." if more > 0 else ""
            raise CommandError(f"Nothing changed. {file} was not imported.\n{error}{rest}") from error
        self.stdout.write(f"Imported “{event.name}” as {event.slug}.")
        if keeps_other_season_rules(event, data):
            self.stdout.write(f"“{event.campaign}” keeps its own season rules. The archive has others.")
