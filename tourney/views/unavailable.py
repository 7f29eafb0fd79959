"""What people read while the database does not answer or the disk is full. None of it asks the database anything."""

import logging
from dataclasses import dataclass

import psycopg
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from tourney.runtime import disk, embedded
from tourney.runtime.availability import database
from tourney.runtime.messages import Message, message
from tourney.runtime.scope import Answers

AGAIN = 3
"""Seconds after which a page asks again."""
LOST = ("08", "53", "57P")
"""Classes of errors of a database that is lost, has too little of something, or stops and starts."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Sentences:
    """Why something cannot be done now, and then what to do: for who sent something, and for who wants to read."""

    title: Message
    icon: str
    not_saved: Message
    send_again: Message
    not_shown: Message
    read_again: Message


DATABASE = Sentences(
    title=message("Back in a moment"),
    icon="clock",
    not_saved=message("The store’s database isn’t answering right now, so this may not be saved."),
    send_again=message("Wait a few seconds and go back. If what you sent isn’t there, send it again."),
    not_shown=message("The store’s database isn’t answering right now."),
    read_again=message("This page tries again every few seconds."),
)
DISK = Sentences(
    title=message("The disk is full"),
    icon="warning",
    not_saved=message("Not saved. The store computer’s disk is full."),
    send_again=message(
        "Ask the organizer to free some space on it, then go back and send it again. What was saved is safe."
    ),
    not_shown=message("The store computer’s disk is full."),
    read_again=message("Ask the organizer to free some space on it. This page tries again every few seconds."),
)


def page_for(request: HttpRequest, error: BaseException | None) -> HttpResponse | None:
    """503 if that error says that the database is away or the disk is full; None if it is a mistake of ours."""
    if disk.was_full(error):
        logger.warning("The disk is full: %s %s was refused.", request.method, request.path)
        return disk_full(request)
    if is_database_lost(error):
        if not database.is_away:  # when it is, that is said already; else it may be a mistake of ours
            logger.warning("The database is there, and a page could not use it: %s: %s", type(error).__name__, error)
        return disk_full(request) if embedded.is_used() and disk.is_full() else _database_away(request)
    return None


class DatabaseAway(HttpResponse):
    """Said while the database does not answer; `is_worth_another_try` where the request can be made again."""

    is_worth_another_try = False


def refuse_without_room(get_response: Answers) -> Answers:
    """Middleware: what is sent is refused while only the reserve of the embedded database is left on the disk.

    A database that meets the full disk itself ends, and cannot start again until there is room.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        is_safe = request.method in ("GET", "HEAD", "OPTIONS")
        if not is_safe and embedded.is_used() and disk.is_full():
            return disk_full(request)
        return get_response(request)

    return answer


def is_database_lost(error: BaseException | None) -> bool:
    """Whether the database is gone, silent, or lets nobody in; that it refuses a query is something else."""
    if not isinstance(error, DatabaseError):
        return False
    cause = error.__cause__
    if not isinstance(cause, psycopg.OperationalError):
        return False
    return cause.sqlstate is None or cause.sqlstate.startswith(LOST)


def disk_full(request: HttpRequest) -> HttpResponse:
    """The page of a server whose disk has no room."""
    return _page(request, DISK, HttpResponse)


def _database_away(request: HttpRequest) -> HttpResponse:
    database.doubt()
    response = _page(request, DATABASE, DatabaseAway)
    response.is_worth_another_try = request.method in ("GET", "HEAD")  # it changed nothing
    return response


def _page[Kind: HttpResponse](request: HttpRequest, says: Sentences, kind: type[Kind]) -> Kind:
    """The page; for a script that asks (htmx, the outbox) the sentence alone."""
    is_read = request.method in ("GET", "HEAD")
    sentence, advice = (says.not_shown, says.read_again) if is_read else (says.not_saved, says.send_again)
    headers = {"Retry-After": str(AGAIN), "Cache-Control": "no-store"}
    if "HX-Request" in request.headers or "X-Outbox" in request.headers:
        return kind(sentence, content_type="text/plain; charset=utf-8", status=503, headers=headers)
    context = {
        "title": says.title,
        "icon": says.icon,
        "sentence": sentence,
        "advice": advice,
        "again": AGAIN if is_read else None,
    }
    return kind(render_to_string("503.html", context), status=503, headers=headers)
