"""Print the one-time link that makes an owner and a store."""

from django.core.management.base import BaseCommand, CommandParser
from django.urls import reverse
from django.utils import timezone

from tourney.actions.record import Actor
from tourney.actions.stores import set_up_key


class Command(BaseCommand):
    help = (
        "Print a one-time link to create an owner and a store. Prints nothing if there is already an owner, "
        "unless you add --another. A new link replaces an unused one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--base-url", default="http://localhost:8000", help="the address of this installation")
        parser.add_argument("--another", action="store_true", help="for one more store on this installation")

    def handle(self, *, base_url: str, another: bool, **options: object) -> None:
        key = set_up_key(by=Actor(user=None, name="the command line", at=timezone.now()), another=another)
        if key:
            self.stdout.write(base_url.rstrip("/") + reverse("set_up", args=[key]))
