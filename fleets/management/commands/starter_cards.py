"""Put the starter list into the card catalogue; the start of the server does it too."""

from django.core.management.base import BaseCommand

from fleets.starter import load


class Command(BaseCommand):
    help = "Put the cards that come with Flagship into the catalogue. Cards that were imported stay as they are."

    def handle(self, **options: object) -> None:
        report = load()
        self.stdout.write(f"{report.added} added, {report.changed} changed, {report.unchanged} unchanged.")
