"""Requests that leave this computer for an address that somebody typed: to the public internet alone.

    answer = post("https://chat.example/hooks/7", b"{}", {"Content-Type": "application/json"}, within=Patience())

A name is resolved here, each address that it has is checked, and the connection goes to one of those: nobody asks a
second time. No proxy of the environment is used, no redirect is followed, and no more is read than is of use. Whoever
runs the name's own servers makes nobody wait longer than anybody else.
"""

import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from http.client import HTTPException
from queue import Empty, SimpleQueue
from typing import Any
from urllib.parse import urlsplit

import truststore
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError

UNICAST = ipaddress.ip_network("2000::/3")
"""What the internet has of IPv6. The rest is nobody's, or leads to an IPv4 address in disguise (64:ff9b::, ::ffff:)."""
TUNNELS = tuple(map(ipaddress.ip_network, ("2001::/32", "2002::/16")))
"""Teredo and 6to4: the IPv4 address of the other end is inside."""
READ_AT_MOST = 64 * 1024
TRIED_ADDRESSES = 3
"""Of a name that has many."""
OK = range(200, 300)
REDIRECTS = range(300, 400)


class Trouble(StrEnum):
    """Why something did not arrive."""

    NO_NAME = "no_name"
    NOT_PUBLIC = "not_public"
    NO_CONNECTION = "no_connection"
    CERTIFICATE = "certificate"
    TOO_SLOW = "too_slow"
    CLOSED = "closed"
    """The other side ended the connection, or said what is no HTTP."""
    REDIRECTED = "redirected"
    REFUSED = "refused"
    """It answered, with a status that is no success."""


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds until a name has its addresses, and until there is a connection to one; until all is over, in all."""

    connect: float = 5
    total: float = 10


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a request: `trouble` is None where it arrived; `status` and `text` where it was answered."""

    trouble: Trouble | None
    status: int | None = None
    text: str = ""


class Unreachable(Exception):
    """The host cannot be connected to; `trouble` says why."""

    def __init__(self, trouble: Trouble) -> None:
        self.trouble = trouble
        super().__init__(trouble)


def is_public(address: str) -> bool:
    """Whether the IP address is one of the public internet, and leads nowhere else in disguise."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        return ip in UNICAST and ip.is_global and not any(ip in tunnel for tunnel in TUNNELS)
    return ip.is_global and not ip.is_multicast


def is_loopback(address: str) -> bool:
    """Whether the IP address is one of this computer alone."""
    return ipaddress.ip_address(address.partition("%")[0]).is_loopback


def post(
    url: str, body: bytes, headers: Mapping[str, str], *, within: Patience, allow_loopback: bool = False
) -> Answer:
    """Send it once. `allow_loopback` is for tests: this computer may be asked too, and without TLS."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    is_plain = parts.scheme == "http" and allow_loopback
    line = _Direct(host, parts.port or 80) if is_plain else _Encrypted(host, parts.port or 443)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    line.prepare(within, allow_loopback)
    with line.hung_up_in_time():
        try:
            plain = {**headers, "Accept-Encoding": "identity"}
            line.request("POST", path, body=body, headers=plain, preload_content=False, decode_content=False)
            response = line.getresponse()
        except Unreachable as error:
            return Answer(error.trouble)
        except ssl.SSLCertVerificationError:
            return Answer(Trouble.CERTIFICATE)
        except (HTTPError, HTTPException, OSError, ValueError) as error:
            is_late = line.was_hung_up or isinstance(error, TimeoutError) or isinstance(error.__cause__, TimeoutError)
            return Answer(Trouble.TOO_SLOW if is_late else Trouble.CLOSED)
        return Answer(_trouble_of(response.status), response.status, _read(response))


def _trouble_of(status: int) -> Trouble | None:
    if status in OK:
        return None
    return Trouble.REDIRECTED if status in REDIRECTS else Trouble.REFUSED


def _read(response: Any) -> str:
    """As much of the answer as comes in time; that it was answered counts, and not how it ends."""
    try:
        found: bytes = response.read(READ_AT_MOST)
    except (HTTPError, HTTPException, OSError, ValueError):
        return ""
    return found.decode("utf-8", errors="replace")


class _Direct(HTTPConnection):
    """A connection to one of the addresses that were checked, which ends when the time is up."""

    def prepare(self, within: Patience, allow_loopback: bool) -> None:
        self.within, self.allow_loopback = within, allow_loopback
        self.ends_at = time.monotonic() + within.total
        self.was_hung_up = False
        self.raw: socket.socket | None = None

    def _new_conn(self) -> socket.socket:
        """Raises Unreachable."""
        found = _resolved_in_time(self.host, self.port, min(self.within.connect, self.within.total))
        for address in _allowed(found, self.allow_loopback)[:TRIED_ADDRESSES]:
            left = min(self.within.connect, self.ends_at - time.monotonic())
            if left <= 0:
                raise Unreachable(Trouble.TOO_SLOW)
            with suppress(OSError):
                line = socket.create_connection((address, self.port), left)
                line.settimeout(self.within.total)
                self.raw = line.dup()  # TLS takes the other one for itself
                if self.was_hung_up:  # while it connected, when there was nothing yet to end
                    self._hang_up()
                return line
        raise Unreachable(Trouble.TOO_SLOW if self.ends_at <= time.monotonic() else Trouble.NO_CONNECTION)

    @contextmanager
    def hung_up_in_time(self) -> Iterator[None]:
        """A server that sends a byte now and then keeps each read from timing out: another thread ends the line."""
        timer = threading.Timer(self.within.total, self._hang_up)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()
            self.close()
            if self.raw:
                self.raw.close()

    def _hang_up(self) -> None:
        self.was_hung_up = True
        if self.raw:
            with suppress(OSError):
                self.raw.shutdown(socket.SHUT_RDWR)


class _Encrypted(_Direct, HTTPSConnection):
    """The certificate has to be one that this computer trusts, for the name that was typed."""

    def __init__(self, host: str, port: int) -> None:
        super().__init__(host, port, ssl_context=truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT))


def _resolved_in_time(host: str, port: int, seconds: float) -> list[str]:
    """Each address that the name has. Raises Unreachable if it has none, or if nobody says so in time.

    The system asks for as long as it likes: it does so in a thread, which is left to itself when the time is up.
    """
    answers: SimpleQueue[list[str]] = SimpleQueue()
    threading.Thread(target=lambda: answers.put(_resolved(host, port)), daemon=True).start()
    try:
        found = answers.get(timeout=seconds)
    except Empty:
        raise Unreachable(Trouble.TOO_SLOW) from None
    if not found:
        raise Unreachable(Trouble.NO_NAME)
    return found


def _resolved(host: str, port: int) -> list[str]:
    """Each address that the name has; none where it has none."""
    try:
        found = [str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    except (OSError, ValueError):
        return []
    return list(dict.fromkeys(found))


def _allowed(addresses: list[str], allow_loopback: bool) -> list[str]:
    """The same. Raises Unreachable if one of them is not public."""
    if not all(is_public(one) or (allow_loopback and is_loopback(one)) for one in addresses):
        raise Unreachable(Trouble.NOT_PUBLIC)
    return addresses
