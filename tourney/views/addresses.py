"""Addresses for phones: as a QR code, and whether they work beyond this computer."""

import segno
from django.http import HttpRequest
from django.utils.safestring import SafeString, mark_safe

ONLY_THIS_COMPUTER = ("localhost", "127.0.0.1", "[::1]")


def qr_code(address: str) -> SafeString:
    """The address as a QR code: SVG of ours alone, without any style of its own."""
    return mark_safe(segno.make(address, error="m", micro=False).svg_inline(omitsize=True, border=2, lineclass=None))


def is_local(request: HttpRequest) -> bool:
    """Whether the site was opened at an address that no phone can reach."""
    return request.get_host().rsplit(":", 1)[0] in ONLY_THIS_COMPUTER
