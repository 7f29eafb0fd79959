"""The archive of an event as a file (docs/archive.md): JSON in UTF-8, measured before it is parsed."""

import json

from tourney.runtime.bounds import Bounds, OutOfBounds, check_json

MOST_BYTES = 32 * 1024**2
BOUNDS = Bounds(depth=60, parts=3_000_000)


class NotAnArchive(Exception):
    """The file holds no JSON that can be an archive; the text says why and what to do."""


def read(data: bytes) -> object:
    """What the file says, not checked yet. Raises NotAnArchive."""
    if len(data) > MOST_BYTES:
        raise NotAnArchive(f"The file is larger than {MOST_BYTES // 1024**2} MB, which no archive is. Choose another.")
    try:
        text = data.decode("utf-8-sig")
        check_json(text, BOUNDS)
        return json.loads(text)
    except OutOfBounds as error:
        raise NotAnArchive(str(error)) from error
    except (ValueError, RecursionError) as error:
        raise NotAnArchive(f"The file is no JSON file: {error}. Export the event again.") from error
