"""The code after the password: asked for at a sign-in, turned on and off on one's account."""

from allauth.account.internal.flows.login import record_authentication
from allauth.account.stages import LoginStageController
from allauth.mfa.adapter import get_adapter
from allauth.mfa.totp.internal import auth as totp
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from tourney.actions import attempts
from tourney.actions import second_step as actions
from tourney.forms.accounts import CodeForm, SecondStepForm
from tourney.forms.store import SignInForm
from tourney.models import SignInOutcome, User
from tourney.queries.accounts import app_of, unused_codes
from tourney.runtime.messages import message
from tourney.views import door, responses, signed_out, throttle
from tourney.views.accounts import header_of, user_of
from tourney.views.addresses import qr_code

MOST_CODES, MOST_CODES_OF_ADDRESS = 10, 30
"""Wrong codes in ten minutes for one account, from wherever, and from one address."""
WRONG_CODE = message("That code doesn’t work. A code of the app lasts half a minute, and each code works once.")


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def second_step(request: HttpRequest) -> HttpResponse:
    """The code that is asked for after the password; with what the sign-in brought along."""
    kept = signed_out.kept_in(request)
    stage = LoginStageController.enter(request, door.SecondStep.key)
    user = stage.login.user if stage else None
    if request.user.is_authenticated or not isinstance(user, User) or not user.is_active or app_of(user) is None:
        if kept and not request.user.is_authenticated:  # the time for it is over
            return render(request, "store/sign_in.html", {"form": SignInForm(request), "kept": kept}, status=422)
        return redirect("sign_in")
    form = SecondStepForm(responses.posted(request))
    context: dict[str, object] = {"form": form, "kept": kept}
    if form.is_valid():
        counted = _counted(request, user)
        if counted is None:
            door.note(request, user.username, SignInOutcome.NOT_TRIED)
            return throttle.say_when(
                render(request, "store/second_step.html", context | {"too_many": True}, status=429)
            )
        if actions.is_right(user, form.cleaned_data["code"], timezone.now()):
            door.was_right(counted)
            record_authentication(request, user, "mfa")
            return signed_out.go_on(request, stage.exit())
        door.note(request, user.username, SignInOutcome.WRONG_CODE)
        form.add_error("code", str(WRONG_CODE))
    return render(request, "store/second_step.html", context, status=422 if form.is_bound else 200)


def _counted(request: HttpRequest, user: User) -> dict[str, int] | None:
    """A code is counted before it is tried, for its account whatever address it comes from."""
    limits = {f"codes {throttle.address_of(request)}": MOST_CODES_OF_ADDRESS, f"code {user.pk}": MOST_CODES}
    return attempts.reserve(limits, timezone.now())


@door.confirmed
@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def authenticator(request: HttpRequest) -> HttpResponse:
    """Turn on the code: what the app scans, and a first code that shows that it did."""
    user = user_of(request)
    if app_of(user):
        return redirect("account")
    form = CodeForm(responses.posted(request))
    secret = totp.get_totp_secret(regenerate=not form.is_bound)
    if form.is_valid():
        counted, code = _counted(request, user), form.cleaned_data["code"]
        if counted and totp.validate_totp_code(secret, code):
            door.was_right(counted)
            actions.is_first_use(user, code, timezone.now())
            actions.turn_on(user, secret)
            totp.clear_totp_secret(request)
            messages.success(request, str(message("Your authenticator app is set up. Keep these recovery codes.")))
            return redirect("recovery_codes")
        form.add_error("code", str(WRONG_CODE if counted else message("Too many wrong codes. Wait ten minutes.")))
    link = get_adapter().build_totp_url(user, secret)
    context = (
        header_of(request)
        | {
            "form": form,
            "link": link,
            "qr": qr_code.__wrapped__(link),  # a secret is not memoized
            "secret": " ".join(secret[start : start + 4] for start in range(0, len(secret), 4)),
        }
    )
    return render(request, "account/authenticator.html", context, status=422 if form.is_bound else 200)


@door.confirmed
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def recovery_codes(request: HttpRequest) -> HttpResponse:
    """The recovery codes that still work; others instead of them."""
    user = user_of(request)
    if app_of(user) is None:
        return redirect("account")
    if request.method == "POST":
        actions.make_new_codes(user)
        messages.success(request, str(message("New recovery codes made. The old ones no longer work.")))
        return redirect("recovery_codes")
    codes = [f"{code[:4]} {code[4:]}" for code in unused_codes(user)]
    context = header_of(request) | {"codes": codes, "text": "\n".join(codes)}
    return render(request, "account/recovery_codes.html", context)


@door.confirmed
@require_POST
def remove_authenticator(request: HttpRequest) -> HttpResponse:
    """The password alone is enough again."""
    actions.turn_off(user_of(request))
    messages.success(request, str(message("Authenticator app removed. Your password alone signs you in.")))
    return redirect("account")
