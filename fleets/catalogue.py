"""The stored catalogue: cards taken over from a file, and found again while somebody types."""

import difflib
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db import connection, transaction
from django.db.models import F, Q, QuerySet, TextField, Value, Window
from django.db.models.functions import Cast, Lower, Replace, RowNumber

from fleets.domain import finding
from fleets.domain.card_table import read_table
from fleets.domain.cards import Card, CardKind
from fleets.domain.errata import corrected
from fleets.domain.foreign import spelled
from fleets.domain.space_dock import Catalogue, NotACatalogue, read_catalogue
from fleets.models import CatalogueCard, CatalogueImport
from tourney.runtime.isolated import call_if_large
from tourney.runtime.messages import Message, message, nmessage

COLUMNS = ("kind", "title", "factions", "cost", "released", "sets", "source", "words", "data")
FOUND = ("title", "id", "key", "kind", "cost", "released", "sets", "source", "factions")
"""Columns of a card that was found, besides its words and data."""
OUR_OWN = "Flagship's own list"
"""The source of cards that nobody imported (`fleets.starter`), as it is stored."""
MOST_NAMED = 500
LONGEST = 300
AT_ONCE = 500
MOST_FOUND = 30
MOST_OF_A_TITLE = 100
"""Cards of one kind that a title can mean; the public catalogue has 23 of one."""
LONGEST_SEARCH = 120
LIKE = 0.8
"""How much of a title another one must have (`difflib`) to be what somebody may have meant."""


def source_said(source: str) -> str | Message:
    """Where cards come from, as people read it."""
    return message("Flagship’s own list") if source == OUR_OWN else source


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What taking a catalogue over did, in cards; and what of the file was not understood, in sentences."""

    added: int
    changed: int
    unchanged: int
    not_understood: tuple[Message, ...]


def read_file(name: str, data: bytes) -> tuple[Catalogue, str]:
    """The cards of a file, a table by its name or else Space Dock's XML, and their source. Raises NotACatalogue."""
    is_table = name.casefold().endswith(".csv")
    catalogue = call_if_large(read_table if is_table else read_catalogue, data, refusal=NotACatalogue)
    return catalogue, _plain(name if is_table else f"Space Dock {catalogue.version}", 80)


@transaction.atomic
def import_cards(catalogue: Catalogue, *, source: str, by_name: str, at: datetime) -> CatalogueImport:
    """Take the catalogue over and keep the report; of very many sentences only the first MOST_NAMED and a number."""
    report = take_over(catalogue, source=source)
    named = list(report.not_understood[:MOST_NAMED])
    more = len(report.not_understood) - MOST_NAMED
    if more > 0:
        named.append(nmessage("And {count} more.", "And {count} more.", more))
    return CatalogueImport.objects.create(
        at=at,
        by_name=by_name,
        source=source,
        added=report.added,
        changed=report.changed,
        unchanged=report.unchanged,
        not_understood=[sentence.as_data() for sentence in named],
    )


@transaction.atomic
def take_over(catalogue: Catalogue, *, source: str) -> ImportReport:
    """Add what is new and update what has changed, errata applied (rule 7.14); nothing is taken away.

    A card of our own list belongs to the first import that brings it, changed or not.
    """
    entries = sorted(catalogue.entries, key=lambda entry: entry.card.key)  # so that two imports do not lock each other
    new = [
        CatalogueCard.of(corrected(entry.card), released=entry.released, source=source, sets=entry.sets)
        for entry in entries
    ]
    keys = [row.key for row in new]
    stored = CatalogueCard.objects.select_for_update().filter(key__in=keys).order_by("key")
    known = {row.key: row for row in stored}
    added = [row for row in new if row.key not in known]
    there = [row for row in new if row.key in known]
    changed = [row for row in there if _facts(row) != _facts(known[row.key])]
    changed_keys = {row.key for row in changed}
    adopted = [row for row in there if row.key not in changed_keys and known[row.key].source == OUR_OWN != source]
    CatalogueCard.objects.bulk_create(
        [*added, *changed, *adopted],
        batch_size=AT_ONCE,
        update_conflicts=True,
        unique_fields=["key"],
        update_fields=COLUMNS,
    )
    return ImportReport(len(added), len(changed), len(there) - len(changed), catalogue.not_understood)


@dataclass(frozen=True, slots=True)
class CardFilter:
    """Which cards are looked for: of one of the kinds, factions and sets, if there are any, and of that cost in SP."""

    kinds: Collection[CardKind] = ()
    factions: Collection[str] = ()
    sets: Collection[str] | None = None
    cost: int | None = None

    @property
    def cards(self) -> QuerySet[CatalogueCard]:
        """Those that it leaves, in no order."""
        found = CatalogueCard.objects.order_by()
        if self.kinds:
            found = found.filter(kind__in=[kind.value for kind in self.kinds])
        if self.factions:
            found = found.filter(factions__overlap=list(self.factions))
        if self.sets is not None:
            found = found.filter(sets__overlap=list(self.sets))
        return found if self.cost is None else found.filter(cost=self.cost)


ANY_CARD = CardFilter()


def search(text: str, of: CardFilter = ANY_CARD, *, limit: int = MOST_FOUND, near: bool = True) -> list[CatalogueCard]:
    """Cards with all the words of the text in title, class, faction or kind (`finding`), the best titles first.

    Where no card has them, those with words that are `near`.
    """
    text = searchable(text)
    if not text:
        return list(of.cards.order_by("title", "cost", "key")[:limit])
    return find_words(of.cards, text, limit=limit, near=near)


def suggest(of: CardFilter, used: Sequence[str], *, limit: int = MOST_FOUND) -> list[CatalogueCard]:
    """Cards before anything is typed: those with the keys `used`, in that order, then of each kind the first titles."""
    place = {key: number for number, key in enumerate(used)}
    known = sorted(of.cards.filter(key__in=used), key=lambda row: place[row.key])[:limit]
    of_each = max(1, (limit - len(known)) // max(1, len(of.kinds)))
    window = Window(RowNumber(), partition_by=[F("kind")], order_by=["title", "cost", "key"])
    others = of.cards.exclude(key__in=[row.key for row in known]).annotate(place=window)
    order = [kind.value for kind in CardKind]
    rest = sorted(others.filter(place__lte=of_each), key=lambda row: (order.index(row.kind), row.title, row.cost))
    return [*known, *rest][:limit]


@dataclass(frozen=True, slots=True)
class KnownSet:
    """A set that cards of the catalogue come in, with how many, and the day of the newest, if that is known.

    Other cards in it may have come earlier in another one.
    """

    title: str
    released: date | None
    cards: int

    @property
    def series(self) -> str:
        """Its wave or storyline; its own name where it has none."""
        return self.title.partition(": ")[0]

    @property
    def name(self) -> str:
        """Its own name."""
        return self.title.partition(": ")[2] or self.title


COSTS_AND_SETS = """
    SELECT ARRAY(SELECT DISTINCT cost FROM fleets_cataloguecard ORDER BY cost),
        (SELECT json_agg(json_build_array(title, day, cards)) FROM (
            SELECT unnest(sets) AS title, max(released) AS day, count(*) AS cards FROM fleets_cataloguecard GROUP BY 1
        ) AS known)
"""


def known_costs_and_sets() -> tuple[list[int], list[KnownSet]]:
    """What cards cost in SP, each figure once, ascending; and all sets as `known_sets` has them. In one query."""
    with connection.cursor() as cursor:
        cursor.execute(COSTS_AND_SETS)
        costs, sets = cursor.fetchone()
    known = [KnownSet(title, day and date.fromisoformat(day), cards) for title, day, cards in sets or ()]
    return costs, _in_order(known)


def known_sets() -> list[KnownSet]:
    """All of them, by their first day, those of one series together."""
    return known_costs_and_sets()[1]


def _in_order(sets: Collection[KnownSet]) -> list[KnownSet]:
    first: dict[str, date] = {}
    for one in sets:
        first[one.series] = min(first.get(one.series, date.max), one.released or date.max)
    return sorted(sets, key=lambda one: (first[one.series], one.series, one.released or date.max, one.title))


def searchable(text: str) -> str:
    """A typed text as far as it is searched for."""
    return text[:LONGEST_SEARCH].replace("\0", " ").strip()


def find_words(
    cards: QuerySet[CatalogueCard], text: str, *, limit: int | None = None, near: bool = True
) -> list[CatalogueCard]:
    """Those of the cards that a `searchable` text finds.

    One query brings every card, unread: only those that are found become objects.
    """
    stored = cards.annotate(text=Cast("data", TextField())).order_by("title", "cost", "key")
    known = list(stored.values_list("words", "text", *FOUND))
    best = [row for row in known if finding.has_words(text, row[0])]
    if near and not best and (wanted := finding.near_words(text, (row[0] for row in known))):
        best = [row for row in known if not any(map(finding.spelling(row[0]).words.isdisjoint, wanted))]
    best.sort(key=lambda row: finding.rank(text, row[2]))
    return [
        CatalogueCard(words=words, data=json.loads(data), **dict(zip(FOUND, facts, strict=True)))
        for words, data, *facts in best[:limit]
    ]


def row_of(key: str) -> CatalogueCard | None:
    """The row of the card with that key."""
    return CatalogueCard.objects.filter(key=key).first() if "\0" not in key else None


def card_of(key: str) -> Card | None:
    """The card of the catalogue with that key."""
    row = row_of(key)
    return row.card if row else None


def find(keys: Collection[str], titles: Collection[str]) -> list[Card]:
    """The cards with one of these keys or titles (`foreign.spelled`), in one query: what `intake.read` asks for.

    Of very many cards of one kind and title the first by key.
    """
    rows = CatalogueCard.objects.annotate(spelled=Replace(Lower("title"), Value("’"), Value("'")))
    meant = rows.filter(Q(key__in=keys) | Q(spelled__in=titles))
    place = Window(RowNumber(), partition_by=[F("spelled"), F("kind")], order_by="key")
    return [row.card for row in meant.annotate(place=place).filter(Q(key__in=keys) | Q(place__lte=MOST_OF_A_TITLE))]


def near_titles(titles: Collection[str]) -> dict[str, str]:
    """For those of the titles that are like one of the catalogue, the one that is most like it; in one query."""
    if not titles:
        return {}
    known = {spelled(one): one for one in CatalogueCard.objects.order_by("title").values_list("title", flat=True)}
    near = {title: difflib.get_close_matches(spelled(title), known, n=1, cutoff=LIKE) for title in titles}
    return {title: known[found[0]] for title, found in near.items() if found}


def _plain(text: str, most: int) -> str:
    """The text in one line as the database can hold it."""
    text = "".join(one if one.isprintable() else " " for one in text).strip()
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _facts(row: CatalogueCard) -> tuple[object, date | None, list[str]]:
    return row.data, row.released, row.sets
