"""In which order names are listed: by the alphabet of the reader's language."""

import unicodedata

from django.db.models import F, Func, Value
from django.db.models.functions import Lower, Replace
from django.utils.translation import get_language

from tourney.runtime.letters import plain

ACCENTED = "àáâãäåāăąçćčďđèéêëēęěìíîïīıłñńňðòóôõöøōőŕřśşšťùúûüūůűýÿźżž"
WITHOUT = "aaaaaaaaacccddeeeeeeeiiiiiilnnndoooooooorrssstuuuuuuuyyzzz"
"""The same letters as lists take them, where the database sorts."""
NO_ACCENTS = str.maketrans({"æ": "ae", "ð": "d", "đ": "d", "ł": "l", "ı": "i", "ø": "o", "œ": "oe"})
"""Letters that are none with an accent, and stand in lists as if they were."""
OWN_LETTERS = {"es": {"ñ": "n~"}}
"""Letters that a language lists for themselves, after the one they look like."""


def alphabetical(name: str) -> str:
    """A key that sorts names as the reader's language lists them: Ägir before Bolt, in Spanish ñ after n."""
    if name.isascii():
        return plain(name)
    small = unicodedata.normalize("NFC", name.casefold())
    for letter, place in _own_letters():
        small = small.replace(letter, place)
    return plain(small.translate(NO_ACCENTS))


def alphabetical_in_database(field: str) -> Func:
    """The same for `order_by`, of the letters of Europe; the embedded PostgreSQL comes without ICU's collations."""
    small: Func = Lower(F(field))
    for letter, place in _own_letters():
        small = Replace(small, Value(letter), Value(place))
    return Func(small, Value(ACCENTED), Value(WITHOUT), function="translate")


def _own_letters() -> list[tuple[str, str]]:
    return list(OWN_LETTERS.get(get_language() or "en", {}).items())
