"""What a card is, as far as fleets are built and counted (rules 7.3, 7.4, 7.16)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from tourney.runtime.messages import Message, pmessage


class CardKind(StrEnum):
    """The kinds of cards on a Fleet Build Sheet, in the order in which they stand under a ship."""

    SHIP = "ship"
    CAPTAIN = "captain"
    FLAGSHIP = "flagship"
    ADMIRAL = "admiral"
    FLEET_CAPTAIN = "fleet captain"
    OFFICER = "officer"
    TALENT = "talent"
    CREW = "crew"
    TECH = "tech"
    WEAPON = "weapon"
    BORG = "borg"
    SQUADRON = "squadron"
    RESOURCE = "resource"
    OTHER = "other"


CODES: Mapping[CardKind, str] = {
    CardKind.SHIP: "Ship",
    CardKind.CAPTAIN: "Cap",
    CardKind.FLAGSHIP: "Flag",
    CardKind.ADMIRAL: "A",
    CardKind.FLEET_CAPTAIN: "FlCp",
    CardKind.OFFICER: "O",
    CardKind.TALENT: "E",
    CardKind.CREW: "C",
    CardKind.TECH: "T",
    CardKind.WEAPON: "W",
    CardKind.BORG: "B",
    CardKind.SQUADRON: "S",
    CardKind.RESOURCE: "Res",
    CardKind.OTHER: "",
}
"""Rule 7.3: the type codes of the sheet; anything else stands there without one."""

KIND_WORDS: Mapping[CardKind, Message] = {
    CardKind.SHIP: pmessage("kind of card, in a sentence", "ship"),
    CardKind.CAPTAIN: pmessage("kind of card, in a sentence", "captain"),
    CardKind.FLAGSHIP: pmessage("kind of card, in a sentence", "flagship"),
    CardKind.ADMIRAL: pmessage("kind of card, in a sentence", "admiral"),
    CardKind.FLEET_CAPTAIN: pmessage("kind of card, in a sentence", "fleet captain"),
    CardKind.OFFICER: pmessage("kind of card, in a sentence", "officer"),
    CardKind.TALENT: pmessage("kind of card, in a sentence", "elite talent"),
    CardKind.CREW: pmessage("kind of card, in a sentence", "crew"),
    CardKind.TECH: pmessage("kind of card, in a sentence", "tech"),
    CardKind.WEAPON: pmessage("kind of card, in a sentence", "weapon"),
    CardKind.BORG: pmessage("kind of card, in a sentence", "Borg"),
    CardKind.SQUADRON: pmessage("kind of card, in a sentence", "squadron"),
    CardKind.RESOURCE: pmessage("kind of card, in a sentence", "resource"),
    CardKind.OTHER: pmessage("kind of card, in a sentence", "other card"),
}
"""One card of a kind, as a sentence names it."""

KIND_LABELS: Mapping[CardKind, Message] = {
    CardKind.SHIP: pmessage("kind of card", "Ship"),
    CardKind.CAPTAIN: pmessage("kind of card", "Captain"),
    CardKind.FLAGSHIP: pmessage("kind of card", "Flagship"),
    CardKind.ADMIRAL: pmessage("kind of card", "Admiral"),
    CardKind.FLEET_CAPTAIN: pmessage("kind of card", "Fleet captain"),
    CardKind.OFFICER: pmessage("kind of card", "Officer"),
    CardKind.TALENT: pmessage("kind of card", "Elite talent"),
    CardKind.CREW: pmessage("kind of card", "Crew"),
    CardKind.TECH: pmessage("kind of card", "Tech"),
    CardKind.WEAPON: pmessage("kind of card", "Weapon"),
    CardKind.BORG: pmessage("kind of card", "Borg"),
    CardKind.SQUADRON: pmessage("kind of card", "Squadron"),
    CardKind.RESOURCE: pmessage("kind of card", "Resource"),
    CardKind.OTHER: pmessage("kind of card", "Other"),
}
"""A kind alone, as a list or a button names it."""

UPGRADES = frozenset({CardKind.TALENT, CardKind.CREW, CardKind.TECH, CardKind.WEAPON, CardKind.BORG, CardKind.SQUADRON})

FACTIONS: Mapping[str, str] = {
    "Q": "Q Continuum",
    "FED": "Federation",
    "KLI": "Klingon",
    "ROM": "Romulan",
    "DOM": "Dominion",
    "BOR": "Borg",
    "SPE": "Species 8472",
    "KAZ": "Kazon",
    "XIN": "Xindi",
    "BAJ": "Bajoran",
    "FER": "Ferengi",
    "VUL": "Vulcan",
    "IND": "Independent",
    "MIR": "Mirror Universe",
}
"""Rule 7.4: names by code, in the order that settles initiative between equal totals (rule 7.16)."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card as printed. `factions` are codes; `slots` say how many upgrades of a kind it holds (a ship) or adds.

    `rules` are those texts of the card that fleet building asks about, in the words of `card_rules`. `key` is
    its place in a catalogue, empty for a card that somebody typed. Numbers that a kind does not have are 0;
    `cost` is in SP, of an admiral the one for standing beside a captain.
    """

    kind: CardKind
    title: str
    factions: tuple[str, ...] = ()
    cost: int = 0
    key: str = ""
    unique: bool = False
    mirror_unique: bool = False
    ship_class: str = ""
    attack: int = 0
    agility: int = 0
    hull: int = 0
    shields: int = 0
    skill: int = 0
    slots: tuple[tuple[CardKind, int], ...] = ()
    rules: tuple[str, ...] = ()

    def has_faction(self, *codes: str) -> bool:
        """Whether it belongs to one of these factions."""
        return not set(self.factions).isdisjoint(codes)
