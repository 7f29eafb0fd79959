"""Delete a store with everything of it."""

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from tourney.access import COMMAND_LINE
from tourney.actions import deleting
from tourney.actions.record import Actor, Refused
from tourney.models import Store


class Command(BaseCommand):
    help = (
        "Delete a store for good: events, players, results, journal and history. Asks for its name first. "
        "Its addresses are never used again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the part of its address after /s/; `stores list` has it")
        parser.add_argument("--name", help="the name of the store, in place of the question")

    def handle(self, *, slug: str, name: str | None, **options: object) -> None:
        store = Store.objects.real().filter(slug=slug).first()
        if store is None:
            raise CommandError(f"There is no store “{slug}”.")
        typed = input(f"Type the name of the store, {store.name}, to delete it: ") if name is None else name
        if typed.strip().casefold() != store.name.casefold():
            raise CommandError("Nothing was deleted: that’s not the name.")
        try:
            deleting.delete_store(store, by=Actor(None, COMMAND_LINE, timezone.now()))
        except Refused as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Deleted: {store.name}")
