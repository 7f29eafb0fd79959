"""Cards and fleets for tests, by made-up names.

ship("Kestrel", 20, captain=card(Kind.CAPTAIN, "Vor", 3))
"""

import os
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from fleets.domain.cards import Card, CardKind
from fleets.domain.sheet import CardLine, Ship
from fleets.domain.space_dock import read_catalogue

SHARED = Path(os.environ.get("SHARED", Path(__file__).parents[3] / "shared")) / "data"
CREW_TECH_WEAPON = ((CardKind.CREW, 2), (CardKind.TECH, 1), (CardKind.WEAPON, 2))


class Numbered:
    """Makes lines and ships of one sheet, numbered from 1."""

    def __init__(self) -> None:
        self._ids = count(1)

    def line(self, card: Card, **facts: Any) -> CardLine:
        return CardLine(next(self._ids), card, **facts)

    def ship(self, card: Card, *cards: Card | CardLine) -> Ship:
        line = self.line(card)
        return Ship(line, tuple(one if isinstance(one, CardLine) else self.line(one) for one in cards))


def ship_card(title: str = "Kestrel", cost: int = 20, **facts: Any) -> Card:
    """A Federation ship of hull 4 with two crew, one tech and two weapons."""
    return Card(
        CardKind.SHIP,
        title,
        facts.pop("factions", ("FED",)),
        cost,
        key=title,
        **{"hull": 4, "slots": CREW_TECH_WEAPON, "ship_class": "Lark Class", **facts},
    )


def captain_card(title: str = "Captain Vor", cost: int = 3, **facts: Any) -> Card:
    """A Federation captain with one elite talent."""
    facts = {"factions": ("FED",), "slots": ((CardKind.TALENT, 1),), "skill": 5, "unique": True, **facts}
    return Card(CardKind.CAPTAIN, title, cost=cost, key=title, **facts)


def card(kind: CardKind, title: str, cost: int = 2, **facts: Any) -> Card:
    """A Federation card."""
    return Card(kind, title, cost=cost, key=title, **{"factions": ("FED",), **facts})


def shared(name: str) -> bytes:
    """A file of public card data beside the project; the test is skipped where there is none."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"{name} is not here")
    return path.read_bytes()


def real_cards() -> Mapping[str, Card]:
    """The public catalogue, by key."""
    return {entry.card.key: entry.card for entry in read_catalogue(shared("spacedock-Data.xml")).entries}
