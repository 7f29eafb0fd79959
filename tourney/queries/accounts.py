"""The accounts of staff: links for a new password, e-mail addresses, signed-in devices, and who may help whom."""

from datetime import datetime

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.auth.tokens import default_token_generator
from django.contrib.sessions.models import Session
from django.utils.http import base36_to_int

from tourney.models import Membership, Role, User


def user_of_link(key: str) -> User | None:
    """Whose new password this link is for; None where it is wrong, used or too old."""
    number, _, token = key.partition("-")
    try:
        user = User.objects.filter(pk=base36_to_int(number), is_active=True).first()
    except (ValueError, OverflowError):
        return None
    return user if user and default_token_generator.check_token(user, token) else None


def owner_called(name: str) -> User | None:
    """Who owns a store and has that sign-in name, in capitals or not."""
    owners = Membership.objects.filter(role=Role.OWNER, store__rehearsal=None)
    return User.objects.filter(username__iexact=name, is_active=True, pk__in=owners.values("user")).first()


def may_help(helper: User, member: User) -> bool:
    """Whether this owner may get the other one in again: only who owns every store where that one has a role.

    A link for a new password is worth all roles of its user, also those at a store of somebody else.
    """
    owned = Membership.objects.filter(user=helper, role=Role.OWNER).values("store")
    return not Membership.objects.filter(user=member, store__rehearsal=None).exclude(store__in=owned).exists()


# e-mail


def address_of(user: User) -> EmailAddress | None:
    """The e-mail address that this user gave, confirmed or not."""
    return EmailAddress.objects.filter(user=user).first()


def user_with_address(email: str) -> User | None:
    """Who confirmed that this e-mail address is theirs."""
    found = EmailAddress.objects.filter(email__iexact=email, verified=True, user__is_active=True)
    address = found.select_related("user").first()
    return address.user if address else None


# devices


def sessions_of(user: User, now: datetime) -> list[UserSession]:
    """The devices where this user is signed in, the latest first; not those that a changed password signed out."""
    rows = list(UserSession.objects.filter(user=user).order_by("-created_at", "-pk"))
    lasting = Session.objects.filter(expire_date__gt=now).in_bulk([row.session_key for row in rows])
    wanted = user.get_session_auth_hash()
    return [
        row
        for row in rows
        if (session := lasting.get(row.session_key)) and session.get_decoded().get(HASH_SESSION_KEY) == wanted
    ]


# the second step


def has_app(user: User) -> bool:
    """Whether a sign-in by password asks this user for a code, too."""
    return Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP).exists()
