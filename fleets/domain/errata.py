"""Rule 7.14: printed cards that the publisher corrected, whatever a catalogue says of them."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from fleets.domain.cards import Card, CardKind

HIDEKI = "Hideki Class Attack Squadron"


def corrected(card: Card) -> Card:
    """The card as it counts; the same one where nothing was corrected."""
    title = card.title.casefold().rstrip("!")
    for (kind, name), correct in CORRECTIONS.items():
        if title == name.casefold() and (kind is None or card.kind is kind):
            return correct(card)
    return card


def _costs_22(card: Card) -> Card:
    return replace(card, cost=22) if card.ship_class.startswith("Defiant Class") else card


def _not_unique(card: Card) -> Card:
    return replace(card, unique=False)


def _unique(card: Card) -> Card:
    return replace(card, unique=True)


def _mirror_unique(card: Card) -> Card:
    """The one of the Mirror Universe; Starfleet has a card of the same name."""
    return replace(card, unique=False, mirror_unique=True) if card.has_faction("MIR") else card


def _vulcan(card: Card) -> Card:
    return replace(card, factions=("VUL",))


def _for_hideki(card: Card) -> Card:
    return replace(card, rules=("one per ship", f"only on class {HIDEKI}"))


CORRECTIONS: Mapping[tuple[CardKind | None, str], Callable[[Card], Card]] = {
    (CardKind.SHIP, "Mirror Universe Starship"): _costs_22,
    (CardKind.CAPTAIN, "Ferengi"): _not_unique,
    (CardKind.CAPTAIN, "Kuvak"): _vulcan,
    (None, "Tactical Station"): _unique,
    (None, "Tactical Stations"): _unique,
    (None, "Make It So"): _mirror_unique,
    (None, "I Will Deal with Them Myself"): _mirror_unique,
    (None, "Rebellion"): _mirror_unique,
    (None, "Strafing Run"): _mirror_unique,
    (None, "Intendant's Orders"): _mirror_unique,
    (None, "Galor Class Phaser Banks"): _for_hideki,
}
