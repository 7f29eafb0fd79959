"""What the catalogue holds: how much of what, from where, and what somebody looks for."""

from dataclasses import dataclass

from django.db.models import Count

from fleets.catalogue import MOST_FOUND, search
from fleets.domain.cards import FACTIONS, Card, CardKind
from fleets.models import CatalogueCard, CatalogueImport

RECENT = 5
PLURALS = {
    CardKind.SHIP: "Ships",
    CardKind.CAPTAIN: "Captains",
    CardKind.ADMIRAL: "Admirals",
    CardKind.TALENT: "Elite talents",
    CardKind.CREW: "Crew",
    CardKind.TECH: "Tech",
    CardKind.WEAPON: "Weapons",
    CardKind.BORG: "Borg",
    CardKind.SQUADRON: "Squadron",
    CardKind.RESOURCE: "Resources",
    CardKind.FLAGSHIP: "Flagships",
    CardKind.FLEET_CAPTAIN: "Fleet captains",
    CardKind.OFFICER: "Officers",
    CardKind.OTHER: "Other",
}


@dataclass(frozen=True, slots=True)
class Holdings:
    """The catalogue in numbers, by kind and by source, and the latest imports, newest first."""

    total: int
    kinds: tuple[tuple[str, int], ...]
    sources: tuple[tuple[str, int], ...]
    imports: tuple[CatalogueImport, ...]


@dataclass(frozen=True, slots=True)
class CardHit:
    """A card as people read it; `number` is that of its page."""

    number: int
    card: Card
    factions: tuple[str, ...]
    kind: str
    numbers: str
    slots: str


@dataclass(frozen=True, slots=True)
class CardSearch:
    """The cards that a text finds; `is_cut` if there are more than are shown."""

    text: str
    lines: tuple[CardHit, ...]
    is_cut: bool


def holdings() -> Holdings:
    """What the catalogue holds, in three queries, however many cards there are."""
    kinds = dict(CatalogueCard.objects.order_by().values_list("kind").annotate(Count("pk")))
    sources = CatalogueCard.objects.order_by().values_list("source").annotate(number=Count("pk"))
    return Holdings(
        total=sum(kinds.values()),
        kinds=tuple((name, kinds[kind]) for kind, name in PLURALS.items() if kind in kinds),
        sources=tuple(sources.order_by("-number", "source")),
        imports=tuple(CatalogueImport.objects.all()[:RECENT]),
    )


def found_cards(text: str) -> CardSearch:
    """The cards that a text finds; none for an empty one."""
    text = " ".join(text.replace("\0", " ").split())
    rows = search(text, limit=MOST_FOUND + 1) if text else []
    return CardSearch(text, tuple(hit_of(row) for row in rows[:MOST_FOUND]), is_cut=len(rows) > MOST_FOUND)


def hit_of(row: CatalogueCard) -> CardHit:
    """A card of the catalogue as people read it."""
    card = row.card
    unique = "unique" if card.unique else "mirror unique" if card.mirror_unique else ""
    kind = "elite talent" if card.kind is CardKind.TALENT else card.kind.value
    names = ("attack", "agility", "hull", "shields") if card.kind is CardKind.SHIP else ("skill",) if card.skill else ()
    numbers = [f"{name} {getattr(card, name)}" for name in names]
    slots = ", ".join(f"{number} {slot.value}" for slot, number in card.slots)
    factions = tuple(FACTIONS[code] for code in card.factions)
    return CardHit(row.pk, card, factions, " ".join(filter(None, [unique, kind])), ", ".join(numbers), slots)
