"""The stores of this installation, and the requests for more."""

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from tourney.access import COMMAND_LINE
from tourney.actions import new_stores
from tourney.actions.record import Actor, Refused
from tourney.forms.joining import visible
from tourney.models import Role, Store, StoreRequest, User
from tourney.queries.new_stores import request_numbered, waiting_requests
from tourney.queries.stores import stores_by_name


class Command(BaseCommand):
    help = "List the stores and the requests for new ones; approve or decline a request; name more people who can."

    def add_arguments(self, parser: CommandParser) -> None:
        does = parser.add_subparsers(dest="do", required=True)
        does.add_parser("list", help="stores, then requests that wait, each with its number")
        approve = does.add_parser("approve", help="create the store that was asked for")
        approve.add_argument("number", type=int)
        decline = does.add_parser("decline", help="decline a request")
        decline.add_argument("number", type=int)
        decline.add_argument("--answer", default="", help="a sentence for the sender")
        approver = does.add_parser("approver", help="let a person approve and decline on the page")
        approver.add_argument("name", help="the sign-in name")
        approver.add_argument("--remove", action="store_true", help="no longer")

    def handle(self, *, do: str, **options: object) -> None:
        by = Actor(user=None, name=COMMAND_LINE, at=timezone.now())
        try:
            if do == "list":
                self._list()
            elif do == "approve":
                store = new_stores.approve(self._request(options["number"]), by=by)
                self.stdout.write(f"Created: {visible(store.name)} at {store.get_absolute_url()}")
            elif do == "decline":
                asked = self._request(options["number"])
                new_stores.decline(asked, answer=str(options["answer"])[:300], by=by)
                self.stdout.write(f"Declined: {visible(asked.name)}")
            else:
                self._name(str(options["name"]), bool(options["remove"]))
        except Refused as error:
            raise CommandError(str(error)) from error

    def _list(self) -> None:
        for store in stores_by_name():
            self.stdout.write(_line(store.slug, store.name, store.place))
        for asked in waiting_requests():
            self.stdout.write(f"\nRequest {asked.pk}, {asked.asked_at:%Y-%m-%d %H:%M} UTC: {_said(asked)}")
        if not Store.objects.real().exists() and not waiting_requests().exists():
            self.stdout.write("No stores, and no requests.")

    def _request(self, number: object) -> StoreRequest:
        asked = request_numbered(int(str(number)))
        if asked is None:
            raise CommandError(f"There is no request {number}. `stores list` has their numbers.")
        return asked

    def _name(self, name: str, is_over: bool) -> None:
        user = User.objects.filter(username__iexact=name).first()
        if user is None:
            raise CommandError(f"Nobody signs in as “{name}”.")
        new_stores.let_approve(user, not is_over)
        self.stdout.write(f"{user.username} {'no longer approves' if is_over else 'approves'} requests for stores.")
        if not is_over and not user.memberships.filter(role=Role.OWNER).exists():
            self.stdout.write("The page is under the settings of a store: make them an owner of one.")


def _said(asked: StoreRequest) -> str:
    """Who asks for what and why."""
    name = asked.user.username if asked.user else asked.username
    return _line(asked.name, asked.place, asked.time_zone, name, asked.reason)


def _line(*texts: str) -> str:
    """What strangers typed, on one line and without what a terminal would obey."""
    return " · ".join(filter(None, map(visible, texts)))
