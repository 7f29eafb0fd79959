"""Take a card catalogue over from a file."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from fleets.catalogue import take_over
from fleets.domain.card_table import read_table
from fleets.domain.space_dock import MOST_BYTES, NotACatalogue, read_catalogue

SHOWN = 10


class Command(BaseCommand):
    help = "Take over cards: Space Dock's Data.xml, or a table (docs/cards.md). Again later: changes are updated."

    def add_arguments(self, parser):
        parser.add_argument("file", type=Path, help="the catalogue")
        parser.add_argument("--all", action="store_true", help="list everything that was not understood")

    def handle(self, file, all=False, **options):
        try:
            with file.open("rb") as opened:
                data = opened.read(MOST_BYTES + 1)
            is_table = file.suffix.casefold() == ".csv"
            catalogue = read_table(data) if is_table else read_catalogue(data)
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from error
        except NotACatalogue as error:
            raise CommandError(f"{file} was not imported. Nothing was changed.\n{error}") from error
        self.stdout.write(f"{len(catalogue.entries)} cards read. Saving …")
        source = file.name if is_table else f"Space Dock {catalogue.version}".strip()
        report = take_over(catalogue, source=source[:80])
        self.stdout.write(f"{report.added} added, {report.changed} changed, {report.unchanged} unchanged.")
        if report.not_understood:
            shown = report.not_understood if all else report.not_understood[:SHOWN]
            self.stdout.write(f"{len(report.not_understood)} not understood:")
            self.stdout.writelines(f"  {sentence}" for sentence in shown)
            if len(shown) < len(report.not_understood):
                self.stdout.write(f"  … and {len(report.not_understood) - len(shown)} more (--all lists them)")
