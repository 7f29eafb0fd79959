"""The accounts of staff: links for a new password, e-mail addresses, signed-in devices, and who may help whom."""

import json
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.usersessions.models import UserSession
from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.auth.tokens import default_token_generator
from django.contrib.sessions.models import Session
from django.utils.http import base36_to_int
from fido2.utils import websafe_decode

from tourney.models import Membership, Role, User
from tourney.runtime.client_address import UNKNOWN, network_in_words
from tourney.runtime.messages import Message


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

    A link for a new password is worth all roles of its user, also those at a store of somebody else, and that they
    approve new stores.
    """
    if member.is_staff and not helper.is_staff:
        return False
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


@dataclass(frozen=True, slots=True)
class Device:
    """A device where somebody is signed in: what it calls itself, from which network, since when, by which session."""

    pk: int
    session_key: str
    user_agent: str
    network_in_words: str | Message
    created_at: datetime


def sessions_of(user: User, now: datetime) -> list[Device]:
    """The devices where this user is signed in, the latest first; not those that a changed password signed out."""
    rows = list(UserSession.objects.filter(user=user).order_by("-created_at", "-pk"))
    lasting = Session.objects.filter(expire_date__gt=now).in_bulk([row.session_key for row in rows])
    wanted = user.get_session_auth_hash()
    return [
        Device(
            row.pk,
            row.session_key,
            row.user_agent,
            network_in_words(row.data.get("network", UNKNOWN)),
            row.created_at,
        )
        for row in rows
        if (session := lasting.get(row.session_key)) and session.get_decoded().get(HASH_SESSION_KEY) == wanted
    ]


# the second step, and passkeys


@dataclass(frozen=True, slots=True)
class Passkey:
    """A passkey of somebody: what they call it, the one address that it works at, since when, and when last used."""

    number: int
    name: str
    host: str
    added_at: datetime
    used_at: datetime | None


def app_of(user: User) -> Authenticator | None:
    """The user's authenticator app, whose code a sign-in by password asks for."""
    return Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP).first()


def codes_of(user: User) -> Authenticator | None:
    """The user's recovery codes."""
    return Authenticator.objects.filter(user=user, type=Authenticator.Type.RECOVERY_CODES).first()


def unused_codes(user: User) -> list[str]:
    """The recovery codes that still work."""
    codes = codes_of(user)
    return RecoveryCodes(codes).get_unused_codes() if codes else []


def passkeys_of(user: User) -> list[Passkey]:
    """The user's passkeys, in the order in which they were added."""
    rows = Authenticator.objects.filter(user=user, type=Authenticator.Type.WEBAUTHN).order_by("created_at", "pk")
    return [Passkey(row.pk, row.data["name"], _host_of(row), row.created_at, row.last_used_at) for row in rows]


def _host_of(row: Authenticator) -> str:
    """The address that it was made at, as the browser signed it."""
    said = json.loads(websafe_decode(row.data["credential"]["response"]["clientDataJSON"]))
    return urlsplit(said["origin"]).hostname or ""
