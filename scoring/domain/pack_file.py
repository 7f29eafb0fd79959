"""A month pack as a file: TOML like the packs that come with Flagship (docs/month-packs.md)."""

import json
import re
import tomllib
from collections.abc import Iterator
from typing import Any

from scoring.domain.pack import InvalidPack, MonthPack, as_data, parse
from tourney.runtime.bounds import Bounds, OutOfBounds, check_toml
from tourney.runtime.messages import Message, message, nmessage

MOST_BYTES = 64 * 1024
BOUNDS = Bounds(depth=8, parts=4000)
MOST_REASONS = 50
LISTS = ("card_limits", "cost_changes", "tallies", "bonuses")
"""The fields that are lists of tables."""


class NotAPack(Exception):
    """The file holds no month pack; `reasons` are sentences, each with the line where it is known."""

    def __init__(self, *reasons: str | Message) -> None:
        super().__init__(*reasons)
        self.reasons = reasons

    def __str__(self) -> str:
        return " ".join(map(str, self.reasons))


def write(pack: MonthPack) -> str:
    """The pack as TOML; what is absent is left out. `read` is its inverse."""
    data = {key: value for key, value in as_data(pack).items() if value is not None}
    tables = {key: value for key, value in data.items() if isinstance(value, dict)}
    lists = {key: data[key] for key in LISTS}
    lines = _lines({key: value for key, value in data.items() if key not in tables | lists})
    for key, table in tables.items():
        lines += ["", f"[{key}]", *_lines(table)]
    for key, rows in lists.items():
        for row in rows:
            lines += ["", f"[[{key}]]", *_lines(row)]
    return "\n".join(lines) + "\n"


def read(given: bytes | str) -> MonthPack:
    """The pack that a file or its text holds. Raises NotAPack with every reason at once, or the first MOST_REASONS."""
    text = _text(given)
    try:
        check_toml(text, BOUNDS)
        data = tomllib.loads(text)
    except OutOfBounds as error:
        raise NotAPack(*error.args) from error
    except tomllib.TOMLDecodeError as error:
        raise NotAPack(_syntax(error)) from error
    try:
        return parse(data)
    except InvalidPack as error:
        places = _places(text)
        reasons = [_located(_line_at(places, one.field), one.field, one.message) for one in error.errors[:MOST_REASONS]]
        more = len(error.errors) - MOST_REASONS
        raise NotAPack(
            *reasons, *([nmessage("And {count} more.", "And {count} more.", more)] if more > 0 else [])
        ) from error


def line_of(text: str, path: str) -> int | None:
    """The line (from 1) where that field stands, or the table that should have it; None where that is not clear."""
    return _line_at(_places(text), path)


type KeyLines = dict[tuple[str, str], int]
"""The line of each key by its table ("", "resource", "tallies[0]"), and of each table's header by the key ""."""


def _line_at(places: KeyLines, path: str) -> int | None:
    rows = re.fullmatch(r"(\w+)\[(\d+)\](?:\.(\w+).*)?", path)
    table, _, key = path.partition(".") if "." in path else ("", "", path)
    if rows and rows[1] in LISTS:
        table, key = f"{rows[1]}[{rows[2]}]", rows[3] or ""
    return places.get((table, re.sub(r"\[\d+\]$", "", key)), places.get((table, "")))


def _places(text: str) -> KeyLines:
    places: KeyLines = {}
    for number, place in _keys(text):
        places.setdefault(place, number)
    return places


def _keys(text: str) -> Iterator[tuple[int, tuple[str, str]]]:
    """Each line that begins with a key or is a header, with the table and the key."""
    here = ""
    seen: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if rows := re.match(r"\s*\[\[\s*(\w+)\s*\]\]", line):
            place = seen[rows[1]] = seen.get(rows[1], -1) + 1
            here = f"{rows[1]}[{place}]"
            yield number, (here, "")
        elif single := re.match(r"\s*\[\s*(\w+)\s*\]", line):
            here = single[1]
            yield number, (here, "")
        elif (key := line.partition("=")[0].strip().strip("\"'")) and "=" in line:
            yield number, (here, key)


def _text(given: bytes | str) -> str:
    if len(given) > MOST_BYTES:
        raise NotAPack(
            message(
                "The file is larger than {most} KB. A month pack has only a few KB. Choose a different file.",
                most=MOST_BYTES // 1024,
            )
        )
    if isinstance(given, str):
        return given.replace("\r\n", "\n")
    try:
        return given.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = given[: error.start].count(b"\n") + 1
        raise NotAPack(
            message("Line {line} isn’t UTF-8 text. Save the file as UTF-8, then choose it again.", line=line)
        ) from error


def _syntax(error: tomllib.TOMLDecodeError) -> Message:
    """What tomllib says, in its own English; the place stands in brackets after all of its messages."""
    wrong, _, place = str(error).removesuffix(")").rpartition(" (at ")
    if numbers := re.fullmatch(r"line (\d+), column (\d+)", place):
        return message(
            "Line {line}, column {column} isn’t valid TOML: “{wrong}”.",
            line=int(numbers[1]),
            column=int(numbers[2]),
            wrong=wrong,
        )
    return message("The end of the file isn’t valid TOML: “{wrong}”.", wrong=wrong)


def _located(line: int | None, field: str, wrong: Message) -> Message:
    if line and field:
        return message("Line {line}, {field}: {wrong}", line=line, field=field, wrong=wrong)
    return message("{field}: {wrong}", field=field, wrong=wrong) if field else wrong


def _lines(table: dict[str, Any]) -> list[str]:
    return [f"{key} = {_value(value)}" for key, value in table.items() if value is not None]


def _value(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
