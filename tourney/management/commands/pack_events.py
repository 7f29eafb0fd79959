"""python manage.py pack_events [--older-than DAYS]: the history of events that are long over takes less room."""

from datetime import timedelta

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from tourney.actions.packed_history import pack_cold


class Command(BaseCommand):
    help = (
        "Pack the history of events that were finished long ago, as the server does each hour. Everything reads it as "
        "before."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--older-than",
            type=int,
            default=settings.PACK_AFTER_DAYS,
            metavar="DAYS",
            help="days since the event was finished and last changed (default: %(default)s, from PACK_AFTER_DAYS)",
        )

    def handle(self, *, older_than: int, **options: object) -> None:
        packed = sum(1 for _ in pack_cold(timezone.now() - timedelta(days=older_than)))
        self.stdout.write(f"{packed:,} event{'' if packed == 1 else 's'} packed.")
