"""What concerns every request."""

import logging
import secrets
from collections.abc import Callable

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware import gzip, locale
from django.shortcuts import render, resolve_url
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django_htmx.http import HttpResponseClientRedirect
from zlib_ng import gzip_ng

from tourney import access
from tourney.runtime import locales
from tourney.runtime.checked_json import UnreadableValue
from tourney.runtime.scope import Answers
from tourney.views import signed_out
from tourney.views.moved import lead_on

logger = logging.getLogger(__name__)

LONGEST_REASON = 300
"""Characters of what a reader says, of which a stranger may have typed a part."""
LONG = 10_000
"""Bytes from which on it matters how fast a body is compressed."""
HEADER, FLAGS, NAMED = 10, 3, 8
"""Of a gzip file: the length of its header, where the flags stand, and the one that says that a name follows."""


type AnswersAnything = Callable[[HttpRequest], HttpResponseBase]


class Compress(gzip.GZipMiddleware):
    """Django's own, with a faster library for long bodies: the page of an event with hundreds of players."""

    level = 5

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """The response, compressed where the browser takes gzip and it becomes shorter."""
        accepts = gzip.re_accepts_gzip.search(request.headers.get("Accept-Encoding", ""))
        if not isinstance(response, HttpResponse) or len(response.content) < LONG:
            return super().process_response(request, response)
        if not accepts or "Content-Encoding" in response:
            return super().process_response(request, response)
        patch_vary_headers(response, ["Accept-Encoding"])
        compressed = self._compressed(response.content)
        if len(compressed) >= len(response.content):
            return response
        response.content = compressed
        response["Content-Length"] = str(len(response.content))
        response["Content-Encoding"] = "gzip"
        if response.get("ETag", "").startswith('"'):
            response["ETag"] = f"W/{response['ETag']}"
        return response

    def _compressed(self, content: bytes) -> bytes:
        """With a name of random length, as Django does: the length of an answer must not tell what is secret in it."""
        compress: Callable[..., bytes] = gzip_ng.compress  # which says no types itself
        done = compress(content, compresslevel=self.level, mtime=0)
        header = bytearray(done[:HEADER])
        header[FLAGS] |= NAMED
        return bytes(header) + b"a" * secrets.randbelow(self.max_random_bytes) + b"\0" + done[HEADER:]


class SpeakTheirLanguage(locale.LocaleMiddleware):
    """Django's own; days and times are written as usual until the request turns out to be of a store."""

    def process_request(self, request: HttpRequest) -> None:
        """Nothing is left from the request that this thread answered before."""
        super().process_request(request)
        timezone.deactivate()
        locales.activate(locales.USUAL)


def allow_only_used_features(get_response: AnswersAnything) -> AnswersAnything:
    """Every answer says in Permissions-Policy which features of a browser a page may use: those that some page does.

    Files that pages are made of are answered before.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response.headers.setdefault("Permissions-Policy", settings.PERMISSIONS_POLICY)
        return response

    return answer


def refuse_unreadable_forms(get_response: Answers) -> Answers:
    """400 for a form with a null character: PostgreSQL keeps none, and no form of ours asks for one."""

    def answer(request: HttpRequest) -> HttpResponse:
        if request.method == "POST":
            texts = (text for name, values in request.POST.lists() for text in (name, *values))
            if any("\0" in text for text in texts):
                raise BadRequest("The form has a null character")
        return get_response(request)

    return answer


class RefuseWhatCannotBeRead:
    """422 where a form brings what no reader of its column takes: nothing is saved, and the page says so."""

    def __init__(self, get_response: Answers) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The page of a value that no reader takes; None for any other exception."""
        if not isinstance(exception, UnreadableValue):
            return None
        logger.warning("Not saved: %s", str(exception)[:LONGEST_REASON])  # the reader may be wrong, and not the form
        return render(request, "422.html", status=422)


class FollowTheStore:
    """Whoever looks for a store that moved to another installation goes on there, on the page they looked for."""

    def __init__(self, get_response: Answers) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Where the store is now; None for any other exception."""
        if not isinstance(exception, access.MovedAway):
            return None
        store = exception.store
        address = exception.address_of(request.get_full_path())
        return lead_on(request, address, home=store.moved_to, name=store.name)


def tell_the_outbox_where(get_response: Answers) -> Answers:
    """A form that the outbox of a device sends learns where it would lead, and does not go there itself.

    So the page it leads to is asked for once, and what it says is said once. A form that cannot be taken yet learns in
    X-Needs what for: a sign-in, the player's card, or a page with a token that fits.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if "X-Outbox" not in request.headers:
            return response
        if needs := _needs(request, response):
            return HttpResponse(status=204, headers={"X-Needs": needs})
        if response.status_code not in (301, 302):
            return response
        told = HttpResponse(status=204, headers={"X-Location": response["Location"]})
        told.cookies = response.cookies
        return told

    return answer


def _needs(request: HttpRequest, response: HttpResponse) -> str:
    if _is_to_sign_in(response):
        return "sign-in"
    if response.status_code == 404 and access.lacks_its_card(request):
        return "card"
    is_forged = response.status_code == 403 and not getattr(request, "csrf_processing_done", False)
    return "page" if is_forged else ""


def sign_in_as_a_whole_page(get_response: Answers) -> Answers:
    """When a session has ended, the whole page goes to the sign-in, not the part of it that refreshes itself.

    Not while something is typed, whose sum is asked for, or more rows of its form: it would be gone with the page.
    What a form brought is kept in the page of the sign-in, which leads back to where it was sent from.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        htmx = access.htmx_of(request)
        if not _is_to_sign_in(response):
            return response
        if htmx and ("preview" in request.POST or htmx.target == "more"):
            return HttpResponse(status=204)
        if request.method == "POST":
            if asked := signed_out.sign_in_first(request):
                return asked
            response = redirect_to_login(signed_out.page_before(request))
        return HttpResponseClientRedirect(response["Location"]) if htmx else response

    return answer


def _is_to_sign_in(response: HttpResponse) -> bool:
    return response.status_code == 302 and response["Location"].startswith(resolve_url(settings.LOGIN_URL))
