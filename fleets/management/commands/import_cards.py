"""Take a card catalogue over from a file."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from fleets.catalogue import import_cards, read_file
from fleets.domain.space_dock import MOST_BYTES, NotACatalogue

SHOWN = 10


class Command(BaseCommand):
    help = "Import cards from Space Dock's Data.xml or a table (docs/cards.md). Cards that changed are updated."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the catalogue file")
        parser.add_argument("--all", action="store_true", help="list everything that couldn’t be read")

    def handle(self, file: Path, all: bool = False, **options: object) -> None:
        self.stdout.write(f"Reading {file} …")
        try:
            with file.open("rb") as opened:
                data = opened.read(MOST_BYTES + 1)
            catalogue, source = read_file(file.name, data)
        except OSError as error:
            raise CommandError(f"{file} can’t be read: {error.strerror}.") from error
        except NotACatalogue as error:
            raise CommandError(f"Nothing changed. {file} was not imported.\n{error}") from error
        self.stdout.write(f"{len(catalogue.entries)} cards read. Saving …")
        done = import_cards(catalogue, source=source, by_name="the command line", at=timezone.now())
        self.stdout.write(f"{done.added} added, {done.changed} changed, {done.unchanged} unchanged.")
        if done.not_understood:
            shown = done.sentences if all else done.sentences[:SHOWN]
            self.stdout.write(f"{len(done.not_understood)} couldn’t be read:")
            for sentence in shown:
                self.stdout.write(f"  {sentence}")
            if len(shown) < len(done.not_understood):
                self.stdout.write(f"  … and {len(done.not_understood) - len(shown)} more (--all lists them)")
