"""The accounts of staff: links for a new password, e-mail addresses, and devices that are signed out."""

from collections.abc import Collection
from datetime import datetime

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.auth.tokens import default_token_generator
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils.http import int_to_base36

from tourney.actions.record import Actor, Refused, record_at_store
from tourney.domain.devices import device_of
from tourney.domain.verbs import Verb
from tourney.models import Store, User
from tourney.queries.accounts import may_help, user_of_link
from tourney.runtime.client_address import network_of
from tourney.runtime.messages import Message, message

LINK_GONE = message("This link no longer works. Each link works once.")
NO_ADDRESS = "0.0.0.0"  # a column of allauth's that wants one: we keep the network alone, without its end


# a new password


@transaction.atomic
def make_password_link(user: User, *, by: Actor) -> str:
    """The key of a link with which this user chooses a new password. Nothing of it is stored.

    It ends with its first use, the next sign-in or after PASSWORD_RESET_TIMEOUT. Raises Refused for an owner who may
    not (`may_help`); the command line may.
    """
    refuse_strangers(user, by)
    what = message("Link for a new password created for {name}.", name=user.username)
    record_at_each_store(user, Verb.MAKE_PASSWORD_LINK, what, by)
    return password_key(user)


def password_key(user: User) -> str:
    """The key of a link with which this user chooses a new password."""
    return f"{int_to_base36(user.pk)}-{default_token_generator.make_token(user)}"


@transaction.atomic
def choose_password(key: str, password: str) -> User:
    """Use a link: that user has this password from now on, and is signed out everywhere. Raises Refused."""
    found = user_of_link(key)
    if found:
        User.objects.select_for_update().get(pk=found.pk)  # of two at once, the second finds the link used
    user = user_of_link(key)
    if user is None:
        raise Refused(LINK_GONE)
    user.set_password(password)
    user.save(update_fields=["password"])
    end_sessions(user)
    return user


def refuse_strangers(user: User, by: Actor) -> None:
    """Raises Refused for an owner who may not get this user in again (`may_help`); the command line may."""
    if by.user and not may_help(by.user, user):
        if user.is_staff and not by.user.is_staff:
            raise Refused(
                message(
                    "{name} approves new stores here. Only another approver, or the person who runs this "
                    "installation, can do this.",
                    name=user.username,
                )
            )
        raise Refused(
            message(
                "{name} also has a role at a store that isn’t yours. "
                "Only someone who owns all those stores can do this.",
                name=user.username,
            )
        )


def record_at_each_store(user: User, did: Verb, what: Message, by: Actor) -> None:
    """What was done about this user's sign-in, in the journal of each store where they have a role."""
    for store in Store.objects.real().filter(memberships__user=user).order_by("pk"):
        record_at_store(store, by=by, did=did, what=what)


# e-mail


@transaction.atomic
def give_address(user: User, email: str) -> EmailAddress | None:
    """This user's e-mail address from now on, not confirmed yet, instead of any other; empty: none."""
    User.objects.select_for_update().get(pk=user.pk)
    kept = EmailAddress.objects.filter(user=user, email__iexact=email).first() if email else None
    if kept:
        return kept
    EmailAddress.objects.filter(user=user).delete()
    return EmailAddress.objects.create(user=user, email=email, primary=True) if email else None


# devices


def remember_session(user: User, key: str, *, address: str, user_agent: str, at: datetime) -> None:
    """This session is on the list of the user's devices, with what a person knows the device by."""
    facts = {
        "user": user,
        "ip": NO_ADDRESS,
        "user_agent": device_of(user_agent),
        "data": {"network": network_of(address)},
        "last_seen_at": at,
    }
    UserSession.objects.update_or_create(session_key=key, defaults=facts, create_defaults=facts | {"created_at": at})


@transaction.atomic
def end_session(user: User, number: int) -> bool:
    """Sign out the device of that id; False if it was signed out before."""
    found = UserSession.objects.filter(user=user, pk=number).first()
    if found:
        _end([found.session_key])
    return found is not None


@transaction.atomic
def end_sessions(user: User, *, but: str | None = None) -> None:
    """Sign this user out on every device, but for the session with that key."""
    listed = UserSession.objects.filter(user=user).exclude(session_key=but)
    _end(list(listed.values_list("session_key", flat=True)))


def _end(keys: Collection[str]) -> None:
    Session.objects.filter(session_key__in=keys).delete()
    UserSession.objects.filter(session_key__in=keys).delete()


def forget_ended() -> None:
    """The list of devices without those whose session is gone."""
    UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()
