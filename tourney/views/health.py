"""Whether the site is there for visitors, said to who watches over it."""

import time
from threading import Lock

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tourney.runtime import disk
from tourney.runtime.metrics import meter

KEPT = 2
"""Seconds for which an answer counts: anybody may ask, and each answer costs a write."""
MESSAGE = "SELECT pg_logical_emit_message(true, 'flagship', 'ready')"
"""A note in the write-ahead log that changes no row; its commit, as that of what people save, waits for the disk."""


@require_safe
@never_cache
def health(request: HttpRequest) -> JsonResponse:
    """The site runs and its database answers."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return JsonResponse({"ok": True})


@require_safe
@never_cache
def live(request: HttpRequest) -> JsonResponse:
    """This process answers, whatever its database does."""
    return JsonResponse({"live": True})


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """The figures of this host for who has the token; nothing where there is none."""
    if meter is None or not settings.METRICS_TOKEN:
        raise Http404
    if not constant_time_compare(request.headers.get("Authorization", ""), f"Bearer {settings.METRICS_TOKEN}"):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    return HttpResponse(meter.text(), content_type="text/plain; version=0.0.4; charset=utf-8")


@require_safe
@never_cache
def ready(request: HttpRequest) -> JsonResponse:
    """Whether what is sent now would be saved: 200, or 503 with the reasons."""
    found = _lately.look()
    return JsonResponse(found, status=200 if found["ready"] else 503)


class Lately:
    """What was found in the last two seconds, by whoever asked then."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._found: dict[str, object] = {}
        self._at = -float("inf")

    def look(self) -> dict[str, object]:
        """What was found, looked up again after KEPT seconds."""
        with self._lock:
            if time.monotonic() - self._at > KEPT:
                self._found, self._at = look(), time.monotonic()
            return self._found

    def forget(self) -> None:
        """Look up anew at the next question."""
        self._found, self._at = {}, -float("inf")


def look() -> dict[str, object]:
    """The database takes a write, and the disk has room; how long the write took, and the reasons against."""
    reasons, warnings = [], []
    began = time.perf_counter()
    try:
        with connection.cursor() as cursor:
            cursor.execute(MESSAGE)
        milliseconds = round((time.perf_counter() - began) * 1000, 1)
    except DatabaseError:
        milliseconds = None
        reasons.append("The database doesn't save anything right now.")
    if disk.is_full():
        reasons.append("The disk is full.")
    elif disk.is_low():
        warnings.append(f"Less than {disk.LOW // 1_000_000} MB are free on the disk.")
    return {
        "ready": not reasons,
        "database": {"saves": milliseconds is not None, "milliseconds": milliseconds},
        "disk": "full" if disk.is_full() else "low" if disk.is_low() else "ok",
        "reasons": reasons,
        "warnings": warnings,
    }


_lately = Lately()
