"""Letters as they are compared, where capitals and accents tell nothing apart."""

import unicodedata


def plain(text: str) -> str:
    """The text without capitals and accents, with single blanks."""
    small = " ".join(text.split()).casefold()
    if small.isascii():
        return small
    return "".join(letter for letter in unicodedata.normalize("NFKD", small) if not unicodedata.combining(letter))
