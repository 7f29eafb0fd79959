"""Failures, told to whatever speaks Sentry's protocol (`SENTRY_DSN`), and nothing of anybody with them.

What is sent is chosen here, not left out here: where in the code it failed and how, in which version, and the numbers
by which the log knows it. Neither values nor messages of an exception go along, which may name a player.
"""

import logging
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from tourney.runtime import request_log
from tourney.runtime.release import release

if TYPE_CHECKING:
    from sentry_sdk.types import Event

KEPT = ("event_id", "timestamp", "level", "logger", "platform", "release", "environment", "sdk")
OF_FRAME = (
    *("filename", "module", "function", "lineno", "in_app"),
    *("pre_context", "context_line", "post_context"),
)


def first_line(error: BaseException) -> str:
    """What an error says, without the rows that PostgreSQL cites below it: they may name a player."""
    return str(error).partition("\n")[0]


def start(address: str) -> None:
    """Tell failures to that address from now on. Raises ImproperlyConfigured without the package."""
    try:
        import sentry_sdk
        from sentry_sdk.integrations.logging import LoggingIntegration, ignore_logger
    except ImportError:
        raise ImproperlyConfigured(
            "SENTRY_DSN is set, but sentry-sdk isn’t installed. Install it (pip install sentry-sdk), or "
            "remove SENTRY_DSN."
        ) from None
    for name, logger in cast("dict[str, dict[str, Any]]", settings.LOGGING["loggers"]).items():
        if not logger.get("propagate", True):
            ignore_logger(name)  # scanners are no failures: what the log leaves out is not told either
    sentry_sdk.init(
        dsn=address,
        release=release(),
        default_integrations=False,
        auto_enabling_integrations=False,
        integrations=[LoggingIntegration(level=None, event_level=logging.ERROR)],
        before_send=without_anybody,
        max_breadcrumbs=0,
        include_local_variables=False,
        send_default_pii=False,
        auto_session_tracking=False,
        send_client_reports=False,
        server_name="",
    )


def without_anybody(event: "Event", hint: dict[str, Any]) -> "Event":
    """The event as it is sent."""
    sent: dict[str, Any] = {name: fact for name, fact in event.items() if name in KEPT}
    if raised := [*_raised(event)]:
        sent["exception"] = {"values": raised}
    elif record := hint.get("log_record"):
        sent["logentry"] = {"message": str(record.msg)}  # as the code writes it, without what was put in
    if request := request_log.current.get():
        sent["transaction"] = request.view or "unknown"
        facts = {"request": request.id, "failure": request.failure, "method": request.method}
        sent["tags"] = {name: fact for name, fact in facts.items() if fact}
    return cast("Event", sent)


def _raised(event: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for one in event.get("exception", {}).get("values", ()):
        frames = one.get("stacktrace", {}).get("frames", ())
        cut = [{name: frame[name] for name in OF_FRAME if name in frame} for frame in frames]
        yield {"type": one.get("type"), "module": one.get("module"), "stacktrace": {"frames": cut}}
