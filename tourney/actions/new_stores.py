"""A store that somebody asks for: made at once, or kept until it is approved or declined."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, connection, transaction
from django.utils.crypto import salted_hmac

from tourney.actions.record import Actor, Refused
from tourney.actions.stores import make_store, make_user, save_new
from tourney.domain.keys import hash_of
from tourney.models import Store, StoreRequest, User
from tourney.queries.new_stores import is_taken
from tourney.runtime.messages import message

MOST_WAITING, MOST_OF_ADDRESS = 200, 3
"""Requests that wait for a decision: of all, and from one address."""
KEPT_DAYS = 30
"""For so long a request waits, and for so long who asked can read the decision."""
LOCK = 5108  # any number, as long as it is this lock's alone
State = StoreRequest.State


@dataclass(frozen=True, slots=True)
class NewStore:
    """What a new store begins with, as its form asks for it."""

    name: str
    place: str
    time_zone: str
    locale: str

    def facts(self) -> dict[str, str]:
        """The same, by the names of columns."""
        return {"name": self.name, "place": self.place, "time_zone": self.time_zone, "locale": self.locale}


@dataclass(frozen=True, slots=True)
class NewAccount:
    """The sign-in of who has none yet; the form has checked the password."""

    username: str
    password: str


@transaction.atomic
def make_at_once(wanted: NewStore, who: User | NewAccount, *, at: datetime) -> tuple[Store, User]:
    """The store and its owner, who is made with it if there is no such user. Raises Refused."""
    owner = who if isinstance(who, User) else make_user(who.username, who.password)
    store = make_store(**wanted.facts(), by=Actor(owner, owner.username, at), owner=owner)
    return store, owner


@transaction.atomic
def ask(wanted: NewStore, who: User | NewAccount, *, reason: str, address: str, at: datetime) -> str:
    """Keep the request until it is decided; the key of the page where its asker reads how it stands. Raises Refused.

    A password is hashed before anybody waits for the lock.
    """
    digest = salted_hmac("tourney.actions.new_stores", address, algorithm="sha256").hexdigest()
    mine: dict[str, User | str]
    if isinstance(who, User):
        mine = {"user": who}
    else:
        mine = {"username": who.username, "password": make_password(who.password)}
    key = secrets.token_urlsafe(24)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
    waiting = StoreRequest.objects.filter(state=State.WAITING)
    if waiting.filter(asked_from=digest).count() >= MOST_OF_ADDRESS:
        raise Refused(message("Requests from this network are already waiting. Try again once they are answered."))
    if waiting.count() >= MOST_WAITING:
        raise Refused(message("Too many requests are waiting. Try again in a few days."))
    if isinstance(who, NewAccount) and is_taken(who.username):
        raise Refused(message("The sign-in name “{name}” is taken. Choose another.", name=who.username))
    try:
        with transaction.atomic():
            StoreRequest.objects.create(
                **wanted.facts(), **mine, key_hash=hash_of(key), reason=reason, asked_from=digest, asked_at=at
            )
    except IntegrityError as error:  # whoever asks without this lock
        raise Refused(message("The request couldn’t be saved. Try again.")) from error
    return key


@transaction.atomic
def approve(request: StoreRequest, *, by: Actor) -> Store:
    """Make the store with its owner. Raises Refused if it was decided already, or the sign-in name is taken by now."""
    row = _locked(request)
    owner = row.user or save_new(User(username=row.username, password=row.password))
    facts = {name: getattr(row, name) for name in ("name", "place", "time_zone", "locale")}
    store = make_store(**facts, by=by, owner=owner)
    _decide(row, {"state": State.APPROVED, "store": store}, by.at)
    return store


@transaction.atomic
def decline(request: StoreRequest, *, answer: str = "", by: Actor) -> None:
    """Say no; who asked reads the answer. Raises Refused if it was decided already."""
    _decide(_locked(request), {"state": State.DECLINED, "answer": answer}, by.at)


@transaction.atomic
def withdraw(request: StoreRequest) -> None:
    """Who asked no longer wants it: nothing of it is kept. Raises Refused if it was decided already."""
    _locked(request).delete()


def let_approve(user: User, may: bool = True) -> None:
    """Whether this user approves and declines, whatever stores there are."""
    User.objects.filter(pk=user.pk).update(is_staff=may)


def forget_old(now: datetime) -> None:
    """Delete what has waited, or was decided, too long ago."""
    over = now - timedelta(days=KEPT_DAYS)
    StoreRequest.objects.filter(state=State.WAITING, asked_at__lte=over).delete()
    StoreRequest.objects.exclude(state=State.WAITING).filter(decided_at__lte=over).delete()


def _locked(request: StoreRequest) -> StoreRequest:
    row = StoreRequest.objects.select_for_update(of=("self",)).filter(pk=request.pk).first()
    if row is None:
        raise Refused(message("This request was withdrawn or has expired."))
    if row.state == State.APPROVED:
        raise Refused(message("This request has already been approved."))
    if row.state == State.DECLINED:
        raise Refused(message("This request has already been declined."))
    return row


def _decide(row: StoreRequest, decision: Mapping[str, object], at: datetime) -> None:
    """With the decision go the password, the address, and what was said only to who decides."""
    for name, value in decision.items():
        setattr(row, name, value)
    row.password = row.asked_from = row.reason = ""
    row.decided_at = at
    row.save()
