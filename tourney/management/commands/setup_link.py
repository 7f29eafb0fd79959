"""Print the one-time link that makes the first owner and store."""

from django.core.management.base import BaseCommand
from django.urls import reverse
from django.utils import timezone

from tourney.actions.record import Stamp
from tourney.actions.stores import set_up_key


class Command(BaseCommand):
    help = "Print the one-time set-up link; nothing if there is an owner. A new link replaces the one before."

    def add_arguments(self, parser):
        parser.add_argument("--base-url", default="http://localhost:8000", help="where this installation answers")

    def handle(self, base_url, **options):
        key = set_up_key(by=Stamp(user=None, name="the command line", at=timezone.now()))
        if key:
            self.stdout.write(base_url.rstrip("/") + reverse("set_up", args=[key]))
