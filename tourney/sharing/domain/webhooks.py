"""What a store's webhook is told of, where it may be, how what it is sent is signed, and when it is sent again."""

import hmac
import ipaddress
from collections.abc import Callable, Mapping
from datetime import timedelta
from enum import StrEnum
from hashlib import sha256
from urllib.parse import SplitResult, urlsplit

from tourney.domain.verbs import NAMED, Verb
from tourney.runtime.messages import Message, message

SIGNATURE = "Flagship-Signature"
"""The header of a signature: t=<seconds since 1970>,v1=<of "t.body">."""
WAITS = (
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=8),
)
"""Between a try that failed and the next; after the last of them nothing is sent again."""
LONGEST = 500
"""Characters of an address."""
OF_DISCORD = ("discord.com", "discordapp.com")


class News(StrEnum):
    """What there is to tell; the value is `kind` in what is sent."""

    TABLES = "tables_published"
    CLOSED = "round_closed"
    RANKS = "ranks_final"
    DATE = "next_date"
    ANNOUNCED = "announcement"
    TEST = "test"


class Ended(StrEnum):
    """How a delivery ended or stands, where no `Trouble` of `runtime.outgoing` says it."""

    DELIVERED = "delivered"
    OUTDATED = "outdated"
    """It was undone, or over, before it could be sent."""
    TURNED_OFF = "turned_off"
    FAILED = "failed"
    """It could not be made, which is our fault."""


CHOICES = tuple(news for news in News if news != News.TEST)
"""What an owner chooses among; a test is always sent."""

NEWS_OF: Mapping[Verb, News] = {
    Verb.PUBLISH_ROUND: News.TABLES,
    Verb.CLOSE_ROUND: News.CLOSED,
    Verb.FINISH_EVENT: News.RANKS,
    Verb.STOP_EVENT: News.RANKS,
    Verb.MAKE_EVENT: News.DATE,
    Verb.CHANGE_EVENT: News.DATE,
    Verb.POSTPONE_EVENT: News.DATE,
    Verb.CANCEL_EVENT: News.DATE,
    Verb.HOLD_EVENT: News.DATE,
    Verb.ANNOUNCE: News.ANNOUNCED,
}


def news_of(did: str, after: Mapping[str, object] | None) -> News | None:
    """What there is to tell of a recorded action, with the facts it led to; None if nothing.

    Other settings of an event than its date are no news.
    """
    news = NEWS_OF.get(NAMED[did]) if did in NAMED else None
    return None if did == Verb.CHANGE_EVENT and "starts_at" not in (after or {}) else news


def why_not_there(
    url: str, *, to_discord: bool, is_public: Callable[[str], bool], allow_loopback: bool = False
) -> Message | None:
    """Why nothing can be sent to this address, as far as it says so itself; None if it can.

    `is_public` is asked about an IP address. What a name leads to is seen when something is sent there.
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return message("That isn’t a web address. Copy it from the program that receives the messages.")
    if parts.scheme != "https" and not (allow_loopback and parts.scheme == "http"):
        return message("Use an address that begins with https://. Anything sent elsewhere can be read on the way.")
    if not host or not url.isascii() or not url.isprintable() or " " in url:
        return message("That isn’t a web address. Copy it from the program that receives the messages.")
    if parts.username is not None or parts.password is not None:
        return message("Remove the name and password in front of the @.")
    if _is_near(host, is_public) and not allow_loopback:
        return message("This address is inside a private network. Use one that is on the internet.")
    if not to_discord and _is_of_discord(parts):
        return message("This is an address from Discord. Choose the Discord format for it.")
    return None


def _is_near(host: str, is_public: Callable[[str], bool]) -> bool:
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        name = host.rstrip(".")
        return "." not in name or name.endswith((".localhost", ".local", ".internal", ".lan", ".home.arpa"))
    return not is_public(host)


def _is_of_discord(parts: SplitResult) -> bool:
    host = parts.hostname or ""
    return any(host == name or host.endswith(f".{name}") for name in OF_DISCORD)


def signature(secret: str, seconds: int, body: bytes) -> str:
    """The value of the header, by which the receiver knows who sent the body, and when."""
    signed = hmac.new(secret.encode(), f"{seconds}.".encode() + body, sha256).hexdigest()
    return f"t={seconds},v1={signed}"


def wait_after(attempts: int) -> timedelta | None:
    """How long to wait after so many tries that failed; None if that was the last."""
    return WAITS[attempts - 1] if attempts <= len(WAITS) else None
