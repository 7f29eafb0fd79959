"""What a device is told while Flagship is closed, for how long it is worth telling, and which addresses are told."""

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from datetime import timedelta
from enum import StrEnum
from hashlib import sha256

from tourney.domain.verbs import NAMED, Verb
from tourney.runtime.messages import Message, message
from tourney.sharing.domain.webhooks import why_not_there

MOST_DEVICES = 5
"""Of a player's card, and of a member of the staff; those go that asked longest ago."""
LONGEST = 1000
"""Characters of an endpoint."""
WAITS = (timedelta(seconds=15), timedelta(minutes=1), timedelta(minutes=5))
"""Between a try that failed and the next, while it is still worth telling."""
GONE = (404, 410)
"""What a push service answers where nobody listens any more (RFC 8030, 7.3)."""
AGAIN = (408, 425, 429)
"""What it answers, beside the 5xx, where a later try may do."""


class PushKind(StrEnum):
    """What there is to tell; the value is `kind` in what is sent."""

    TABLE = "table"
    PLACE = "place"
    JUDGE = "judge"


OF_PLAYERS = (PushKind.TABLE, PushKind.PLACE)
OF_STAFF = (PushKind.JUDGE,)

TITLES: Mapping[PushKind, Message] = {
    PushKind.TABLE: message("Your table is ready"),
    PushKind.PLACE: message("You have a place"),
    PushKind.JUDGE: message("A judge was called"),
}
"""What stands on the device, above the name of the event."""

KIND_OF: Mapping[Verb, PushKind] = {
    Verb.PUBLISH_ROUND: PushKind.TABLE,
    Verb.MOVE_UP: PushKind.PLACE,
    Verb.ASK_FOR_JUDGE: PushKind.JUDGE,
    Verb.CALL_JUDGE: PushKind.JUDGE,
}

WORTH: Mapping[PushKind, timedelta] = {
    PushKind.TABLE: timedelta(minutes=10),
    PushKind.PLACE: timedelta(hours=12),
    PushKind.JUDGE: timedelta(minutes=10),
}
"""How long after it happened a device is still told."""


def kind_of(did: str) -> PushKind | None:
    """What devices are told of a recorded action; None if nothing."""
    return KIND_OF.get(NAMED[did]) if did in NAMED else None


def topic_of(kind: PushKind, event: int) -> str:
    """What a newer message of the same kind and event replaces, at the push service and on the device.

    At most 32 letters of base64url, from which nobody reads the event.
    """
    return urlsafe_b64encode(sha256(f"{kind} {event}".encode()).digest()[:24]).decode()


def why_not_told(url: str, *, is_public: Callable[[str], bool], allow_loopback: bool = False) -> Message | None:
    """Why nothing is sent to this endpoint, which a browser named; None if it can be.

    `is_public` is asked about an IP address. What a name leads to is seen when something is sent there.
    """
    if why_not_there(url, to_discord=True, is_public=is_public, allow_loopback=allow_loopback):
        return message("Notifications can’t be sent to this browser: the address it gave isn’t on the internet.")
    return None


def is_key(text: str) -> bool:
    """Whether this is a browser's public key: a point of P-256, uncompressed, as base64url."""
    point = _decoded(text)
    if len(point) != 65 or point[0] != 4:
        return False
    x, y = int.from_bytes(point[1:33]), int.from_bytes(point[33:])
    return x < PRIME and y < PRIME and (y * y - (x * x * x - 3 * x + B)) % PRIME == 0


def is_secret(text: str) -> bool:
    """Whether this is a secret as browsers make it: 16 bytes, as base64url."""
    return len(_decoded(text)) == 16


PRIME = 2**256 - 2**224 + 2**192 + 2**96 - 1
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
"""Of the curve P-256: y² = x³ − 3x + B."""


def _decoded(text: str) -> bytes:
    """Nothing for what is no base64url without padding, written as everybody writes it."""
    try:
        data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        return b""
    return data if urlsafe_b64encode(data).decode().rstrip("=") == text else b""


def wait_after(attempts: int, waited: timedelta, kind: PushKind) -> timedelta | None:
    """How long to wait after so many tries that failed; None if it is not worth another."""
    if attempts > len(WAITS) or waited + WAITS[attempts - 1] >= WORTH[kind]:
        return None
    return WAITS[attempts - 1]
