"""python manage.py prove_history [slug …]: every event built anew from its history is what is stored."""

from django.core.management.base import BaseCommand, CommandError

from tourney.models import Event
from tourney.queries.history import differences, rows_at


class Command(BaseCommand):
    help = "Build events anew from their history and compare them with what is stored (all, or those named)."

    def add_arguments(self, parser) -> None:
        parser.add_argument("slugs", nargs="*", metavar="slug")

    def handle(self, *, slugs: list[str], **options) -> None:
        events = Event.objects.filter(slug__in=slugs) if slugs else Event.objects.all()
        if missing := set(slugs) - {event.slug for event in events}:
            raise CommandError(f"There is no event {', '.join(sorted(missing))}.")
        wrong = [event for event in events.order_by("pk") if not self._is_proved(event)]
        if wrong:
            raise CommandError(f"{len(wrong)} of {len(events)} events are not what their history says.")

    def _is_proved(self, event: Event) -> bool:
        found = differences(event)
        if not found:
            self.stdout.write(f"{event.slug}: {len(rows_at(event))} rows, all as the history says")
        for one in found:
            self.stdout.write(f"{event.slug}: {one.table} {one.row} is not as the history says")
        return not found
