"""A month pack as a file: TOML like the packs that come with Flagship (docs/month-packs.md)."""

import json
import re
import tomllib
from typing import Any

from scoring.domain.pack import InvalidPack, MonthPack, as_data, parse

MOST_BYTES = 64 * 1024


class NotAPack(Exception):
    """The file holds no month pack; `reasons` are sentences, each with the line where it is known."""

    def __init__(self, *reasons: str) -> None:
        super().__init__(" ".join(reasons))
        self.reasons = reasons


def write(pack: MonthPack) -> str:
    """The pack as TOML; what is absent is left out. `read` is its inverse."""
    data = {key: value for key, value in as_data(pack).items() if value is not None}
    tables = {key: value for key, value in data.items() if isinstance(value, dict)}
    lists = {key: data[key] for key in ("tallies", "bonuses")}
    lines = _lines({key: value for key, value in data.items() if key not in tables | lists})
    for key, table in tables.items():
        lines += ["", f"[{key}]", *_lines(table)]
    for key, rows in lists.items():
        for row in rows:
            lines += ["", f"[[{key}]]", *_lines(row)]
    return "\n".join(lines) + "\n"


def read(given: bytes | str) -> MonthPack:
    """The pack that a file or its text holds. Raises NotAPack with every reason at once."""
    text = _text(given)
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotAPack(_syntax(error)) from error
    try:
        return parse(data)
    except InvalidPack as error:
        raise NotAPack(*(_located(text, one.field, one.message) for one in error.errors)) from error


def line_of(text: str, path: str) -> int | None:
    """The line (from 1) where that field stands, or the table that should have it; None where that is not clear."""
    rows = re.fullmatch(r"(\w+)\[(\d+)\](?:\.(\w+).*)?", path)
    table, _, key = path.partition(".") if "." in path else ("", "", path)
    if rows and rows[1] in ("tallies", "bonuses"):
        table, key = f"{rows[1]}[{rows[2]}]", rows[3] or ""
    return _search(text, table, re.sub(r"\[\d+\]$", "", key))


def _search(text: str, table: str, key: str) -> int | None:
    here, seen, header = "", {}, None
    for number, line in enumerate(text.splitlines(), start=1):
        if rows := re.match(r"\s*\[\[\s*(\w+)\s*\]\]", line):
            place = seen[rows[1]] = seen.get(rows[1], -1) + 1
            here = f"{rows[1]}[{place}]"
        elif single := re.match(r"\s*\[\s*(\w+)\s*\]", line):
            here = single[1]
        elif here == table and key and re.match(rf"""\s*["']?{re.escape(key)}["']?\s*=""", line):
            return number
        if here == table and header is None and table:
            header = number
    return header


def _text(given: bytes | str) -> str:
    if len(given) > MOST_BYTES:
        most = f"{MOST_BYTES // 1024} KB"
        raise NotAPack(f"The file is larger than {most}, and a month pack has a few KB. Choose another file.")
    if isinstance(given, str):
        return given.replace("\r\n", "\n")
    try:
        return given.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = given[: error.start].count(b"\n") + 1
        raise NotAPack(f"Line {line} holds signs that are no UTF-8 text. Save the file as UTF-8 text.") from error


def _syntax(error: Exception) -> str:
    place = re.fullmatch(r"(.+?) \(at (?:line (\d+), column (\d+)|end of document)\)", str(error), re.DOTALL)
    if place is None:
        return "This is no TOML that can be read. Export a pack to see how such a file looks."
    where = f"Line {place[2]}, column {place[3]}" if place[2] else "At the end of the file"
    return f"{where}: this is no TOML. {place[1]}."


def _located(text: str, path: str, message: str) -> str:
    line = line_of(text, path)
    where = f"Line {line}: " if line else ""
    return f"{where}{path or 'the whole file'} {message}" + ("" if message.endswith("?") else ".")


def _lines(table: dict[str, Any]) -> list[str]:
    return [f"{key} = {_value(value)}" for key, value in table.items() if value is not None]


def _value(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
