"""Pages that say that something is wrong where there is no request of Django's, and perhaps no database."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation

from tourney.runtime import request_log
from tourney.runtime.language import language_of
from tourney.runtime.like_django import Header, Headers, LikeDjango, headers_of
from tourney.runtime.messages import Message, message
from tourney.runtime.scope import Scope, Send

LATER = (408, 503)
"""What may be taken a moment later: a script of ours shows the sentence and sends it again."""
READING = ("GET", "HEAD")
HTML = b"text/html; charset=utf-8"
BARE = "<!DOCTYPE html><html lang={0}><meta charset=utf-8><title>{1}</title><h1>{1}</h1><p>{2}</p>"
"""Where not even the template can be had."""


def page(title: str, sentences: tuple[str, ...]) -> bytes:
    """The page, which is the same for everybody who reads that language."""
    return _page(title, sentences, translation.get_language())


@lru_cache(64)
def _page(title: str, sentences: tuple[str, ...], _language: str | None) -> bytes:
    return render_to_string("plain.html", {"title": title, "sentences": sentences}).encode()


def failure_page(*, is_read: bool) -> bytes:
    """The page of a 500, with the number by which its cause is found in the log. Needs no database.

    Who only wanted to read can try again at the same address; whatever else was sent may be saved or not.
    """
    number = request_log.number_of_failure()
    try:
        return render_to_string("500.html", {"number": number, "is_read": is_read}).encode()
    except Exception:  # what failed may be just that
        title, numbered = message("Something went wrong"), message("Number {number}", number=number)
        return BARE.format(translation.get_language() or "en", title, numbered).encode()


def as_json(asked: Mapping[str, str], title: str, number: str = "") -> bytes | None:
    """The same for a program; None for who takes a page."""
    takes = asked.get("accept", "")
    if "application/json" not in takes or "text/html" in takes:
        return None
    return json.dumps({"error": title} | ({"number": number} if number else {})).encode()


class PlainPages:
    """Sends such pages by ASGI, in the reader's language."""

    def __init__(self, like_django: LikeDjango) -> None:
        self.like_django = like_django

    async def say(
        self, scope: Scope, send: Send, status: int, title: Message, *sentences: Message, more: Sequence[Header] = ()
    ) -> None:
        """The whole answer. With `connection: close` in `more`, the connection ends with it."""
        await self.begin(scope, send, status, title, *sentences, more=more)
        await send({"type": "http.response.body", "body": b""})

    async def begin(
        self, scope: Scope, send: Send, status: int, title: Message, *sentences: Message, more: Sequence[Header] = ()
    ) -> None:
        """The whole page, of an answer that does not end with it."""
        asked = headers_of(scope)
        with translation.override(_language(scope, asked)):
            said, told = str(title), tuple(map(str, sentences))
            if body := as_json(asked, " ".join((said, *told))):
                kind = b"application/json"
            elif status in LATER and {"hx-request", "x-outbox"} & asked.keys():
                body, kind = " ".join(told).encode(), b"text/plain; charset=utf-8"
            else:
                body, kind = page(said, told), HTML
        await self._send(scope, send, status, body, kind, more)

    async def fail(self, scope: Scope, send: Send) -> None:
        """The 500, where Django cannot say it."""
        number, asked = request_log.number_of_failure(), headers_of(scope)
        with translation.override(_language(scope, asked)):
            body, kind = as_json(asked, str(message("Something went wrong")), number), b"application/json"
            if body is None:
                body, kind = failure_page(is_read=scope["method"] in READING), HTML
        await self._send(scope, send, 500, body, kind, [(b"x-failure", number.encode())])
        await send({"type": "http.response.body", "body": b""})

    def headers_for_all(self, scope: Scope) -> Headers:
        """The security headers of an answer, whoever asks."""
        return self.like_django.headers_for_all(headers_of(scope), scope["scheme"])

    async def _send(
        self, scope: Scope, send: Send, status: int, body: bytes, kind: bytes, more: Sequence[Header]
    ) -> None:
        headers = [
            (b"content-type", kind),
            (b"content-length", str(len(body)).encode()),
            (b"cache-control", b"no-store"),
        ]
        headers += [*self.headers_for_all(scope), *more]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": True})


def _language(scope: Scope, asked: Mapping[str, str]) -> str:
    """The reader's. Of the cookies, of which there may be far too many, only this one is read."""
    sent = b";".join(value for name, value in scope["headers"] if name == b"cookie").decode("latin-1")
    cookies = (one.strip().partition("=") for one in sent.split(";"))
    chosen = {name: value for name, _, value in cookies if name == settings.LANGUAGE_COOKIE_NAME}
    return language_of(chosen, asked.get("accept-language", ""))
