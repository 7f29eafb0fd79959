"""What programs ask of every site: what crawlers may read, whom to tell of a weakness, what browsers refused."""

import json
import logging
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

PRIVATE = (
    "/card/",
    "/csp-reports/",
    "/e/*/desk/",
    "/e/*/fleets/",
    "/e/*/join/",
    "/e/*/live/",
    "/e/*/me/",
    "/e/*/qr/",
    "/health/",
    "/invitation/",
    "/password/",
    "/s/*/fleets/",
    "/s/*/me/",
    "/s/*/players/",
    "/set-up/",
    "/sign-in/",
    "/style/",
)
"""Addresses, as robots.txt writes them, that a search engine has no business with: forms, cards, and people's pages."""
A_DAY = 24 * 60 * 60
VALID_FOR = timedelta(days=180)
MOST_REPORT = 16_384  # bytes
REPORT_TYPES = ("application/csp-report", "application/reports+json", "application/json")
DIRECTIVE = re.compile(r"[a-z-]{1,40}")
WORD = re.compile(r"[a-z-]{1,20}")
HOST = re.compile(r"[a-z0-9.\[\]:-]{1,120}")

refused = logging.getLogger("flagship.csp")


@require_safe
@cache_control(max_age=A_DAY, public=True)
def robots(request: HttpRequest) -> HttpResponse:
    """robots.txt: the public pages of stores and events may be found, everything else is left out."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in PRIVATE)]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
@cache_control(max_age=A_DAY, public=True)
def security_txt(request: HttpRequest) -> HttpResponse:
    """security.txt (RFC 9116), once somebody is named who reads what is reported: `SECURITY_CONTACT`."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    expires = (timezone.now() + VALID_FOR).astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    lines = [
        *(f"Contact: {contact}" for contact in settings.SECURITY_CONTACT),
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        "Preferred-Languages: en",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@csrf_exempt
@require_POST
def csp_reports(request: HttpRequest) -> HttpResponse:
    """What a browser refused by the Content-Security-Policy: a line in a log of bounded size.

    Anybody can send one, so a line holds only words of a known shape: no address of a page, which may be a key.
    """
    if request.content_type not in REPORT_TYPES:
        return HttpResponse(status=400)
    if len(request.body) > MOST_REPORT:
        return HttpResponse(status=413)
    try:
        reports = _reports(json.loads(request.body))
    except (ValueError, RecursionError):
        return HttpResponse(status=400)
    for report in reports:
        refused.warning("%s", _line(report))
    return HttpResponse(status=204)


def _reports(data: object) -> list[dict[str, object]]:
    """Those in a body of either kind: `report-uri` sends one, the Reporting API a list. Raises ValueError."""
    if isinstance(data, dict):
        data = [{"body": data.get("csp-report")}]
    bodies = [one.get("body") for one in data if isinstance(one, dict)] if isinstance(data, list) else []
    found = [body for body in bodies if isinstance(body, dict)]
    if not found or len(found) < len(bodies):
        raise ValueError("no report")
    return found


def _line(report: Mapping[str, object]) -> str:
    directive = _first(report, ("effective-directive", "effectiveDirective", "violated-directive"))
    blocked = _first(report, ("blocked-uri", "blockedURL"))
    page = _first(report, ("document-uri", "documentURL"))
    shape = DIRECTIVE.match(directive)
    return f"directive={shape[0] if shape else '?'} blocked={_origin(blocked)} page={_page(page)}"


def _first(report: Mapping[str, object], names: Iterable[str]) -> str:
    """The first of these fields that holds text."""
    return next((text for name in names if isinstance(text := report.get(name), str)), "")


def _origin(address: str) -> str:
    """Scheme and host of an address, or the word that stands for one (“inline”, “eval”)."""
    if WORD.fullmatch(address):
        return address
    try:
        parts = urlsplit(address)
    except ValueError:
        return "?"
    known = WORD.fullmatch(parts.scheme) and HOST.fullmatch(parts.netloc.lower())
    return f"{parts.scheme}://{parts.netloc.lower()}" if known else "?"


def _page(address: str) -> str:
    """The name of the page in the URLconf."""
    try:
        return resolve(urlsplit(address).path).url_name or "?"
    except (ValueError, Resolver404):
        return "?"
