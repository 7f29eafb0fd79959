"""List what cards of a catalogue say about building that is left to a person."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from fleets.catalogue import read_file
from fleets.domain.card_rules import not_checked
from fleets.domain.card_texts import card_texts
from fleets.domain.space_dock import MOST_BYTES, NotACatalogue


class Command(BaseCommand):
    help = "List the building rules of a catalogue that aren’t fully checked, card by card (docs/cards.md)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the catalogue file")

    def handle(self, file: Path, **options: object) -> None:
        try:
            with file.open("rb") as opened:
                catalogue, _ = read_file(file.name, opened.read(MOST_BYTES + 1))
        except OSError as error:
            raise CommandError(f"{file} can’t be read: {error.strerror}.") from error
        except NotACatalogue as error:
            raise CommandError(str(error)) from error
        left = [entry.card for entry in catalogue.entries if not_checked(entry.card)]
        for card in left:
            text = card_texts().get(card.key)
            self.stdout.write(f"{card.title} ({card.key}){f': {text.note}' if text and text.note else ''}")
            for clause in not_checked(card):
                self.stdout.write(f"  {clause}")
        cards = "1 card" if len(left) == 1 else f"{len(left)} cards"
        self.stdout.write(f"{cards} of {len(catalogue.entries)} not fully checked.")
