"""Guessing is slowed down: wrong keys and passwords are counted, and after too many not answered for some minutes.

So is who has a card and sends without end: anybody can have one by registering.
"""

from collections.abc import Callable
from functools import wraps
from hashlib import sha256

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext

from tourney import access
from tourney.actions import attempts
from tourney.actions.card_steps import TooManySteps
from tourney.forms.store import SignInForm
from tourney.queries.attempts import WINDOW
from tourney.runtime.client_address import client_address
from tourney.runtime.plain_pages import page as plain_page
from tourney.runtime.scope import TOO_MANY_WAIT, Answers

MOST_KEYS = 20
MOST_PASSWORDS = 10
MOST_STORES_OF_ADDRESS, MOST_STORES = 3, 60
MOST_PASSWORDS_OF_ADDRESS = 30
SECONDS_TO_WAIT = 10
"""What a form is asked to wait where too many wait already to have a password hashed."""


def address_of(request: HttpRequest) -> str:
    """Who asks: the address, of IPv6 the network of one household. Behind a proxy (HTTPS=1) it is the proxy's word."""
    forwarded = request.headers.get("X-Forwarded-For") if settings.BEHIND_PROXY else None
    return client_address(request.META.get("REMOTE_ADDR", ""), forwarded)


def throttle_invalid_keys(
    page: Callable[[HttpRequest, str], HttpResponse],
) -> Callable[[HttpRequest, str], HttpResponse]:
    """Decorator for pages whose key is worth an identity or a role: wrong ones count; too many are answered with 429.

    A right one opens its page whatever others at the same address send: it is looked up first.
    """

    @wraps(page)
    def answer(request: HttpRequest, key: str) -> HttpResponse:
        try:
            return page(request, key)
        except access.MovedAway:  # the key is right
            raise
        except Http404:
            if count_wrong_key(request):
                raise
            return too_many(request)

    return answer


def count_wrong_key(request: HttpRequest) -> bool:
    """Count a wrong link; False if there had been too many before."""
    return attempts.count(f"key {address_of(request)}", MOST_KEYS, timezone.now())


def count_forged_cards(get_response: Answers) -> Answers:
    """Middleware: cookies whose key opens no card are counted like wrong links, and the device need not send one again.

    They are counted apart from links. So a phone whose card was issued anew counts once, and is answered from the next
    page on in any case. One that holds its card is asked nothing more here.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        forged = access.invalid_card_cookies(request)
        if not forged:
            return response
        who, now = f"cookie {address_of(request)}", timezone.now()
        ended = forged - response.cookies.keys()
        counted = [attempts.count(who, MOST_KEYS, now) for _ in ended]
        if request.method == "GET" and not all(counted):
            response = too_many(request, of_device=True)
        for cookie in ended:
            response.delete_cookie(cookie, samesite="Lax")
        return response

    return answer


def refuse_when_too_many_wait(get_response: Answers) -> Answers:
    """Middleware: a form with a password that was one too many (`serving.handler`) is told so, and asks nobody."""

    def answer(request: HttpRequest) -> HttpResponse:
        if TOO_MANY_WAIT not in getattr(request, "scope", {}):
            return get_response(request)
        return say_when(HttpResponse(render_to_string("store/too_many_wait.html"), status=503), SECONDS_TO_WAIT)

    return answer


def too_many(request: HttpRequest, *, of_device: bool = False) -> HttpResponse:
    """A 429 that says when to try again."""
    response = render(request, "store/too_many.html", {"of_device": of_device}, status=429)
    return say_when(response)


def say_when(response: HttpResponse, seconds: float = WINDOW.total_seconds()) -> HttpResponse:
    """The response with Retry-After in seconds."""
    response["Retry-After"] = str(int(seconds))
    return response


def sign_in_name(typed: str) -> str:
    """The sign-in name as the form takes it, whatever letters it was typed in."""
    return str(SignInForm.base_fields["username"].to_python(typed))


def sign_ins_of(request: HttpRequest, name: str) -> dict[str, int]:
    """Whose wrong passwords are counted together, and how many of them are tried: those of one address for all names,
    and those of one address for one name. Of the name there is only a digest: people type passwords there.
    """
    address = address_of(request)
    return {f"sign-ins {address}": MOST_PASSWORDS_OF_ADDRESS, f"sign-in {address} {digest_of(name)}": MOST_PASSWORDS}


def digest_of(typed: str) -> str:
    """By which something is counted that is not to be read in the table, whatever letters it was typed in."""
    return sha256(typed.casefold().encode(errors="backslashreplace")).hexdigest()[:32]


def names_tried(request: HttpRequest) -> dict[str, int]:
    """How many sign-in names somebody at this address may find to be taken in ten minutes."""
    return {f"sign-in names {address_of(request)}": MOST_KEYS}


def new_stores_of(request: HttpRequest) -> dict[str, int]:
    """How many stores are made or asked for in ten minutes: from all addresses, and from this one."""
    return {"new stores": MOST_STORES, f"new stores {address_of(request)}": MOST_STORES_OF_ADDRESS}


class TellWhoIsTooQuick:
    """Middleware: 429 for who did too much with one card; the outbox of a phone keeps what it sent for later."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The page of a card that did too much; None for any other exception."""
        if not isinstance(exception, TooManySteps):
            return None
        title = gettext("Not saved")
        sentence = gettext("This card sent too much in a short time. Try again in a few minutes.")
        if "HX-Request" in request.headers or "X-Outbox" in request.headers:
            response = HttpResponse(f"{title}. {sentence}", content_type="text/plain; charset=utf-8", status=429)
        else:
            response = HttpResponse(plain_page(title, (sentence,)), status=429)
        return say_when(response, exception.seconds)
