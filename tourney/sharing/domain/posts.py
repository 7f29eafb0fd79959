"""A table as text for a chat, in parts that one message there can hold."""

import re
from collections.abc import Collection, Iterable, Sequence
from unicodedata import combining, east_asian_width

MOST = 2_000
"""What one message of Discord holds. It is counted in UTF-16, which is never less than what is counted there."""
FENCE = "```"
MARKUP = re.compile(r"([\\*_~`|])")


def parts_of(head: str, rows: Sequence[str], *, again: str, foot: str = "", most: int = MOST) -> tuple[str, ...]:
    """The rows in code blocks: no part is longer than `most`, and no row is cut.

    The first part begins with `head`, the others with `again` and their number; the last ends with `foot`. A row is far
    shorter than a part.
    """
    parts: list[str] = []
    taken: list[str] = []
    ends = f"\n{foot}" if foot else ""
    for row in rows:
        if taken and length(_part(head, [*taken, row]) + ends) > most:
            parts.append(_part(head, taken))
            head, taken = f"{again} ({len(parts) + 1})", []
        taken.append(row)
    return (*parts, _part(head, taken) + ends)


def _part(head: str, rows: Iterable[str]) -> str:
    return "\n".join((head, FENCE, *rows, FENCE))


def length(text: str) -> int:
    """How long the text is in UTF-16."""
    return len(text.encode("utf-16-le", errors="replace")) // 2


def in_columns(rows: Sequence[Sequence[str]], *, right: Collection[int] = ()) -> list[str]:
    """The rows as lines for a code block, cell below cell; cells of the columns `right` end below one another."""
    cells = [[cell.replace("`", "'") for cell in row] for row in rows]
    widths = [max(map(width, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(_padded(cell, widths[n], n in right) for n, cell in enumerate(row)).rstrip() for row in cells]


def _padded(cell: str, wide: int, is_right: bool) -> str:
    space = " " * (wide - width(cell))
    return space + cell if is_right else cell + space


def width(text: str) -> int:
    """How many columns of a type of one width the text takes."""
    return sum(0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)


def unmarked(text: str) -> str:
    """The text as a chat shows it letter by letter, and as it calls nobody."""
    return MARKUP.sub(r"\\\1", text).replace("@", "@\u200b")
