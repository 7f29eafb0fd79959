"""Letters as they are compared, where capitals and accents tell nothing apart, and names as they are listed."""

import unicodedata
from collections.abc import Sequence


def plain(text: str) -> str:
    """The text without capitals and accents, with single blanks."""
    small = " ".join(text.split()).casefold()
    if small.isascii():
        return small
    return "".join(letter for letter in unicodedata.normalize("NFKD", small) if not unicodedata.combining(letter))


def either_of(names: Sequence[str]) -> str:
    """ "A or B", "A, B or C"; the name if it is the only one. Raises ValueError for none."""
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last
