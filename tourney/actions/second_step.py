"""Authenticator apps with their recovery codes, and passkeys: turned on, used, turned off."""

from datetime import datetime
from hashlib import sha256
from typing import Any

from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, validate_totp_code
from allauth.mfa.utils import decrypt
from allauth.mfa.webauthn.internal.auth import WebAuthn
from django.db import transaction

from tourney.actions import attempts
from tourney.actions.accounts import record_at_each_store, refuse_strangers
from tourney.actions.record import Actor, Refused
from tourney.domain.verbs import Verb
from tourney.models import User
from tourney.queries.accounts import app_of, codes_of, passkeys_of
from tourney.runtime.messages import message

MOST_PASSKEYS = 10


@transaction.atomic
def turn_on(user: User, secret: str) -> None:
    """From now on a sign-in by password asks for a code that is made of this secret. There are recovery codes, too."""
    User.objects.select_for_update().get(pk=user.pk)
    if app_of(user) is None:
        TOTP.activate(user, secret)
        RecoveryCodes.activate(user)


@transaction.atomic
def turn_off(user: User) -> None:
    """The password alone is enough again; the recovery codes are gone with the app."""
    kinds = (Authenticator.Type.TOTP, Authenticator.Type.RECOVERY_CODES)
    Authenticator.objects.filter(user=user, type__in=kinds).delete()


@transaction.atomic
def take_off(user: User, *, by: Actor) -> None:
    """Turn it off for somebody who lost the app. Raises Refused for an owner who may not (`may_help`)."""
    refuse_strangers(user, by)
    if app_of(user) is None:
        raise Refused(message("{name} has no authenticator app.", name=user.username))
    turn_off(user)
    what = message("Authenticator app of {name} removed.", name=user.username)
    record_at_each_store(user, Verb.REMOVE_AUTHENTICATOR, what, by)


@transaction.atomic
def make_new_codes(user: User) -> None:
    """Ten other recovery codes; those of before end."""
    User.objects.select_for_update().get(pk=user.pk)
    if app_of(user):
        Authenticator.objects.filter(user=user, type=Authenticator.Type.RECOVERY_CODES).delete()
        RecoveryCodes.activate(user)


def is_right(user: User, code: str, now: datetime) -> bool:
    """Whether that is a code of the user's app, or a recovery code; either works once, whichever process is asked."""
    app, codes = app_of(user), codes_of(user)
    if app and validate_totp_code(decrypt(app.data["secret"]), code):
        return is_first_use(user, code, now)
    return codes is not None and RecoveryCodes(codes).validate_code(code)


def is_first_use(user: User, code: str, now: datetime) -> bool:
    """Whether this code of the app was not used in the last minutes; now it is."""
    digest = sha256(normalize_user_code(code).encode()).hexdigest()[:16]
    return attempts.count(f"used {user.pk} {digest}", 1, now)


@transaction.atomic
def add_passkey(user: User, name: str, credential: dict[str, Any]) -> None:
    """One more passkey, as the browser described it. Raises Refused where there are too many."""
    User.objects.select_for_update().get(pk=user.pk)
    if len(passkeys_of(user)) >= MOST_PASSKEYS:
        raise Refused(message("You have {n} passkeys. Remove one first.", n=MOST_PASSKEYS))
    WebAuthn.add(user, name, credential)


def remove_passkey(user: User, number: int) -> bool:
    """The passkey of that id signs in nobody any more; False if there was none."""
    rows = Authenticator.objects.filter(user=user, type=Authenticator.Type.WEBAUTHN, pk=number)
    return bool(rows.delete()[0])
