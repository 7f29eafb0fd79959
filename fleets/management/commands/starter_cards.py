"""Put the starter list into the card catalogue; the start of the server does it too."""

from django.core.management.base import BaseCommand

from fleets.starter import load


class Command(BaseCommand):
    help = "Add the cards that come with Flagship to the catalogue. Imported cards stay as they are."

    def handle(self, **options: object) -> None:
        report = load()
        self.stdout.write(f"{report.added} added, {report.changed} changed, {report.unchanged} unchanged.")
