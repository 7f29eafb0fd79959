"""The published rulings with a store's own beside them, and what of them is found."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count

from django.utils.translation import get_language

from tourney.judge.domain.rulings import CitedRuling, Piece, highlighted, search, tags_of
from tourney.judge.queries.published import HOUSE_TAG, published
from tourney.models import HouseRuling, Store
from tourney.runtime.locales import language_at
from tourney.runtime.messages import message

HOUSE = "H"
HOUSE_TITLE = message("House rulings")


@dataclass(frozen=True, slots=True)
class RulingEntry:
    """A ruling at its place on the page; `words` are what is searched for, `own` is the row of a house ruling."""

    ruling: CitedRuling
    section: str
    place: int
    words: str
    own: HouseRuling | None

    @property
    def at(self) -> str:
        """Where it is: its section, and its place among all the rulings."""
        return f"{self.section} {self.place}"

    @property
    def topic(self) -> tuple[Piece, ...]:
        """The topic in pieces, with the words that were searched for highlighted."""
        return highlighted(self.ruling.topic, self.words)

    @property
    def topics(self) -> tuple[str, ...]:
        """Its tags as its foot shows them, where a house ruling is marked as one anyway."""
        return self.ruling.tags[1:] if self.own else self.ruling.tags

    @property
    def text(self) -> tuple[Piece, ...]:
        """The text in pieces, with the words that were searched for highlighted."""
        return highlighted(self.ruling.text, self.words)


@dataclass(frozen=True, slots=True)
class Shelf:
    """The entries of one section that were not found: all of them while nobody searches."""

    prefix: str
    title: str
    entries: tuple[RulingEntry, ...]


@dataclass(frozen=True, slots=True)
class RuleBook:
    """Every ruling once: those found, the best first, and the rest section by section."""

    found: tuple[RulingEntry, ...]
    shelves: tuple[Shelf, ...]
    tags: tuple[str, ...]

    @property
    def house_tag(self) -> str:
        """By which address and script ask for the store's own."""
        return str(HOUSE_TAG)

    @property
    def total(self) -> int:
        """The number of rulings on the page."""
        return len(self.found) + sum(len(shelf.entries) for shelf in self.shelves)


def book_of(store: Store | None, *, words: str = "", tag: str = "", public: Callable[[str], str] = str) -> RuleBook:
    """The published rulings and the store's own, which stand beside a published one or come first.

    `public` puts what everybody may read in place of names.
    """
    tags = {one.number: one.tags for section in published() for one in section.rulings}
    own = [(row, _ruling(row, tags, public)) for row in store.house_rulings.select_related("store")] if store else []
    sections = [(section.prefix, section.title, section.rulings) for section in published()]
    places = count()
    shelves = [
        Shelf(
            prefix,
            title,
            tuple(RulingEntry(one, prefix, next(places), words, row) for row, one in _beside(rulings, own)),
        )
        for prefix, title, rulings in [(HOUSE, str(HOUSE_TITLE), ()), *sections]
    ]
    entries = {entry.ruling: entry for shelf in shelves for entry in shelf.entries}
    hits = dict.fromkeys(search(entries, words, tag) if words or tag else ())
    return RuleBook(
        tuple(entries[one] for one in hits),
        tuple(
            Shelf(shelf.prefix, shelf.title, tuple(entry for entry in shelf.entries if entry.ruling not in hits))
            for shelf in shelves
        ),
        tags_of(entries),
    )


def _beside(
    rulings: tuple[CitedRuling, ...], own: list[tuple[HouseRuling, CitedRuling]]
) -> Iterator[tuple[HouseRuling | None, CitedRuling]]:
    """Each ruling, and behind it those of the store that stand beside it; without rulings, those that stand alone."""
    if not rulings:
        yield from (pair for pair in own if not pair[0].beside)
    for one in rulings:
        yield None, one
        yield from (pair for pair in own if pair[0].beside == one.number)


def _ruling(row: HouseRuling, tags: dict[str, tuple[str, ...]], public: Callable[[str], str]) -> CitedRuling:
    source, language = row.store.name, language_at(row.store.locale)
    if row.beside:
        source = str(message("{store}, on {ruling}", store=source, ruling=row.beside))
    return CitedRuling(
        str(row),
        public(row.topic),
        public(row.text),
        (str(HOUSE_TAG), *tags.get(row.beside, ())),
        str(HOUSE_TITLE),
        source,
        "" if language == get_language() else language,
        formats="own",
    )
