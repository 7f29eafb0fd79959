"""What is written on a stream of server-sent events, as it is or compressed.

A compressed stream is one gzip file without an end. Each piece of it is compressed on its own and flushed, so that the
same bytes go to everybody who reads the same.
"""

import secrets
import zlib
from collections.abc import Sequence

from tourney.runtime.shared_html import OwnHtml

GZIP_HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
LEVEL = 3
RAW = -15
"""Of zlib: without a header, with the longest window."""
MOST_RANDOM = 100
"""Bytes of no meaning: the length of what is sent must not tell what is secret in it, as in Django's own gzip."""


def version(number: int | None, *, is_compressed: bool) -> bytes:
    """The message that the event has this version now."""
    message = f"event: version\nid: {number}\ndata: {number}\n\n"
    return deflated(message) if is_compressed else message.encode()


def part(number: int, pieces: Sequence[str | OwnHtml], *, is_compressed: bool) -> bytes:
    """The message that brings the live part of a page in that version, put together from these pieces."""
    before, after = f"event: part\nid: {number}\ndata: ", "\n\n"
    if not is_compressed:
        return (before + _data("".join(map(str, pieces))) + after).encode()
    made = [_padding()]
    open_text = before
    for piece in pieces:
        if isinstance(piece, str):
            open_text += _data(piece)
        else:
            made += [deflated(open_text), *piece.packed(_packed)]
            open_text = ""
    return b"".join([*made, deflated(open_text + after)])


def _packed(html: str) -> bytes:
    return deflated(_data(html))


def _data(html: str) -> str:
    """Each line of it as a line of data."""
    return html.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\ndata: ")


def deflated(text: str) -> bytes:
    """Raw deflate up to a full flush: nothing in it refers to what was sent before."""
    compress = zlib.compressobj(LEVEL, zlib.DEFLATED, RAW)
    return compress.compress(text.encode()) + compress.flush(zlib.Z_FULL_FLUSH)


def _padding() -> bytes:
    """A comment of random length, in a block of its own that is not compressed."""
    comment = b":" + b"a" * secrets.randbelow(MOST_RANDOM) + b"\n"
    size = len(comment)
    return b"\0" + size.to_bytes(2, "little") + (size ^ 0xFFFF).to_bytes(2, "little") + comment
