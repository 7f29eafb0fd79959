"""The live part of a page, made for the streams of its event (`serving.live`) by the view of that page.

So a stream brings what the page itself would get if it asked, with the same checks of who may see what, made anew with
every version. Whoever signed in, and whose card is none of the event's players', is told the version alone, and asks.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, QueryDict
from django.middleware.csrf import CsrfViewMiddleware
from django.urls import Resolver404, ResolverMatch, resolve
from django.utils import translation
from django_htmx.middleware import HtmxDetails

from tourney import access
from tourney.models import Event
from tourney.runtime.scope import EVENT_VERSION
from tourney.runtime.shared_html import OwnHtml, Pieces
from tourney.views.me import load_fleets

logger = logging.getLogger(__name__)

PARTS = {
    "event": "now",
    "me": "card",
    "pairings": "round",
    "standings": "ranks",
    "standings_after": "ranks",
    "roll_offs": "register",
    "wall": "wall",
}
"""The part that a stream can bring, by the name of its page: pages for everybody, each with one live part."""
LONGEST_ADDRESS = 300
"""Characters of the address of a page that a stream brings a part of."""


@dataclass(frozen=True, slots=True)
class PartReader:
    """Which part is read, and by whom: `address` as the page's htmx asks for it, `cookies` without any that are not
    ours. Two that are equal read the same.
    """

    address: str
    part: str
    host: str
    scheme: str
    language: str
    cookies: tuple[tuple[str, str], ...]
    page: ResolverMatch = field(compare=False, repr=False)


def reader_of(
    slug: str, address: str, *, host: str, scheme: str, language: str, cookies: Mapping[str, str]
) -> PartReader | None:
    """The reader of the live part of that page of the event; None where the page has to ask for it.

    Without a card there is nothing to bring to the page of a card: it may be given to the device meanwhile.
    """
    if len(address) > LONGEST_ADDRESS or "\0" in unquote(address) or settings.SESSION_COOKIE_NAME in cookies:
        return None
    try:
        page = resolve(address.partition("?")[0])
    except Resolver404:
        return None
    own = tuple(sorted((name, value) for name, value in cookies.items() if _is_ours(name)))
    has_card = any(name != settings.CSRF_COOKIE_NAME for name, _ in own)
    part = PARTS.get(page.url_name or "")
    if part is None or page.kwargs["slug"] != slug or (part == "card" and not has_card):
        return None
    return PartReader(address, part, host, scheme, language, own, page)


def _is_ours(name: str) -> bool:
    return name == settings.CSRF_COOKIE_NAME or access.CARD_COOKIE.fullmatch(name) is not None


type Part = list[str | OwnHtml]
"""A part in the pieces of which it is put together."""


def parts_for(slug: str, readers: Sequence[PartReader], told: int | None = None) -> tuple[int, list[Part | None]]:
    """The version of the event as it is now, and the part of each reader in it; None where the page has to ask.

    `told` is the latest version that this process has heard of: where it knows that one, the database is not asked
    again for each few readers. Raises Http404 where everybody sees no such event.
    """
    try:
        event = access.known_public_event(slug, told) or access.cached_public_event(HttpRequest(), slug)
        requests = [PartRequest(reader, event) for reader in readers]
        known = [access.is_known_reader(request, slug) for request in requests]
        load_fleets([one for one in requests if one.htmx.target == "card"], event)
        return event.version, [
            _part_for(request) if is_known else None for request, is_known in zip(requests, known, strict=True)
        ]
    finally:
        connection.close()  # back to the pool


def _part_for(request: "PartRequest") -> Part | None:
    """One that fails concerns its own reader alone. Raises DatabaseError."""
    try:
        return _rendered(request)
    except DatabaseError:
        raise
    except Exception:
        logger.exception("The live part of %s could not be made; the page asks for it.", request.path)
        return None


def _rendered(request: "PartRequest") -> Part | None:
    secret = _secret_of_forms(request)
    with translation.override(request.language):
        response: HttpResponse = request.resolver_match.func(request, **request.resolver_match.kwargs)
    is_whole = response.status_code == 200 and not response.cookies
    if not is_whole or request.META.get("CSRF_COOKIE") != secret:  # the device would have to keep another one
        return None
    html = response.content.decode()
    return request.pieces.of(html) if request.pieces else [html]


def _secret_of_forms(request: HttpRequest) -> str | None:
    """The secret that the forms of this device carry, as Django's middleware finds it; None if it has none yet."""
    if settings.CSRF_COOKIE_NAME in request.COOKIES:
        _csrf.process_request(request)
    secret: str | None = request.META.get("CSRF_COOKIE")
    return secret


_csrf = CsrfViewMiddleware(lambda request: HttpResponse())


class PartRequest(HttpRequest):
    """What htmx on the page of that reader would ask for, with the event as this process knows it."""

    htmx: HtmxDetails
    resolver_match: ResolverMatch
    pieces: Pieces | None
    """Where long lists are put aside; None where the answer is kept for others (`responses.live`)."""

    def __init__(self, reader: PartReader, event: Event) -> None:
        super().__init__()
        self._asked_by = reader.scheme
        self.language = reader.language
        self.method = "GET"
        path, _, query = reader.address.partition("?")
        self.path = self.path_info = path
        self.META = {
            "REQUEST_METHOD": "GET",
            "QUERY_STRING": query,
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "443" if reader.scheme == "https" else "80",
            "HTTP_HOST": reader.host,
            "HTTP_HX_REQUEST": "true",
            "HTTP_HX_TARGET": reader.part,
        }
        self.GET = QueryDict(query)
        self.COOKIES = dict(reader.cookies)
        self.pieces = Pieces() if self.COOKIES else None
        self.resolver_match = reader.page
        self.user = access.NOBODY
        self.htmx = HtmxDetails(self)
        self.scope = {EVENT_VERSION: (event.pk, event.version)}

    @property
    def scheme(self) -> str:
        """`http` or `https`, as the page was asked for."""
        return self._asked_by
