"""Somebody who asks for a store."""

from django.utils import timezone

from tourney.actions import new_stores
from tourney.actions.new_stores import NewAccount, NewStore

PASSWORD = "long range scan"
REASON = "We are eight at the club and would like to play each month."


def asked_for_a_store(
    name: str = "Deck Twelve", username: str = "quill", place: str = "Chemnitz", address: str = "192.0.2.1"
) -> str:
    """Ask as quill does; the key of the page where it stands."""
    wanted = NewStore(name, place, "Europe/Berlin", "de_DE")
    return new_stores.ask(wanted, NewAccount(username, PASSWORD), reason=REASON, address=address, at=timezone.now())
