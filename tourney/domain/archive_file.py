"""The archive of an event as a file (docs/archive.md): JSON in UTF-8, measured before it is parsed."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from tourney.runtime.bounds import Bounds, OutOfBounds, check_json, shown

MOST_BYTES = 32 * 1024**2
BOUNDS = Bounds(depth=60, parts=3_000_000)
DEEPEST = 30
GREATEST = 2**63 - 1
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


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
        raise NotAnArchive(f"This isn’t a JSON file: {error}. Export the event again.") from error


def not_storable(data: object) -> Iterator[str]:
    """What no database holds, with its path, in the file's order; a place of each level is kept and nothing more."""
    levels: list[Iterator[tuple[str | int, Any]]] = [iter([("$", data)])]
    way: list[str | int] = ["$"]
    while levels:
        for way[-1], value in levels[-1]:
            if wrong := _wrong_value(value, len(levels) - 1):
                yield f"{_path(way)}: {wrong}"
            if isinstance(value, dict | list) and len(levels) <= DEEPEST:
                levels.append(iter(value.items()) if isinstance(value, dict) else enumerate(value))
                way.append("")
                break
        else:
            levels.pop()
            way.pop()


def _wrong_value(value: Any, depth: int) -> str:
    if isinstance(value, str):
        return "holds a character that cannot be stored" if UNSTORABLE.search(value) else ""
    if isinstance(value, float):
        return f"{value} is no whole number"
    if isinstance(value, int):
        return "the number is too large" if abs(value) > GREATEST else ""
    if isinstance(value, dict | list) and depth == DEEPEST:
        return "is nested too deeply"
    if isinstance(value, dict) and any(map(UNSTORABLE.search, value)):
        return "a name in it holds a character that cannot be stored"
    return ""


def _path(way: Iterable[str | int]) -> str:
    first, *steps = way
    return "".join((str(first), *(f"[{one}]" if isinstance(one, int) else f".{shown(one)}" for one in steps)))
