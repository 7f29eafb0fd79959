"""Addresses for phones: as a QR code, and whether they work beyond this computer."""

from functools import lru_cache
from typing import Literal, TypedDict
from urllib.parse import urlencode

import segno
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from tourney import access
from tourney.models import Event, Store
from tourney.queries.short_addresses import short_code_of
from tourney.runtime.lan import lan_address

CARD_DAYS = 800
LONGEST_SITE = 300
"""Characters of the site's address that are kept for what is sent later: a browser says it itself."""
ONLY_THIS_COMPUTER = ("localhost", "127.0.0.1", "[::1]")


@lru_cache(maxsize=256)
def qr_code(address: str) -> SafeString:
    """The address as a QR code: SVG of ours alone, without any style of its own.

    It is memoized: to try the eight masks of a code costs more than the rest of the wall, with every new version.
    """
    return mark_safe(segno.make(address, error="m", micro=False).svg_inline(omitsize=True, border=2, lineclass=None))


def for_phones(request: HttpRequest, event: Event, name: str = "event", *, short: bool = False) -> str:
    """The address of that page of the event, or its short address where it has one; whole."""
    code = short_code_of(event) if short else ""
    path = reverse("short_address", args=[code]) if code else reverse(name, args=[event.slug])
    return reachable(request, path)


def reachable(request: HttpRequest, path: str) -> str:
    """The whole address of the path for other devices: at this host, or where the local network finds this computer."""
    if is_local(request) and (host := _host_in_the_network()):
        return f"http://{host}{path}"
    return request.build_absolute_uri(path)


def site_of(request: HttpRequest) -> str:
    """The site's address for other devices, as it is kept for links and the sender in what is sent later."""
    return reachable(request, "/")[:LONGEST_SITE]


def is_out_of_reach(request: HttpRequest) -> bool:
    """Whether no address is known at which other devices find this site."""
    return is_local(request) and not _host_in_the_network()


def _host_in_the_network() -> str:
    """Host and port of `make run` in the local network as it is now; "" for any other server, and without a network."""
    address = lan_address() if settings.LAN_PORT else None
    return f"{address}:{settings.LAN_PORT}" if address else ""


def typed(address: str) -> str:
    """The address as people type it."""
    return address.split("://", 1)[1].rstrip("/")


def with_word(address: str, word: str) -> str:
    """The address to join at, with tonight's word along: who scans it types nothing."""
    return f"{address}?{urlencode({'word': word})}" if word else address


def is_local(request: HttpRequest) -> bool:
    """Whether the site was opened at an address that no phone can reach."""
    return request.get_host().rsplit(":", 1)[0] in ONLY_THIS_COMPUTER


def keeps_pages(request: HttpRequest) -> bool:
    """Whether a browser keeps pages of this address to read without a network: those of HTTPS and this computer's."""
    return request.is_secure() or is_local(request)


class CookieOptions(TypedDict):
    """What `set_cookie` is told beside name, value and age."""

    httponly: bool
    samesite: Literal["Lax"]
    secure: bool


def card_cookie_options() -> CookieOptions:
    """How a cookie is set that no script and no other site gets."""
    return {"httponly": True, "samesite": "Lax", "secure": settings.HTTPS}


def hold_card(response: HttpResponse, store: Store, key: str) -> HttpResponse:
    """The answer, after which the device is known as the player whose card has that key."""
    response.set_cookie(access.card_cookie(store), key, max_age=CARD_DAYS * 86_400, **card_cookie_options())
    return response


def speak(response: HttpResponse, language: str) -> HttpResponse:
    """The answer, after which the device is spoken to in the language of that code."""
    age = settings.LANGUAGE_COOKIE_AGE
    response.set_cookie(settings.LANGUAGE_COOKIE_NAME, language, max_age=age, **card_cookie_options())
    return response


def renew_card(request: HttpRequest, response: HttpResponse, store: Store) -> HttpResponse:
    """The answer to a device that holds a card: it lasts as long again from now on."""
    return hold_card(response, store, request.COOKIES[access.card_cookie(store)])


def card_link(request: HttpRequest, key: str) -> dict[str, object]:
    """A personal link for a page that shows it: whole, as people type it, and as a QR code."""
    link = reachable(request, reverse("card", args=[key]))
    return {
        "link": link,
        "address": link.split("://", 1)[1],
        "code": qr_code(link),
        "is_local": is_out_of_reach(request),
    }
