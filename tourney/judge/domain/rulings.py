"""Rule 9: what was ruled, in our own words: found while somebody types, the best first, with what matched highlighted.

static/js/ruling-search.js searches the same way on a page that is open, offline too: both answer tests/vectors.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from operator import itemgetter
from string import ascii_lowercase
from typing import Any

from fleets.domain.resources import Resource
from tourney.runtime.messages import message

RETIREMENT = "RT"


@dataclass(frozen=True, slots=True)
class CitedRuling:
    """A ruling by the number that we cite it by; `source` is where the publisher, or the store, says it.

    language: the code of the one it is in, where that is not the reader's.
    """

    number: str
    topic: str
    text: str
    tags: tuple[str, ...]
    section: str
    source: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class RulingSection:
    """Rulings that stand together on the sheet, in its order; all their numbers begin with the prefix."""

    prefix: str
    title: str
    rulings: tuple[CitedRuling, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text: it is what was searched for, or what stands between."""

    text: str
    highlighted: bool = False


def read_sections(data: Mapping[str, Any]) -> tuple[RulingSection, ...]:
    """The sections of a file like `tourney/judge/data/rulings-2016.toml`."""
    return tuple(_section(table) for table in data["section"])


def retirement(resources: Iterable[Resource], written: Callable[[date, str], str]) -> RulingSection:
    """Rule 7.11 as rulings, in the language of now: from when until when each resource may be played.

    `written` writes a "month" or a "long day" as the reader does.
    """
    title = str(message("Retirement of resources"))
    return RulingSection(
        RETIREMENT,
        title,
        tuple(
            CitedRuling(
                f"{RETIREMENT}{number}",
                one.name,
                str(
                    message(
                        "Released in {month}, retired on {day}.",
                        month=written(one.released, "month"),
                        day=written(one.retired, "long day"),
                    )
                ),
                ("resources", "retirement"),
                title,
                "Resources 4",
            )
            for number, one in enumerate(resources, start=1)
        ),
    )


def search(rulings: Iterable[CitedRuling], words: str = "", tag: str = "") -> tuple[CitedRuling, ...]:
    """The rulings with that tag and all the words, or longer ones; the best first, then in their order."""
    terms = terms_of(words)
    ranked = [(_rank(one, terms), one) for one in rulings if not tag or tag in one.tags]
    return tuple(one for _, one in sorted((it for it in ranked if it[0] is not None), key=itemgetter(0)))


def highlighted(text: str, words: str) -> tuple[Piece, ...]:
    """The text in pieces; highlighted is what the words of the search begin. Joined again they are the text."""
    terms = terms_of(words)
    places = {place for word in _words(text) for term in terms for place in word.beginning(term)}
    pieces: list[Piece] = []
    for place, letter in enumerate(text):
        is_highlighted = place in places
        if pieces and pieces[-1].highlighted == is_highlighted:
            pieces[-1] = Piece(pieces[-1].text + letter, is_highlighted)
        else:
            pieces.append(Piece(letter, is_highlighted))
    return tuple(pieces)


def terms_of(words: str) -> tuple[str, ...]:
    """What is searched for: each word without accents and capitals, and without the s of a plural."""
    return tuple(re.sub(r"^(..+[^s])s$", r"\1", word.folded) for word in _words(words))


def tags_of(rulings: Iterable[CitedRuling]) -> tuple[str, ...]:
    """Every tag once, by the alphabet."""
    return tuple(sorted({tag for one in rulings for tag in one.tags}))


def _section(table: Mapping[str, Any]) -> RulingSection:
    prefix, title, source = table["prefix"], table["title"], table["source"]
    numbered = table["numbered"]
    return RulingSection(
        prefix,
        title,
        tuple(
            CitedRuling(
                f"{prefix}{row['number']}",
                row["topic"],
                row["text"],
                tuple(row["tags"]),
                title,
                f"{source} {row.get('at', row['number'] if numbered else '')}".rstrip(),
            )
            for row in table["ruling"]
        ),
    )


def _rank(ruling: CitedRuling, terms: Sequence[str]) -> int | None:
    """The smaller the better; None where one of the terms is missing."""
    rank = 0
    for term in terms:
        grade = _grade(ruling, term)
        if grade is None:
            return None
        rank += grade
    return rank


def _grade(ruling: CitedRuling, term: str) -> int | None:
    """0: its number; 1, 2: a word, or its beginning, of topic, tags or section; 3, 4: of the text; 5: of the number."""
    numbers, head, text = _index(ruling)
    tests = (
        term in numbers,
        term in head,
        any(word.startswith(term) for word in head),
        term in text,
        any(word.startswith(term) for word in text),
        any(word.startswith(term) for word in numbers),
    )
    return tests.index(True) if True in tests else None


@lru_cache(maxsize=2000)
def _index(ruling: CitedRuling) -> tuple[frozenset[str], ...]:
    """The words of its number, with and without the letters before it; of topic, tags and section; of the text."""
    parts = (ruling.number, " ".join((ruling.topic, *ruling.tags, ruling.section)), ruling.text)
    number, head, text = (frozenset(word.folded for word in _words(part)) for part in parts)
    return number | {one.lstrip(ascii_lowercase) for one in number}, head, text


@dataclass(frozen=True, slots=True)
class _Word:
    """A word as it is compared, and the places of its letters in the text, where accents may stand alone."""

    folded: str
    places: tuple[int, ...]
    end: int

    def beginning(self, term: str) -> range:
        """Where in the text the term stands, if the word begins with it; with the accents on its last letter."""
        if not self.folded.startswith(term):
            return range(0)
        more = (place for place in self.places[len(term) :] if place > self.places[len(term) - 1])
        return range(self.places[0], next(more, self.end))


def _words(text: str) -> Iterator[_Word]:
    letters: list[tuple[str, int]] = []
    for place, char in enumerate(f"{text} "):
        for letter in _folded(char):
            if letter.isalnum():
                letters.append((letter, place))
            elif letters:
                yield _Word("".join(one for one, _ in letters), tuple(at for _, at in letters), place)
                letters = []


def _folded(char: str) -> str:
    """The letter without capital and accent; nothing for an accent that stands alone."""
    letters = unicodedata.normalize("NFKD", char.lower())
    return "".join(one for one in letters if not unicodedata.category(one).startswith("M"))
