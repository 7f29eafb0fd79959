"""From which network a request comes: whose tries are counted together."""

from collections.abc import Iterable
from ipaddress import ip_address, ip_network

from tourney.runtime.messages import Message, message

UNKNOWN = "unknown"
LOOPBACK = "loopback"
SAID = {UNKNOWN: message("unknown network"), LOOPBACK: message("this computer")}
"""What is said for a network without a number."""


def client_address(connection: str, forwarded: str | None) -> str:
    """The address of the connection, or the last one that a proxy names; of IPv6 the network of a household.

    Only the last address of X-Forwarded-For is the proxy's own word; a visitor can send any others. What is no address
    is "unknown".
    """
    address = connection if forwarded is None else forwarded.rpartition(",")[2].strip()
    try:
        number = ip_address(address)
    except ValueError:
        return UNKNOWN
    if number.version == 6 and number.ipv4_mapped:
        return str(number.ipv4_mapped)
    return str(ip_network((number.packed, 64), strict=False)) if number.version == 6 else str(number)


def forwarded_in(headers: Iterable[tuple[bytes, bytes]]) -> str | None:
    """X-Forwarded-For of a request that Django has not seen yet."""
    found = [value.decode("latin-1") for name, value in headers if name == b"x-forwarded-for"]
    return ",".join(found) if found else None


def network_of(address: str) -> str:
    """An address of `client_address` without its end, “192.168.1.x”; a key of `SAID` where it has no number to tell."""
    if address == UNKNOWN:
        return UNKNOWN
    if "/" in address:
        return address.removesuffix("/64") + "…" if address != "::/64" else LOOPBACK
    if ip_address(address).is_loopback:
        return LOOPBACK
    return address.rpartition(".")[0] + ".x"


def network_in_words(network: str) -> str | Message:
    """What `network_of` found, for people to read."""
    return SAID.get(network, network)
