"""The stored catalogue: cards taken over from a file, and found again while somebody types."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Lower, Replace, StrIndex

from fleets.domain.cards import Card, Kind
from fleets.domain.errata import corrected
from fleets.domain.space_dock import Catalogue
from fleets.models import CatalogueCard

COLUMNS = ("kind", "title", "factions", "cost", "released", "source", "words", "data")
AT_ONCE = 500
MOST_FOUND = 30


@dataclass(frozen=True, slots=True)
class Report:
    """What taking a catalogue over did, in cards; and what of the file was not understood, in sentences."""

    added: int
    changed: int
    unchanged: int
    not_understood: tuple[str, ...]


@transaction.atomic
def take_over(catalogue: Catalogue, *, source: str) -> Report:
    """Add what is new and update what has changed, errata applied (rule 7.14); nothing is taken away."""
    new = [
        CatalogueCard.of(corrected(entry.card), released=entry.released, source=source) for entry in catalogue.entries
    ]
    keys = [row.key for row in new]
    known = {row.key: row for row in CatalogueCard.objects.select_for_update().filter(key__in=keys)}
    added = [row for row in new if row.key not in known]
    changed = [row for row in new if row.key in known and _facts(row) != _facts(known[row.key])]
    CatalogueCard.objects.bulk_create(
        [*added, *changed],
        batch_size=AT_ONCE,
        update_conflicts=True,
        unique_fields=["key"],
        update_fields=COLUMNS,
    )
    unchanged = len(new) - len(added) - len(changed)
    return Report(len(added), len(changed), unchanged, catalogue.not_understood)


def search(
    text: str, *, kinds: Collection[Kind] = (), factions: Collection[str] = (), limit: int = MOST_FOUND
) -> QuerySet[CatalogueCard]:
    """Cards with all the words of the text in title, class, faction or kind; titles that begin with it come first."""
    found = CatalogueCard.objects.all()
    for word in text.casefold().split():
        found = found.filter(words__contains=word)
    if kinds:
        found = found.filter(kind__in=[kind.value for kind in kinds])
    if factions:
        found = found.filter(factions__overlap=list(factions))
    beginning = StrIndex("words", Value(text.casefold().strip()))
    return found.annotate(begins=beginning).order_by("begins", "title", "cost", "key")[:limit]


def find(keys: Collection[str], titles: Collection[str]) -> list[Card]:
    """The cards with one of these keys or titles (`foreign.spelled`), in one query: what `intake.read` asks for."""
    rows = CatalogueCard.objects.annotate(spelled=Replace(Lower("title"), Value("’"), Value("'")))
    return [row.card for row in rows.filter(Q(key__in=keys) | Q(spelled__in=titles))]


def _facts(row: CatalogueCard) -> tuple:
    return row.data, row.released
