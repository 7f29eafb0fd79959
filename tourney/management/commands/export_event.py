"""Write an event's archive."""

import json
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tourney.models import Event
from tourney.queries.archive import archive_of


class Command(BaseCommand):
    help = "Write everything needed to rebuild an event as one JSON file (docs/archive.md)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the event's short name in its address")
        parser.add_argument("--to", type=Path, help="the file to write (default: standard output)")

    def handle(self, *, slug: str, to: Path | None = None, **options: object) -> None:
        event = Event.objects.with_context().filter(slug=slug).first()
        if event is None:
            raise CommandError(f"There is no event “{slug}”.")
        text = json.dumps(archive_of(event), ensure_ascii=False, indent=1)
        if to:
            to.write_text(text + "\n", encoding="utf-8")
        else:
            self.stdout.write(text)
