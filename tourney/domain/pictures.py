"""A picture that a stranger sends: checked part by part, and put together again from the parts that draw it.

What comes out is a PNG, JPEG or WebP of which every part is known: no metadata (a phone's place), nothing after its
end. A picture that only its metadata turn is not taken: without them it would lie on its side. The pixels of JPEG and
WebP are not decoded here; a browser shows them under their own type and no other.
"""

import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from tourney.runtime.messages import Message, message

MOST_BYTES = 256_000
MOST_PIXELS = 2000
"""Of its width and of its height."""
ORIENTATION = 0x0112
"""The tag of Exif that says how a picture is turned: 1 for one that is not."""
TURNED = range(2, 9)


class PictureKind(StrEnum):
    PNG = "png"
    JPEG = "jpeg"
    WEBP = "webp"


@dataclass(frozen=True, slots=True)
class Picture:
    kind: PictureKind
    width: int
    height: int
    content: bytes


class NotAPicture(ValueError):
    """It is not taken; `reason` says why, in a sentence."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason)
        self.reason = reason


class _BrokenPicture(Exception):
    """A part is missing, or is not as the format has it."""


def read_picture(content: bytes) -> Picture:
    """The picture in the file, whatever the file is called. Raises NotAPicture."""
    if len(content) > MOST_BYTES:
        raise NotAPicture(message("The file is too large. Choose one of at most {limit} kB.", limit=MOST_BYTES // 1000))
    kind = _kind_of(content)
    if kind is None:
        raise NotAPicture(message("This isn’t a picture. Choose a PNG, JPEG or WebP file."))
    try:
        return READERS[kind](content)
    except (_BrokenPicture, zlib.error) as error:
        raise NotAPicture(message("This picture is damaged. Save it again and choose the new file.")) from error


def _kind_of(content: bytes) -> PictureKind | None:
    """What it says it is with its first bytes; None for anything else than a picture."""
    if content.startswith(PNG):
        return PictureKind.PNG
    if content.startswith(b"\xff\xd8\xff"):
        return PictureKind.JPEG
    return PictureKind.WEBP if content.startswith(b"RIFF") and content[8:12] == b"WEBP" else None


def _sized(width: int, height: int) -> tuple[int, int]:
    """The same. Raises NotAPicture for too many pixels, before anything is done with them."""
    _require(width > 0 and height > 0)
    if max(width, height) > MOST_PIXELS:
        raise NotAPicture(
            message(
                "The picture has {width} × {height} pixels. Make it at most {limit} × {limit}.",
                width=width,
                height=height,
                limit=MOST_PIXELS,
            )
        )
    return width, height


def _require_upright(exif: bytes) -> None:
    """Raises NotAPicture if these metadata tell to turn or mirror the picture; what can't be read tells nothing."""
    tiff = exif.removeprefix(b"Exif\0\0")
    order: Literal["little", "big"] = "little" if tiff.startswith(b"II") else "big"
    first = int.from_bytes(tiff[4:8], order)
    count = int.from_bytes(tiff[first : first + 2], order)
    entries = (tiff[place : place + 12] for place in range(first + 2, min(first + 2 + 12 * count, len(tiff)), 12))
    turns = (int.from_bytes(one[8:10], order) for one in entries if int.from_bytes(one[:2], order) == ORIENTATION)
    if any(turn in TURNED for turn in turns):
        raise NotAPicture(message("This picture isn’t stored upright. Rotate it, save it, and choose the new file."))


def _require(is_so: bool) -> None:
    if not is_so:
        raise _BrokenPicture


# PNG: chunks with a checksum each

PNG = b"\x89PNG\r\n\x1a\n"
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
KEPT_CHUNKS = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND")
ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
"""Each pass of an interlaced PNG: its first column and row, and how far apart they are."""


def _read_png(content: bytes) -> Picture:
    chunks = list(_chunks_of(content))
    names = [name for name, _ in chunks]
    _require(names[0] == b"IHDR" and names[-1] == b"IEND")
    _require(names.count(b"IHDR") == names.count(b"IEND") == 1)
    _require(all(name in KEPT_CHUNKS or name[0] & 0x20 for name in names))  # what a reader may not skip, we know
    head = chunks[0][1]
    _require(len(head) == 13)
    width, height = _sized(int.from_bytes(head[:4]), int.from_bytes(head[4:8]))
    depth, color, *methods, interlaced = head[8:]
    _require(depth in DEPTHS.get(color, ()) and methods == [0, 0] and interlaced in (0, 1))
    _require((color != 3 or b"PLTE" in names) and len(chunks[-1][1]) == 0)
    bits = depth * CHANNELS[color]
    passes = ADAM7 if interlaced else ((0, 0, 1, 1),)
    pixels = b"".join(body for name, body in chunks if name == b"IDAT")
    _require(_inflated(pixels) == sum(_bytes_of_pass(width, height, bits, one) for one in passes))
    for exif in (body for name, body in chunks if name == b"eXIf"):
        _require_upright(exif)
    kept = (_chunk(name, body) for name, body in chunks if name in KEPT_CHUNKS)
    return Picture(PictureKind.PNG, width, height, PNG + b"".join(kept))


def _chunks_of(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The chunks up to the last one; what comes after it is no part of the picture."""
    place, name = len(PNG), b""
    while name != b"IEND":
        length, name = int.from_bytes(content[place : place + 4]), content[place + 4 : place + 8]
        body = content[place + 8 : place + 8 + length]
        _require(len(name) == 4 and name.isalpha() and len(body) == length)
        _require(content[place + 8 + length : place + 12 + length] == zlib.crc32(name + body).to_bytes(4))
        yield name, body
        place += 12 + length


def _chunk(name: bytes, body: bytes) -> bytes:
    return len(body).to_bytes(4) + name + body + zlib.crc32(name + body).to_bytes(4)


def _bytes_of_pass(width: int, height: int, bits: int, one: Sequence[int]) -> int:
    """The bytes of its rows, each with one for its filter."""
    x, y, wide, high = one
    columns, rows = -(-(width - x) // wide), -(-(height - y) // high)
    return rows * (1 + -(-columns * bits // 8)) if columns > 0 and rows > 0 else 0


def _inflated(packed: bytes) -> int:
    """How many bytes come out, of which never more than a few are held; at most what the largest picture has."""
    inflate, size = zlib.decompressobj(), 0
    while not inflate.eof:
        part = inflate.decompress(packed, 1 << 16)
        packed, size = inflate.unconsumed_tail, size + len(part)
        _require((bool(part) or inflate.eof) and size <= MOST_PIXELS * (MOST_PIXELS * 8 + 1) * 2)
    return size


# JPEG: segments, then scans up to the next marker

SOI, EOI, SOS, DHT = 0xD8, 0xD9, 0xDA, 0xC4
FRAMES = (0xC0, 0xC1, 0xC2)
"""Baseline, extended and progressive: those that browsers show."""
KEPT_SEGMENTS = (*FRAMES, DHT, 0xDB, 0xDD, SOS, 0xE0, 0xEE)
"""Of the applications' segments, JFIF and Adobe's, which tells how the colors are to be read."""
APP1 = 0xE1
APPLICATIONS_AND_COMMENT = (*range(0xE0, 0xF0), 0xFE)


def _read_jpeg(content: bytes) -> Picture:
    kept, place, size, has_scan = [b"\xff\xd8"], 2, None, False
    while True:
        _require(content[place : place + 1] == b"\xff" and place + 1 < len(content))
        marker = content[place + 1]
        place += 2
        if marker == EOI:
            break
        length = int.from_bytes(content[place : place + 2])
        body = content[place + 2 : place + length]
        _require(length >= 2 and len(body) == length - 2)
        _require(marker in KEPT_SEGMENTS or marker in APPLICATIONS_AND_COMMENT)
        end = place + length
        if marker in FRAMES:
            _require(size is None and len(body) >= 6 and len(body) == 6 + 3 * body[5] and body[0] == 8)
            _require(body[5] in (1, 3, 4))
            size = _sized(int.from_bytes(body[3:5]), int.from_bytes(body[1:3]))
        elif marker == SOS:
            _require(size is not None)
            end, has_scan = _end_of_scan(content, end), True
        elif marker == APP1 and body.startswith(b"Exif\0\0"):
            _require_upright(body)
        if marker in KEPT_SEGMENTS:
            kept.append(content[place - 2 : end])
        place = end
    _require(size is not None and has_scan)
    width, height = size or (0, 0)
    return Picture(PictureKind.JPEG, width, height, b"".join([*kept, b"\xff\xd9"]))


def _end_of_scan(content: bytes, place: int) -> int:
    """Where the next marker is that is no part of the scan."""
    while True:
        place = content.find(b"\xff", place)
        _require(0 <= place < len(content) - 1)
        following = content[place + 1]
        if following == 0 or 0xD0 <= following <= 0xD7:
            place += 2
        elif following == 0xFF:
            place += 1
        else:
            return place


# WebP: chunks in a RIFF file

VP8X_ALPHA, VP8X_ANIMATED = 0x10, 0x02
KEPT_OF_WEBP = (b"VP8X", b"ALPH", b"VP8 ", b"VP8L")


def _read_webp(content: bytes) -> Picture:
    length = int.from_bytes(content[4:8], "little")
    _require(12 <= 8 + length <= len(content))
    chunks = list(_chunks_of_webp(content[12 : 8 + length]))
    names = [name for name, _ in chunks]
    pictures = [(name, body) for name, body in chunks if name in (b"VP8 ", b"VP8L")]
    _require(len(pictures) == 1)
    for exif in (body for name, body in chunks if name == b"EXIF"):
        _require_upright(exif)
    kept = [(name, body) for name, body in chunks if name in KEPT_OF_WEBP]
    width, height = _size_of_vp8(*pictures[0])
    if names[0] == b"VP8X":
        head = chunks[0][1]
        _require(len(head) == 10 and not head[0] & VP8X_ANIMATED and names.count(b"VP8X") == 1)
        canvas = int.from_bytes(head[4:7], "little") + 1, int.from_bytes(head[7:10], "little") + 1
        _require(canvas == (width, height))
        kept[0] = (b"VP8X", bytes([head[0] & VP8X_ALPHA]) + head[1:])
    else:
        kept = pictures
    body = b"WEBP" + b"".join(_chunk_of_webp(name, body) for name, body in kept)
    return Picture(PictureKind.WEBP, width, height, b"RIFF" + len(body).to_bytes(4, "little") + body)


def _chunks_of_webp(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    place = 0
    while place < len(content):
        length = int.from_bytes(content[place + 4 : place + 8], "little")
        body = content[place + 8 : place + 8 + length]
        _require(len(content) >= place + 8 and len(body) == length)
        yield content[place : place + 4], body
        place += 8 + length + length % 2


def _chunk_of_webp(name: bytes, body: bytes) -> bytes:
    return name + len(body).to_bytes(4, "little") + body + b"\0" * (len(body) % 2)


def _size_of_vp8(name: bytes, body: bytes) -> tuple[int, int]:
    if name == b"VP8L":
        _require(len(body) > 5 and body[0] == 0x2F and body[4] >> 5 == 0)
        bits = int.from_bytes(body[1:5], "little")
        return _sized((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    _require(len(body) > 10 and body[0] & 1 == 0 and body[3:6] == b"\x9d\x01\x2a")
    first_part = int.from_bytes(body[:3], "little") >> 5
    _require(10 + first_part <= len(body))
    return _sized(int.from_bytes(body[6:8], "little") & 0x3FFF, int.from_bytes(body[8:10], "little") & 0x3FFF)


READERS: Mapping[PictureKind, Callable[[bytes], Picture]] = {
    PictureKind.PNG: _read_png,
    PictureKind.JPEG: _read_jpeg,
    PictureKind.WEBP: _read_webp,
}
