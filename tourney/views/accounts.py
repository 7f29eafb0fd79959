"""A staff member's own account, and the ways back in for who can’t sign in."""

from allauth.account.models import EmailConfirmationHMAC
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from tourney import access
from tourney.actions import accounts, attempts, mail, second_step
from tourney.actions.record import Refused
from tourney.forms.accounts import AddressForm, ConfirmForm, ForgotForm
from tourney.forms.fields import id_in
from tourney.forms.store import NewPasswordForm
from tourney.models import SignInOutcome, Store, User
from tourney.queries.accounts import (
    address_of,
    app_of,
    may_help,
    passkeys_of,
    sessions_of,
    unused_codes,
    user_of_link,
    user_with_address,
)
from tourney.queries.stores import member_of
from tourney.runtime.messages import message
from tourney.views import door, responses, throttle
from tourney.views.addresses import is_out_of_reach, qr_code, reachable

MOST_MAILS, MOST_MAILS_OF_ADDRESS = 3, 10
"""E-mails in ten minutes to one address, and of one network."""
TOO_MANY_MAILS = message("Too many e-mails were asked for. Try again in ten minutes.")


def user_of(request: HttpRequest) -> User:
    """Who is signed in. Raises Http404."""
    return access.found(request.user if isinstance(request.user, User) else None)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD"])
def account(request: HttpRequest) -> HttpResponse:
    """All that belongs to how this person signs in."""
    user = user_of(request)
    key = request.session.session_key or ""
    sessions = sessions_of(user, timezone.now())
    if key not in {one.session_key for one in sessions}:  # of a sign-in before there was a list
        door.be_known(request, user)
        sessions = sessions_of(user, timezone.now())
    context = header_of(request) | {
        "address": address_of(user),
        "is_mail_on": settings.MAIL_IS_ON,
        "sessions": sorted(sessions, key=lambda one: one.session_key != key),
        "this_session": key,
        "app": app_of(user),
        "codes_left": len(unused_codes(user)),
        "passkeys": passkeys_of(user),
        "passkeys_here": door.has_passkeys_here(request),
    }
    return render(request, "account/account.html", context)


@login_required
@require_POST
def end_session(request: HttpRequest) -> HttpResponse:
    """Sign out one of the person's devices, or all but this one."""
    user, number = user_of(request), request.POST.get("session", "")
    if number == "others":
        accounts.end_sessions(user, but=request.session.session_key)
        messages.success(request, str(message("Your other devices are signed out.")))
    elif accounts.end_session(user, id_in(number)):
        messages.success(request, str(message("That device is signed out.")))
    return redirect("account")


@never_cache
@login_required
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def confirm_yourself(request: HttpRequest) -> HttpResponse:
    """The password again, before anything about the sign-in is changed, or a store is deleted."""
    user, to = user_of(request), request.POST.get("next") or request.GET.get("next", "")
    to = to if door.is_ours(request, to) else reverse("account")
    form = ConfirmForm(responses.posted(request))
    context = header_of(request) | {"form": form, "next": to, "passkeys_here": door.has_passkeys_here(request)}
    context["of_account"] = to.startswith(reverse("account"))
    if form.is_valid():
        counted = door.take_try(request, user.username)
        if counted is None:
            door.note(request, user.username, SignInOutcome.NOT_TRIED)
            return throttle.say_when(render(request, "account/confirm.html", context | {"too_many": True}, status=429))
        if user.check_password(form.cleaned_data["password"]):
            door.was_right(counted)
            door.confirm(request, user, "password")
            return redirect(to)
        door.note(request, user.username, SignInOutcome.WRONG_PASSWORD)
        form.add_error("password", str(message("That isn’t your password. Passwords are case-sensitive.")))
    return render(request, "account/confirm.html", context, status=422 if form.is_bound else 200)


def header_of(request: HttpRequest) -> dict[str, object]:
    """The header of the person's store around pages that belong to none."""
    context = responses.own_store_context(request, request.path)
    if isinstance(store := context.get("store"), Store):
        access.at_home(store)  # whose clock the times are of
    return context


# e-mail


@door.confirmed
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def own_address(request: HttpRequest) -> HttpResponse:
    """The e-mail address for links for a new password; a new one is written to before it counts."""
    if not settings.MAIL_IS_ON:
        return redirect("account")
    user = user_of(request)
    known = address_of(user)
    form = AddressForm(responses.posted(request), initial={"email": known.email if known else ""})
    context = header_of(request) | {"form": form}
    if not form.is_valid():
        return render(request, "account/address.html", context, status=422 if form.is_bound else 200)
    email = form.cleaned_data["email"]
    is_as_it_was = known is not None and known.verified and known.email == email
    if email and not is_as_it_was and not _may_write(request, email):
        form.add_error("email", str(TOO_MANY_MAILS))
        return throttle.say_when(render(request, "account/address.html", context, status=429))
    address = accounts.give_address(user, email)
    if address and not address.verified:
        mail.mail_confirmation.enqueue(address.pk, _site(request), translation.get_language())
        messages.success(request, str(message("We’ve sent a link to {address}. Open it to confirm.", address=email)))
    else:
        messages.success(request, str(message("Saved.")))
    return redirect("account")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm_address(request: HttpRequest, key: str) -> HttpResponse:
    """The link in an e-mail: whoever opens it reads what is sent there."""
    confirmation = EmailConfirmationHMAC.from_key(key)
    if confirmation is None:
        return _gone(request)
    address = confirmation.email_address
    taken = False
    if request.method == "POST":
        taken = not address.verified and not confirmation.confirm(request)
        if not taken:
            messages.success(request, str(message("{address} is confirmed.", address=address.email)))
            return redirect("account")
    context = header_of(request) | {"address": address, "taken": taken}
    return render(request, "account/confirm_address.html", context, status=409 if taken else 200)


def _may_write(request: HttpRequest, email: str) -> bool:
    """Whether another e-mail to this address, asked for from this network, is not one too many; it is counted."""
    limits = {
        f"mails {throttle.address_of(request)}": MOST_MAILS_OF_ADDRESS,
        f"mail {throttle.digest_of(email)}": MOST_MAILS,
    }
    return attempts.reserve(limits, timezone.now()) is not None


def _site(request: HttpRequest) -> str:
    return (settings.PUBLIC_URL or request.build_absolute_uri("/")).rstrip("/")


# who can’t sign in


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def forgot_password(request: HttpRequest) -> HttpResponse:
    """A link by e-mail, where the installation sends any; else who can make one. It tells nobody who has an account."""
    if not settings.MAIL_IS_ON:
        return render(request, "account/forgot.html", status=404 if request.method == "POST" else 200)
    form = ForgotForm(responses.posted(request))
    if not form.is_valid():
        return render(request, "account/forgot.html", {"form": form}, status=422 if form.is_bound else 200)
    email = form.cleaned_data["email"]
    if not _may_write(request, email):
        form.add_error("email", str(TOO_MANY_MAILS))
        return throttle.say_when(render(request, "account/forgot.html", {"form": form}, status=429))
    if user := user_with_address(email):
        mail.mail_password_link.enqueue(user.pk, _site(request), translation.get_language())
    return render(request, "account/forgot.html", {"sent_to": email, "days": mail.LINK_DAYS})


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def new_password(request: HttpRequest, key: str) -> HttpResponse:
    """A link with which its user chooses a new password, and is signed in."""
    user = user_of_link(key)
    if user is None:
        return _gone(request) if throttle.count_wrong_key(request) else throttle.too_many(request)
    form = NewPasswordForm(responses.posted(request), user=user)
    if form.is_valid():
        try:
            user = accounts.choose_password(key, form.cleaned_data["password"])
        except Refused:
            return _gone(request)
        logout(request)  # somebody else's sign-in in this browser
        response = door.arrive(request, user, "password_reset", to=None)
        messages.success(request, str(message("Your password is changed. Other devices are signed out.")))
        return response
    context = {"form": form, "who": user.username}
    return render(request, "account/new_password.html", context, status=422 if form.is_bound else 200)


def _gone(request: HttpRequest) -> HttpResponse:
    return render(request, "account/link_gone.html", {"days": mail.LINK_DAYS}, status=410)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_help(request: HttpRequest, slug: str, membership: int) -> HttpResponse:
    """What an owner can do for a member of the staff who can’t sign in; a link is shown once."""
    store = access.store_for(request, slug, *access.OWNERS)
    member = access.found(member_of(store, membership))
    here = reverse("sign_in_help", args=[store.slug, member.pk])
    kept_as = f"password-link-{member.pk}"
    if request.method == "POST":
        by = responses.actor_of_request(request)
        try:
            if request.POST.get("do") == "remove-app":
                second_step.take_off(member.user, by=by)
                what = message("{name} now signs in without a code.", name=member.user.username)
                messages.success(request, str(what))
            else:
                request.session[kept_as] = accounts.make_password_link(member.user, by=by)
        except Refused as error:
            return responses.refused(request, error, store=store, back=here)
        return redirect(here)
    is_allowed = member.user != request.user and may_help(user_of(request), member.user)
    context = responses.store_context(
        request,
        store,
        section="staff",
        member=member,
        is_allowed=is_allowed,
        app=app_of(member.user),
        days=mail.LINK_DAYS,
    )
    if key := request.session.pop(kept_as, None):
        link = reachable(request, reverse("new_password", args=[key]))
        context |= {"link": link, "qr": qr_code(link), "is_local": is_out_of_reach(request)}
    return render(request, "account/sign_in_help.html", context)
