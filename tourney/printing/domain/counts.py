"""About how many sheets of paper a list takes: its rows in tenths of a millimetre, with the widest letters.

The heights follow `static/css/paper.css`; a browser that prints has the last word, by the fonts that it has. The tests
hold the two against each other with their own fonts (`tests/browser/test_paper.py`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tourney.printing.domain.poster.text import width_of

PAGE = {"a4": 2670, "letter": 2494}
"""The height between the margins."""
WIDTH = {"a4": 1860, "letter": 1919}
"""The width between the margins."""

HEAD = 165
COLUMN_HEADS = 55


@dataclass(frozen=True, slots=True)
class Setting:
    """How large a row is set: the type, the height of a line of it, and the air above and below."""

    type: int
    line: int
    air: int


SETTINGS = {
    "large": Setting(type=60, line=75, air=54),
    "medium": Setting(type=48, line=60, air=40),
    "small": Setting(type=37, line=46, air=18),
    "condensed": Setting(type=32, line=36, air=18),
}
"""By what `letters` says of a list; `condensed` are the long names of the score sheet."""


def lines_of(words: str, width: int, setting: Setting) -> int:
    """The number of lines that the words take at most in a column of that width."""
    return max(1, -(-width_of(words, setting.type) // width))


def row_height(cells: Iterable[tuple[str, int]], setting: Setting, least: int = 0) -> int:
    """The height of a row of words in columns of these widths, at least `least`."""
    return max(least, setting.air + setting.line * max(lines_of(words, width, setting) for words, width in cells))


def sheets_for(rows: Sequence[int], size: str, *, column_heads: int = COLUMN_HEADS, before: int = 0) -> int:
    """The number of sheets of that size (a key of PAGE) for rows of these heights, none split, below the list's head.

    `before` is what stands between the head and the list.
    """
    sheets, room = 1, PAGE[size] - HEAD - before - column_heads
    for row in rows:
        if row > room:
            sheets, room = sheets + 1, PAGE[size] - column_heads
        room -= row
    return sheets
