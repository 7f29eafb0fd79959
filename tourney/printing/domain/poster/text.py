"""How wide words are, and how they fit a line: careful for every font the poster may be shown in.

The widths are those of the widest of these fonts, a bold Helvetica. All lengths are ints, in any one unit.
"""

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

WIDTHS = {
    238: "'",
    278: " ,./I\\ijl·’",
    280: "|",
    334: "!()-:;[]`ft",
    390: "*r{}",
    500: 'z“”"',
    557: "#$0123456789J_aceksvxy–",
    611: "?FLTZbdghnopqußø+<=>^~",
    667: "EPSVXY",
    723: "&ABCDHKNRU",
    778: "GOQwØ",
    890: "%mæM",
    1000: "W@—…Æ",
}
"""In thousandths of the type size."""

WIDTH_OF = {letter: width for width, letters in WIDTHS.items() for letter in letters}
LINE = 116
"""Percent of the type size: from one baseline to the next."""
SPARE = 105
"""Percent: no line is filled to the last hair."""

WORTH_A_BREAK = 110
"""Percent: a second line must make the type so much larger."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """Words as lines, one below the other, and the type size at which each of them fits."""

    lines: tuple[str, ...]
    size: int


def width_of(words: str, size: int, spacing: int = 0) -> int:
    """The width of the words on one line, or a little more; `spacing` percent of the size stand after each letter."""
    return -(-_thousandths(words, spacing) * size * SPARE // 100_000)


def fit(words: str, width: int, height: int, size: int, spacing: int = 0) -> Fitted:
    """The words in type of at most that size on one line; or on two, where that makes them clearly larger.

    Whatever their length, they fill no more than the width and height (while there is a unit of width for each letter).
    """
    lines = halves(words)
    one = _largest(words, width, min(size, height * 100 // LINE), spacing)
    two = min(_largest(line, width, min(size, height * 50 // LINE), spacing) for line in lines)
    return Fitted(lines, two) if two * 100 > one * WORTH_A_BREAK else Fitted((words,), one)


@lru_cache(4096)
def halves(words: str) -> tuple[str, ...]:
    """The words on two lines, as even as the spaces allow; a single word is broken in the middle."""
    if len(words) < 2:
        return (words,)
    places = [place for place, letter in enumerate(words) if letter == " " and words[:place].strip()]
    splits = [(words[:place].strip(), words[place:].strip()) for place in places]
    middle = len(words) // 2
    broken = (words[:middle], words[middle:])
    best = min(splits, key=_longer, default=broken)
    return best if _longer(best) * 10 <= _longer(broken) * 16 else broken


def _longer(lines: tuple[str, str]) -> int:
    return max(map(_thousandths, lines))


def _largest(words: str, width: int, size: int, spacing: int) -> int:
    """The largest type, at most `size`, at which the words are no wider; at least 1."""
    return max(1, min(size, width * 100_000 // max(1, _thousandths(words, spacing) * SPARE)))


@lru_cache(4096)
def _thousandths(words: str, spacing: int = 0) -> int:
    letters = unicodedata.normalize("NFD", words)
    return sum(map(_width_of_letter, letters)) + spacing * 10 * len(words)


def _width_of_letter(letter: str) -> int:
    """An accent takes no room of its own; of a script that is not listed, every letter is as wide as high."""
    return 0 if unicodedata.combining(letter) else WIDTH_OF.get(letter, 1000)
