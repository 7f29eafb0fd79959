"""What the catalogue holds: how much of what, from where, and what somebody looks for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.db.models import Count

from fleets.catalogue import MOST_FOUND, search, source_said
from fleets.domain.cards import FACTIONS, KIND_WORDS, Card, CardKind
from fleets.models import CatalogueCard, CatalogueImport
from tourney.runtime.messages import Message, message, pmessage

RECENT = 5
PLURALS: Mapping[CardKind, Message] = {
    CardKind.SHIP: pmessage("cards of a kind", "Ships"),
    CardKind.CAPTAIN: pmessage("cards of a kind", "Captains"),
    CardKind.ADMIRAL: pmessage("cards of a kind", "Admirals"),
    CardKind.TALENT: pmessage("cards of a kind", "Elite talents"),
    CardKind.CREW: pmessage("cards of a kind", "Crew"),
    CardKind.TECH: pmessage("cards of a kind", "Tech"),
    CardKind.WEAPON: pmessage("cards of a kind", "Weapons"),
    CardKind.BORG: pmessage("cards of a kind", "Borg"),
    CardKind.SQUADRON: pmessage("cards of a kind", "Squadron"),
    CardKind.RESOURCE: pmessage("cards of a kind", "Resources"),
    CardKind.FLAGSHIP: pmessage("cards of a kind", "Flagships"),
    CardKind.FLEET_CAPTAIN: pmessage("cards of a kind", "Fleet captains"),
    CardKind.OFFICER: pmessage("cards of a kind", "Officers"),
    CardKind.OTHER: pmessage("cards of a kind", "Other"),
}


@dataclass(frozen=True, slots=True)
class Holdings:
    """The catalogue in numbers, by kind and by source, and the latest imports, newest first."""

    total: int
    kinds: tuple[tuple[Message, int], ...]
    sources: tuple[tuple[str | Message, int], ...]
    imports: tuple[CatalogueImport, ...]


@dataclass(frozen=True, slots=True)
class CardHit:
    """A card as people read it; `number` is that of its page."""

    number: int
    card: Card
    factions: tuple[str, ...]
    kind: Message
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
        sources=tuple((source_said(source), number) for source, number in sources.order_by("-number", "source")),
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
    names = ("attack", "agility", "hull", "shields") if card.kind is CardKind.SHIP else ("skill",) if card.skill else ()
    numbers = ", ".join(str(NUMBERS[name](getattr(card, name))) for name in names)
    slots = ", ".join(str(_slots(slot, number)) for slot, number in card.slots)
    factions = tuple(FACTIONS[code] for code in card.factions)
    return CardHit(row.pk, card, factions, _kind(card), numbers, slots)


def _kind(card: Card) -> Message:
    kind = KIND_WORDS[card.kind]
    if card.unique:
        return message("unique {kind}", kind=kind)
    return message("mirror unique {kind}", kind=kind) if card.mirror_unique else kind


def _slots(kind: CardKind, number: int) -> Message:
    return pmessage("so many slots of a kind", "{number} {kind}", number=number, kind=KIND_WORDS[kind])


NUMBERS: Mapping[str, Callable[[int], Message]] = {
    "attack": lambda number: message("attack {number}", number=number),
    "agility": lambda number: message("agility {number}", number=number),
    "hull": lambda number: message("hull {number}", number=number),
    "shields": lambda number: message("shields {number}", number=number),
    "skill": lambda number: message("skill {number}", number=number),
}
