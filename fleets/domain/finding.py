"""Find cards as people type: what a typed text and the words of a card have in common.

Capitals, accents, apostrophes and the dots of abbreviations do not matter: `obrien` is O'Brien, `uss` is U.S.S. Other
marks stand between words, and words that a hyphen joins are one word too: `nx01`. `ALIASES` are other names for what
is printed. Each typed word must stand in a word of the card. Where that finds nothing, one letter of a word may be
wrong, missing, too many, or swapped with the next.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from tourney.runtime.letters import plain

ALIASES = {"deep space 9": ("ds9", "nine")}
"""What else people type for words that stand on a card, in plain letters."""
NEAR_WHOLE, NEAR_BEGINNING = 4, 5
"""Letters of a typed word that may be near a whole word, and near the beginning of a longer one."""
KEPT = 1 << 14
"""Texts whose words are kept: a catalogue has some thousands."""

_DROPPED = re.compile(r"[.'‘’ʼʻ′`´]")
_WORD = re.compile(r"[^\s/,;:!?()\[\]{}\"“”„«»…&+*–—‐‑-]+")
_JOINED = re.compile(rf"{_WORD.pattern}(?:[‐‑-]{_WORD.pattern})+")


@dataclass(frozen=True, slots=True)
class Spelling:
    """A text as it is compared: `typed` are its words in their order, `words` also its aliases and joined words."""

    typed: tuple[str, ...]
    words: frozenset[str]
    all: str


@lru_cache(maxsize=KEPT)
def spelling(text: str) -> Spelling:
    """The words of a text, in plain letters."""
    letters = plain(_DROPPED.sub("", text))
    typed = _WORD.findall(letters)
    spaced = " ".join(typed)
    joined = ["".join(_WORD.findall(one)) for one in _JOINED.findall(letters)]
    known = [alias for phrase, names in ALIASES.items() if phrase in spaced for alias in names]
    return Spelling(tuple(typed), frozenset([*typed, *joined, *known]), " ".join([spaced, *joined, *known]))


def has_words(typed: str, text: str) -> bool:
    """Whether each typed word stands in a word of the text; a text without a word stands nowhere."""
    wanted, found = spelling(typed).typed, spelling(text).all
    return bool(wanted) and all(word in found for word in wanted)


def near_words(typed: str, texts: Iterable[str]) -> list[frozenset[str]]:
    """For each typed word those words of the texts that it stands in, or that it is near to."""
    known = {word for text in texts for word in spelling(text).words}
    return [
        frozenset(word for word in known if wanted in word or is_near(wanted, word)) for wanted in spelling(typed).typed
    ]


def is_near(wanted: str, word: str) -> bool:
    """Whether one letter makes the wanted word that word, or the beginning of it; of numbers, none does."""
    if len(wanted) < NEAR_WHOLE or not wanted.isalpha():
        return False
    if len(wanted) < NEAR_BEGINNING and abs(len(wanted) - len(word)) > 1:
        return False
    same = next((at for at, (one, other) in enumerate(zip(wanted, word, strict=False)) if one != other), None)
    if same is None:
        return len(wanted) <= len(word) + 1
    rest, other = wanted[same:], word[same:]
    after = (
        (other[1:], rest[1:]),  # another letter
        (other[1:], rest),  # a letter that is missing
        (other, rest[1:]),  # a letter too many
        *([(other[2:], rest[2:])] if rest[:2] == other[1::-1] else []),  # two letters swapped
    )
    if len(wanted) < NEAR_BEGINNING:
        return any(left == right for left, right in after)
    return any(left.startswith(right) for left, right in after)


def rank(typed: str, title: str) -> int:
    """How well a title that was found fits, 0 best: it begins so, its words do, it has the words, or only the card."""
    wanted, own = spelling(typed), spelling(title)
    if own.all.startswith(" ".join(wanted.typed)):
        return 0
    if all(any(word.startswith(one) for word in own.words) for one in wanted.typed):
        return 1
    return 2 if all(one in own.all for one in wanted.typed) else 3
