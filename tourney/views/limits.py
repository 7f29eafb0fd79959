"""Guessing is slowed down: after too many wrong keys or passwords there is no answer for some minutes."""

from collections.abc import Callable
from functools import wraps
from ipaddress import ip_address, ip_network

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from tourney import access
from tourney.actions import attempts

MOST_KEYS = 20
MOST_PASSWORDS = 10
NAME_SHOWN = 100


def address_of(request: HttpRequest) -> str:
    """Who asks: the address, of IPv6 the network of one household. Behind a proxy (HTTPS=1) it is what the proxy says.

    Only the last address of X-Forwarded-For is the proxy's own word; a visitor can send any others.
    """
    address = request.META.get("REMOTE_ADDR", "")
    if settings.HTTPS:
        address = request.headers.get("X-Forwarded-For", address).rpartition(",")[2].strip()
    try:
        number = ip_address(address)
    except ValueError:
        return "unknown"
    return str(ip_network((number, 64), strict=False)) if number.version == 6 else address


def keys_are_not_guessed(page: Callable) -> Callable:
    """For pages whose key is worth an identity or a role: each 404 is counted, and after too many there is 429."""

    @wraps(page)
    def answer(request: HttpRequest, key: str) -> HttpResponse:
        who, now = f"key {address_of(request)}", timezone.now()
        if attempts.of(who, now) >= MOST_KEYS:
            return too_many(request)
        try:
            return page(request, key)
        except Http404:
            attempts.note(who, now)
            raise

    return answer


def count_forged_cards(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable:
    """Middleware: cookies whose key opens no card are counted like wrong links, and the device need not send one again.

    They are counted apart from links: when many cards are issued anew, the links of the new ones still open.
    So a phone whose card was issued anew counts once. One that holds its card is asked nothing more here.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        forged = access.cards_of_nobody(request)
        if not forged:
            return response
        who, now = f"cookie {address_of(request)}", timezone.now()
        if request.method == "GET" and attempts.of(who, now) >= MOST_KEYS:
            response = too_many(request)
        for cookie in forged - response.cookies.keys():
            attempts.note(who, now)
            response.delete_cookie(cookie, samesite="Lax")
        return response

    return answer


def too_many(request: HttpRequest) -> HttpResponse:
    response = render(request, "store/too_many.html", status=429)
    return say_when(response)


def say_when(response: HttpResponse) -> HttpResponse:
    response["Retry-After"] = str(int(attempts.WINDOW.total_seconds()))
    return response


def sign_in_of(request: HttpRequest, username: str) -> str:
    """Whose tries are counted together: those from one address for one sign-in name."""
    return f"sign-in {address_of(request)} {username.casefold()[:NAME_SHOWN]}"
