"""Rule 9: what was ruled, in our own words: found while somebody types, the best first, with what matched highlighted.

static/js/ruling-search.js searches the same way on a page that is open, offline too: both answer tests/vectors.
"""

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from fleets.domain.resources import Resource
from tourney.runtime.messages import message

RETIREMENT = "RT"
MISSING = 100
"""What a word that is missing weighs: more than any that is there."""
FORMATS = {
    "every": message("Every format"),
    "2016": message("2016 tournament format only"),
    "booster": message("Blind-booster events only"),
    "scenario": message("Months whose scenario uses this ruling"),
    "own": message("This store’s events"),
}
"""Which events a ruling is about, by the word of the files in `tourney/judge/data`."""


@dataclass(frozen=True, slots=True)
class Understanding:
    """How words are understood (`data/search.toml`): which are ignored, what they end in, which are alike."""

    ignored: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    alike: tuple[tuple[str, ...], ...] = ()

    def stem(self, word: str) -> str:
        """What words of one origin have in common: cloaking, cloaked and cloaks are "cloak"."""
        ending = next((one for one in self.endings if word.endswith(one) and len(word) - len(one) >= 3), "")
        stem = word.removesuffix(ending)
        return stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] else stem

    @lru_cache(maxsize=1000)  # noqa: B019 - there is one
    def like(self, term: str) -> frozenset[str]:
        """The stems of the words that are looked for like this one."""
        stem = self.stem(term)
        groups = (frozenset(map(self.stem, group)) for group in self.alike)
        return frozenset().union(*(group for group in groups if stem in group)) - {stem}


def _understanding() -> Understanding:
    data = tomllib.loads((Path(__file__).parents[1] / "data" / "search.toml").read_text("utf-8"))
    return Understanding(tuple(data["ignored"]), tuple(data["endings"]), tuple(map(tuple, data["alike"])))


ENGLISH = _understanding()


@dataclass(frozen=True, slots=True)
class CitedRuling:
    """A ruling by the number that we cite it by; `source` is where the publisher, or the store, says it.

    language: the code of the one it is in, where that is not the reader's.
    formats: the word in FORMATS for the events that it is about.
    """

    number: str
    topic: str
    text: str
    tags: tuple[str, ...]
    section: str
    source: str
    language: str = ""
    formats: str = "every"

    @property
    def about(self) -> str:
        """Which events it is about, in words."""
        return str(FORMATS[self.formats])


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
    """The rulings with that tag and all the words, longer or like ones; the best first, then in their order.

    Where none answers all of a question, those with the rarest of its words, and most of the others.
    """
    terms = terms_of(words)
    graded = [(one, [_grade(one, term) for term in terms]) for one in rulings if not tag or tag in one.tags]
    hits = [(one, grades) for one, grades in graded if None not in grades]
    if not hits and len(terms) < len(tuple(_words(words))):
        counts = [sum(grades[place] is not None for _, grades in graded) for place in range(len(terms))]
        rarest = counts.index(min(filter(None, counts))) if any(counts) else None
        hits = [] if rarest is None else [(one, grades) for one, grades in graded if grades[rarest] is not None]
    return tuple(one for one, _ in sorted(hits, key=lambda hit: sum(MISSING if it is None else it for it in hit[1])))


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
    """What is searched for: each word without accents and capitals, and without the s of a plural.

    What only makes a question of it is left out, if anything is left.
    """
    asked = [word.folded for word in _words(words)]
    telling = [word for word in asked if word not in ENGLISH.ignored]
    return tuple(re.sub(r"^(..+[^s])s$", r"\1", word) for word in telling or asked)


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
                formats=row.get("formats", table.get("formats", "every")),
            )
            for row in table["ruling"]
        ),
    )


def _grade(ruling: CitedRuling, term: str) -> int | None:
    """The smaller the better, None where the term is missing.

    0: its number; 1, 2: a word, or its beginning or stem, of topic, tags or section; 3, 4: of the text; 5: of the
    number; 6: a word of topic, tags, section or text that is alike.
    """
    numbers, head, text, stems_of_head, stems_of_text = _index(ruling)
    stem = ENGLISH.stem(term)
    tests = (
        term in numbers,
        term in head,
        stem in stems_of_head or any(word.startswith(term) for word in head),
        term in text,
        stem in stems_of_text or any(word.startswith(term) for word in text),
        any(word.startswith(term) for word in numbers),
        not ENGLISH.like(term).isdisjoint(stems_of_head | stems_of_text),
    )
    return tests.index(True) if True in tests else None


@lru_cache(maxsize=2000)
def _index(ruling: CitedRuling) -> tuple[frozenset[str], ...]:
    """The words of its number, with and without the letters before it; of topic, tags and section; of the text.

    Then the stems of the second, and of the third.
    """
    parts = (ruling.number, " ".join((ruling.topic, *ruling.tags, ruling.section)), ruling.text)
    number, head, text = (frozenset(word.folded for word in _words(part)) for part in parts)
    stems = (frozenset(map(ENGLISH.stem, words)) for words in (head, text))
    return number | {one.lstrip(ascii_lowercase) for one in number}, head, text, *stems


@dataclass(frozen=True, slots=True)
class _Word:
    """A word as it is compared, and the places of its letters in the text, where accents may stand alone."""

    folded: str
    places: tuple[int, ...]
    end: int

    def beginning(self, term: str) -> range:
        """Where in the text the term stands, if the word begins with it; with the accents on its last letter.

        All of a word that has its stem, or is alike.
        """
        if not self.folded.startswith(term):
            is_meant = ENGLISH.stem(self.folded) in ENGLISH.like(term) | {ENGLISH.stem(term)}
            return range(self.places[0], self.end) if is_meant else range(0)
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
