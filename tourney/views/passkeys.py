"""Passkeys: a sign-in without a password, made and removed on one's account."""

import json

from allauth.account.internal.flows.login import perform_login
from allauth.account.models import Login
from allauth.mfa.base.internal.flows import post_authentication
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.internal import auth
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from tourney.actions import attempts
from tourney.actions import second_step as actions
from tourney.actions.record import Refused
from tourney.domain.devices import device_of
from tourney.forms.accounts import PASSKEY_NAME, ConfirmForm, PasskeyForm
from tourney.forms.store import SignInForm
from tourney.runtime.messages import message
from tourney.views import door, signed_out, throttle
from tourney.views.accounts import header_of, user_of

MOST_TRIES = 60
"""In ten minutes from one address: nobody guesses a signature, but each question is kept in a session."""
NOT_READ = (ValidationError, ValueError, TypeError, LookupError, AttributeError, RecursionError)


@never_cache
@require_POST
def passkey_sign_in(request: HttpRequest) -> HttpResponseBase:
    """First without an answer: what the browser is asked. Then with it: signed in, or known to be still the same."""
    if not door.has_passkeys_here(request):
        raise Http404
    if not attempts.count(f"passkeys {throttle.address_of(request)}", MOST_TRIES, timezone.now()):
        return throttle.too_many(request)
    if "credential" not in request.POST:
        if not request.user.is_authenticated:
            request.session.set_expiry(int(door.UNFINISHED.total_seconds()))
        return JsonResponse(auth.begin_authentication())
    to = request.POST.get("next", "")
    to = to if door.is_ours(request, to) else ""
    passkey = _answered(request)
    if request.user.is_authenticated:
        return _confirmed(request, passkey, to)
    if passkey is None:
        context = {"form": SignInForm(request), "next": to, "kept": signed_out.kept_in(request), "no_passkey": True}
        return render(request, "store/sign_in.html", context | {"passkeys_here": True}, status=422)
    post_authentication(request, passkey, passwordless=True)
    return signed_out.go_on(request, perform_login(request, Login(user=passkey.user, redirect_url=to or None)))


def _answered(request: HttpRequest) -> Authenticator | None:
    """The passkey that answered what this session had asked, with its user; None where it did not."""
    try:
        answer = json.loads(request.POST["credential"])
        auth.parse_authentication_response(answer)
        user = auth.extract_user_from_response(answer)
        passkey = auth.complete_authentication(user, answer)
    except NOT_READ:
        return None
    return passkey if user.is_active else None


def _confirmed(request: HttpRequest, passkey: Authenticator | None, to: str) -> HttpResponse:
    if passkey and passkey.user.pk == request.user.pk:
        post_authentication(request, passkey, reauthenticated=True)
        return signed_out.go_on(request, redirect(to or "account"))
    context = header_of(request) | {"form": ConfirmForm(), "next": to or reverse("account"), "no_passkey": True}
    return render(request, "account/confirm.html", context | {"passkeys_here": True}, status=422)


@door.confirmed
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def add_passkey(request: HttpRequest) -> HttpResponse:
    """One more passkey, made by the browser for this address."""
    if not door.has_passkeys_here(request):
        return redirect("account")
    user = user_of(request)
    called = device_of(request.headers.get("User-Agent", ""))
    form = PasskeyForm(request.POST or None, initial={"name": called[:PASSKEY_NAME]})
    if form.is_valid():
        try:
            credential = json.loads(form.cleaned_data["credential"])
            auth.parse_registration_response(credential)
            auth.complete_registration(credential)
            actions.add_passkey(user, form.cleaned_data["name"], credential)
        except Refused as error:
            form.add_error(None, error.reasons[0])
        except NOT_READ:
            form.add_error(None, str(message("No passkey was made. Try again.")))
        else:
            messages.success(request, str(message("Passkey added. Use it the next time you sign in.")))
            return redirect("account")
    context = header_of(request) | {"form": form, "options": auth.begin_registration(user, passwordless=True)}
    return render(request, "account/passkey.html", context, status=422 if form.is_bound else 200)


@door.confirmed
@require_POST
def remove_passkey(request: HttpRequest, number: int) -> HttpResponse:
    """A passkey that is lost, or no longer wanted."""
    if actions.remove_passkey(user_of(request), number):
        messages.success(request, str(message("Passkey removed. It no longer signs you in.")))
    return redirect("account")
