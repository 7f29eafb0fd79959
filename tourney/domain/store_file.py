"""The archive of a store as a file (docs/store-archive.md): lines of JSON, compressed, measured before they are read.

lines = as_bytes([{"store": {...}}, {"player": {...}}])     # the file, part by part
for line in lines_of(data): ...                             # what is in it, line by line
"""

import json
import zlib
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any

from tourney.domain.archive_file import not_storable
from tourney.runtime.bounds import Bounds, OutOfBounds, check_json, shown

FORMAT = "flagship-store"
VERSION = 1
MOST_BYTES = 256 * 1024**2
MOST_UNPACKED = 2 * 1024**3
LONGEST_LINE = 16 * 1024**2
MOST_LINES = 5_000_000
BOUNDS = Bounds(depth=60, parts=1_000_000)
PART = 256 * 1024
GZIP = 31
"""What zlib calls the format of gzip."""


class NotAStoreArchive(Exception):
    """The file holds no archive of a store that can be read; the text says why and what to do."""


def as_bytes(rows: Iterable[object]) -> Iterator[bytes]:
    """The file with a line for each of these, in parts; the last line has their number and their hash."""
    packer, digest, count = zlib.compressobj(wbits=GZIP), sha256(), 0
    for row in rows:
        line = _line(row)
        digest.update(line)
        count += 1
        if part := packer.compress(line):
            yield part
    yield packer.compress(_line({"end": {"lines": count, "sha256": digest.hexdigest()}}))
    yield packer.flush()


def check_file(data: bytes) -> int:
    """How many lines the file has before its last one, if each is JSON within its bounds, and all are as written.

    Raises NotAStoreArchive.
    """
    digest, count, last = sha256(), 0, b""
    for number, line in enumerate(_lines(data), start=1):
        if number > MOST_LINES + 1:
            raise NotAStoreArchive(f"The file has more than {MOST_LINES:,} lines, which no archive has.")
        _check_line(line, number)
        if last:
            digest.update(last)
            count += 1
        last = line
    end = _end(last)
    if end.get("lines") != count or end.get("sha256") != digest.hexdigest():
        raise NotAStoreArchive("The file isn’t as it was written: it was damaged or changed. Export the store again.")
    return count


def lines_of(data: bytes) -> Iterator[Any]:
    """What the lines say, without the last one. Only for a file that `check_file` was content with."""
    last: bytes | None = None
    for line in _lines(data):
        if last is not None:
            yield json.loads(last)
        last = line


def _line(row: object) -> bytes:
    text = json.dumps(row, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode() + b"\n"


def _lines(data: bytes) -> Iterator[bytes]:
    """The lines, each with its end, as they are unpacked: never more than a part beyond the longest line in memory."""
    if len(data) > MOST_BYTES:
        raise NotAStoreArchive(f"The file is larger than {MOST_BYTES // 1024**2} MB, which no archive is.")
    rest, total = b"", 0
    for part in _unpacked(data):
        total += len(part)
        if total > MOST_UNPACKED:
            raise NotAStoreArchive(f"Unpacked, the file is larger than {MOST_UNPACKED // 1024**3} GB. No archive is.")
        *whole, rest = (rest + part).split(b"\n")
        yield from (line + b"\n" for line in whole)
        if len(rest) > LONGEST_LINE:
            raise NotAStoreArchive(f"A line of the file is longer than {LONGEST_LINE // 1024**2} MB.")
    if rest:
        raise NotAStoreArchive("The file ends in the middle. Copy it again, or export the store again.")


def _unpacked(data: bytes) -> Iterator[bytes]:
    unpacker, place = zlib.decompressobj(wbits=GZIP), 0
    try:
        while place < len(data) and not unpacker.eof:
            given = data[place : place + PART]
            place += len(given)
            yield unpacker.decompress(given, PART)
            while unpacker.unconsumed_tail:
                yield unpacker.decompress(unpacker.unconsumed_tail, PART)
    except zlib.error as error:
        raise NotAStoreArchive(
            "This isn’t the archive of a store, or it is damaged. Export the store again."
        ) from error
    if not unpacker.eof or unpacker.unused_data or place < len(data):
        raise NotAStoreArchive("The file ends in the middle, or something follows its end. Copy it again.")


def _check_line(line: bytes, number: int) -> None:
    try:
        text = line.decode()
        check_json(text, BOUNDS)
        value = json.loads(text)
    except OutOfBounds as error:
        raise NotAStoreArchive(f"Line {number}: {error}") from error
    except (ValueError, RecursionError) as error:
        raise NotAStoreArchive(
            f"Line {number} isn’t JSON: {shown(str(error), 200)}. Export the store again."
        ) from error
    for wrong in not_storable(value):
        raise NotAStoreArchive(f"Line {number}, {wrong}.")


def _end(line: bytes) -> dict[str, Any]:
    try:
        end = json.loads(line)["end"]
    except (LookupError, TypeError, ValueError):
        end = None
    if not isinstance(end, dict):
        raise NotAStoreArchive("The file has no end: it was cut off. Copy it again, or export the store again.")
    return end
