"""What an answer before Django has in common with Django's own: allowed hosts, HTTPS, and the security headers."""

from collections.abc import Callable, Mapping
from functools import lru_cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port, validate_host
from django.utils.module_loading import import_string

from tourney.runtime.scope import Scope

LONGEST_HOST = 300
KNOWN_HOSTS = 64

type Header = tuple[bytes, bytes]
type Headers = list[Header]


class LikeDjango:
    """The headers for an answer before Django, and whether there may be one; with the settings as they are now."""

    def __init__(self) -> None:
        self._made = {scheme: headers_of_middleware(scheme) for scheme in ("http", "https")}
        self._needs_https, self._proxy = settings.SECURE_SSL_REDIRECT, settings.SECURE_PROXY_SSL_HEADER
        self._is_allowed = lru_cache(KNOWN_HOSTS)(is_allowed)

    def headers(self, scope: Scope, asked: Mapping[str, str]) -> Headers | None:
        """None where Django has to answer: a wrong host, plain HTTP where there is HTTPS, a header that came twice.

        `asked` is what `headers_of` found.
        """
        scheme = self.scheme(asked, scope["scheme"])
        is_plain = self._needs_https and scheme != "https"
        if is_plain or len(asked) != len(scope["headers"]) or not self._is_allowed(asked.get("host", "")):
            return None
        return self._made[scheme]

    def headers_for_all(self, asked: Mapping[str, str], scheme: str) -> Headers:
        """The headers of a page that says that something is wrong: whoever asks gets that one."""
        return self._made[self.scheme(asked, scheme)]

    def scheme(self, asked: Mapping[str, str], scheme: str) -> str:
        """`http` or `https`, as `HttpRequest.scheme` finds it."""
        if self._proxy:
            name, secure = self._proxy
            told = asked.get(name.removeprefix("HTTP_").replace("_", "-").lower())
            if told is not None:
                return "https" if told.partition(",")[0].strip() == secure else "http"
        return "https" if scheme == "https" else "http"


def is_allowed(host: str) -> bool:
    """Whether `HttpRequest.get_host` would take it."""
    domain, _ = split_domain_port(host) if len(host) <= LONGEST_HOST else ("", "")
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)


def headers_of_middleware(scheme: str) -> Headers:
    """What the middleware of `HEADERS_OF_EVERY_ANSWER` adds to an empty answer."""
    answer: Callable[[HttpRequest], HttpResponse] = lambda _: HttpResponse()  # noqa: E731
    for path in reversed(settings.HEADERS_OF_EVERY_ANSWER):
        answer = import_string(path)(answer)
        if hasattr(answer, "redirect"):
            answer.redirect = False  # to HTTPS: what is wanted are the headers of a page
    request = _SchemeRequest(scheme)
    request.META |= {"SERVER_NAME": "localhost", "SERVER_PORT": "80"}
    if proxy := settings.SECURE_PROXY_SSL_HEADER:
        request.META[proxy[0]] = proxy[1] if scheme == "https" else "http"
    own = HttpResponse()
    response = answer(request)
    return [(name.lower().encode(), value.encode()) for name, value in response.items() if name not in own and value]


class _SchemeRequest(HttpRequest):
    """A request by that scheme."""

    def __init__(self, scheme: str) -> None:
        super().__init__()
        self._asked_by = scheme

    def _get_scheme(self) -> str:
        return self._asked_by


def headers_of(scope: Scope) -> dict[str, str]:
    """The headers of a request, of several by one name the last one."""
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
