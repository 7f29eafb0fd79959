"""What the log says of a request: an id for each, and for each failure a number that its page shows too.

A line of the log is `key=value key=value …`; whatever is no plain word is quoted as JSON does, so a line is one line.
"""

import json
import logging
import re
import secrets
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime

ID = re.compile(r"[A-Za-z0-9_-]{8,64}")
PLAIN = re.compile(r"[A-Za-z0-9_.:/+-]+")
SECRET = re.compile(r"(/(?:card|set-up|invitation|new-password|account/e-mail|fleets/shared|new-store)/)[^/\s]+")
"""Every address of `tourney/urls.py` with a `key`."""
LONGEST_PATH = 200


@dataclass
class Request:
    """A request as the log names it; `failure` is the number of its 500 page, empty while nothing failed.

    `view` is the name of its address (`tourney/urls.py`), once Django knows it.
    """

    id: str
    method: str
    path: str
    failure: str = ""
    view: str = ""


current: ContextVar[Request | None] = ContextVar("request", default=None)


def begin(method: str, path: str, told: str = "") -> Request:
    """A request begins in this context, with the id that the proxy has `told`, or a new one."""
    request = Request(told if ID.fullmatch(told) else secrets.token_hex(8), method, path)
    current.set(request)
    return request


def number_of_failure() -> str:
    """The six digits by which this request's failure is found in the log; the same for each call within it."""
    request = current.get()
    number = (request and request.failure) or f"{secrets.randbelow(10**6):06}"
    if request:
        request.failure = number
    return number


class OneLine(logging.Formatter):
    """`time`, `level`, `logger`, then what is known of the request, the message, and the traceback if there is one."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of the log, without its end."""
        return " ".join(f"{key}={_quoted(value)}" for key, value in self.facts(record).items())

    def facts(self, record: logging.LogRecord) -> dict[str, str]:
        """What the line says, by its name, without what is empty."""
        facts = {"time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")}
        facts |= {"level": record.levelname, "logger": record.name}
        if request := current.get():
            facts |= {"request": request.id, "failure": request.failure}
            facts |= {"method": request.method, "path": request.path[:LONGEST_PATH]}
        facts["message"] = record.getMessage()
        if record.exc_info:
            facts["traceback"] = self.formatException(record.exc_info)
        return {key: _without_keys(value) for key, value in facts.items() if value}


class OneJson(OneLine):
    """The same facts as an object of JSON, on one line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of the log, without its end."""
        return json.dumps(self.facts(record))  # in ASCII: not all that a line quotes can be written as UTF-8


def _without_keys(value: str) -> str:
    """Without the keys of personal links, which open what they name."""
    return SECRET.sub(r"\1…", value)


def _quoted(value: str) -> str:
    return value if PLAIN.fullmatch(value) else json.dumps(value)
