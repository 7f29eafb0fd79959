"""Stores that were asked for."""

from django.db.models import QuerySet

from tourney.domain.keys import hash_of
from tourney.models import StoreRequest, User


def waiting_requests() -> QuerySet[StoreRequest]:
    """Those that nobody has decided, the oldest first."""
    return StoreRequest.objects.filter(state=StoreRequest.State.WAITING).select_related("user")


def request_numbered(number: int) -> StoreRequest | None:
    """The one of that id, decided or not; None if there is none."""
    return StoreRequest.objects.select_related("user").filter(pk=number).first()


def request_with(key: str) -> StoreRequest | None:
    """The one whose asker has this key, with its store."""
    return StoreRequest.objects.select_related("store", "user").filter(key_hash=hash_of(key)).first()


def is_taken(username: str) -> bool:
    """Whether somebody has that sign-in name, or waits for a store with it."""
    waiting = waiting_requests().filter(username__iexact=username)
    return User.objects.filter(username__iexact=username).exists() or waiting.exists()
