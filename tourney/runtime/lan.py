"""The address of this computer in its local network."""

import contextlib
import ipaddress
import socket


def lan_address() -> str | None:
    """This computer's address in the local network, or None. Sends nothing: the socket only picks a route."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as route:
        route.connect(("192.0.2.1", 9))  # an address for documentation (RFC 5737): nobody has it
        address: str = route.getsockname()[0]
        return address
    import psutil  # without a way to the internet: the first private address of any interface

    for addresses in psutil.net_if_addrs().values():
        for found in addresses:
            if found.family == socket.AF_INET and is_private(found.address):
                return found.address
    return None


def is_private(address: str) -> bool:
    """Whether an IP address is one of a local network."""
    parsed = ipaddress.ip_address(address)
    return parsed.is_private and not parsed.is_loopback and not parsed.is_link_local
