"""Print the standings of an event."""

import json

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tourney.models import Event
from tourney.printing.queries.score_sheet import as_data, as_text
from tourney.queries.state import state_of


class Command(BaseCommand):
    help = "Print the standings of an event after its last complete round."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the event's short name in its address")
        parser.add_argument("--json", action="store_true", help="print JSON instead of the score sheet")

    def handle(self, *, slug: str, **options: object) -> None:
        event = Event.objects.with_context().filter(slug=slug).first()
        if event is None:
            raise CommandError(f"There is no event “{slug}”.")
        state = state_of(event)
        text = (
            json.dumps(as_data(state), ensure_ascii=False, indent=1, default=str) if options["json"] else as_text(state)
        )
        self.stdout.write(text)
