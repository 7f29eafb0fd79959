"""Print the one-time link that makes an owner and a store, or the one with which an owner gets in again."""

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse
from django.utils import timezone

from tourney.actions.accounts import make_password_link
from tourney.actions.record import Actor, Refused
from tourney.actions.second_step import take_off
from tourney.actions.stores import set_up_key
from tourney.queries.accounts import owner_called


class Command(BaseCommand):
    help = (
        "Print a one-time link to create an owner and a store. Prints nothing if there is already an owner, "
        "unless you add --another. A new link replaces an unused one. With --owner NAME, print a link with which "
        "that owner chooses a new password; add --remove-authenticator if the owner lost the app with the codes, too."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--base-url", default="http://localhost:8000", help="the address of this installation")
        parser.add_argument("--another", action="store_true", help="for one more store on this installation")
        parser.add_argument("--owner", metavar="NAME", help="a new password for the owner with this sign-in name")

        parser.add_argument(
            "--remove-authenticator", action="store_true", help="with --owner: a sign-in asks for no code any more"
        )

    def handle(
        self,
        *,
        base_url: str,
        another: bool,
        owner: str | None = None,
        remove_authenticator: bool = False,
        **options: object,
    ) -> None:
        by = Actor(user=None, name="the command line", at=timezone.now())
        path = _new_password(owner, by, remove_authenticator) if owner else _set_up(another, by)
        if path:
            self.stdout.write(base_url.rstrip("/") + path)


def _set_up(another: bool, by: Actor) -> str:
    key = set_up_key(by=by, another=another)
    return reverse("set_up", args=[key]) if key else ""


def _new_password(name: str, by: Actor, without_app: bool) -> str:
    user = owner_called(name)
    if user is None:
        raise CommandError(f"No owner has the sign-in name “{name}”.")
    if without_app:
        try:
            take_off(user, by=by)
        except Refused as error:
            raise CommandError(str(error)) from error
    return reverse("new_password", args=[make_password_link(user, by=by)])
