"""How staff come in: what every way to sign in ends with, and what django-allauth asks of us for it."""

import time
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from ipaddress import ip_address
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import get_authentication_records, perform_login, record_authentication
from allauth.account.models import Login
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.stages import AuthenticateStage
from allauth.mfa.webauthn.internal.flows import did_use_passwordless_login
from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme, urlencode

from tourney.actions import accounts, attempts, sign_ins
from tourney.models import SignInOutcome, User
from tourney.queries.accounts import app_of
from tourney.queries.stores import first_store_of
from tourney.views import throttle

CONFIRMED = timedelta(minutes=10)
"""How long after a password or a passkey was asked for it isn’t asked for again."""
UNFINISHED = timedelta(minutes=15)
"""How long a session lasts in which nobody is signed in yet."""
LOCAL = "localhost"
MODEL_BACKEND = "django.contrib.auth.backends.ModelBackend"


def arrive(request: HttpRequest, user: User, method: str, to: str | None, **facts: object) -> HttpResponse:
    """Sign in whoever proved by this method to be that user: at once, or after the second step where one is asked for.

    `to` is a page of ours to go on to; empty for the user's store.
    """
    record_authentication(request, user, method, **facts)
    return perform_login(request, Login(user=user, redirect_url=to or None))


def come_in(request: HttpRequest, user: User) -> None:
    """Sign in who has just chosen a name and a password."""
    login(request, user, backend=MODEL_BACKEND)
    record_authentication(request, user, "password")
    be_known(request, user)


def be_known(request: HttpRequest, user: User) -> None:
    """Whoever has just signed in is on the list of their devices."""
    request.session.set_expiry(None)
    accounts.remember_session(
        user,
        request.session.session_key or "",
        address=throttle.address_of(request),
        user_agent=request.headers.get("User-Agent", ""),
        at=timezone.now(),
    )


def note(request: HttpRequest, name: str, outcome: str) -> None:
    """Tell the owners of this user's stores what came of a sign-in."""
    agent = request.headers.get("User-Agent", "")
    sign_ins.log_sign_in(name, outcome, throttle.address_of(request), agent, timezone.now())


def is_ours(request: HttpRequest, to: str) -> bool:
    """Whether that is a page of this site."""
    return url_has_allowed_host_and_scheme(to, {request.get_host()}, require_https=request.is_secure())


# who is signed in, asked again


def is_confirmed(request: HttpRequest) -> bool:
    """Whether who is signed in has shown in the last minutes that it is them."""
    records = get_authentication_records(request, request.user if request.user.is_authenticated else None)
    return any(time.time() - record["at"] < CONFIRMED.total_seconds() for record in records)


def confirmed(page: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorator for what changes how somebody signs in: an open laptop is not enough, the password is asked for."""

    @wraps(page)
    @login_required
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if is_confirmed(request):
            return page(request, *args, **kwargs)
        return ask_who_it_is(request.get_full_path() if request.method == "GET" else reverse("account"))

    return answer


def ask_who_it_is(back: str) -> HttpResponse:
    """To the page that asks for the password, which leads on to that one."""
    return redirect(f"{reverse('confirm_yourself')}?{urlencode({'next': back})}")


def confirm(request: HttpRequest, user: User, method: str) -> None:
    """Who is signed in has just shown that it is them."""
    record_authentication(request, user, method, reauthenticated=True)


def take_try(request: HttpRequest, name: str) -> dict[str, int] | None:
    """Count a password that is about to be tried for this name; None where there were too many."""
    return attempts.reserve(throttle.sign_ins_of(request, name), timezone.now())


def was_right(counted: dict[str, int]) -> None:
    """The wrong ones for this name are forgiven. Those for others are not: one's own password buys no guesses."""
    of_address, of_name = counted
    attempts.uncount(counted[of_address])
    attempts.reset(of_name)


# passkeys


def has_passkeys_here(request: HttpRequest) -> bool:
    """Whether browsers make passkeys for this address: one of HTTPS or localhost, and a name, not a number."""
    host, _ = split_domain_port(request.get_host())
    is_local = host == LOCAL or host.endswith(f".{LOCAL}")
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return is_local or request.is_secure()
    return False


# what allauth asks


class SecondStep(AuthenticateStage):
    """A code, asked for after the password of who uses an authenticator app.

    A passkey is something one has and is at once, and asks for nothing more; that there is one changes nothing about a
    sign-in by password, since it works at one address alone.
    """

    def handle(self) -> tuple[HttpResponse | None, bool]:
        """The page of the code, if one is asked for, and that the sign-in may go on."""
        if not self._is_asked_for():
            return None, True
        self.request.session.set_expiry(int(UNFINISHED.total_seconds()))
        return redirect("second_step"), True

    def _is_asked_for(self) -> bool:
        user = self.login.user
        if not isinstance(user, User) or did_use_passwordless_login(self.request, user):
            return False
        return app_of(user) is not None


class AccountAdapter(DefaultAccountAdapter):
    """What allauth does our way."""

    def get_login_stages(self) -> list[str]:
        """The second step alone: names and e-mail addresses are no matter of a sign-in."""
        return [f"{__name__}.{SecondStep.__name__}"]

    def add_message(self, *args: Any, **kwargs: Any) -> None:
        """Our pages say what was done, in our words."""

    def post_login(self, request: HttpRequest, user: Any, *, redirect_url: str | None, **more: Any) -> HttpResponse:
        """Signed in: noted for the owners, on the list of devices, and on to the page that was wanted."""
        note(request, user.username, SignInOutcome.SIGNED_IN)
        be_known(request, user)
        return redirect(redirect_url or home_of(user))


class MFAAdapter(DefaultMFAAdapter):
    """Codes and passkeys our way."""

    def get_totp_label(self, user: Any) -> str:
        """What an app shows beside the code: the sign-in name at this site."""
        return f"{user.username} ({self._get_site_name()})"

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """The address that a passkey is for: the one in the browser's line, without its port."""
        return super().get_public_key_credential_rp_entity() | {"name": settings.MFA_TOTP_ISSUER}

    def get_public_key_credential_user_entity(self, user: Any) -> dict[str, Any]:
        """Who it is for, as the browser shows it."""
        return super().get_public_key_credential_user_entity(user) | {"name": user.username}


def home_of(user: User) -> str:
    """The address of the user's first store, or of the front page."""
    store = first_store_of(user)
    return store.get_absolute_url() if store else reverse("front")
