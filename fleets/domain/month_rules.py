"""Rule 7.17 as data: what a month prints about building, beyond the limit and the format."""

from dataclasses import dataclass
from enum import StrEnum

from fleets.domain.cards import UPGRADES, Card, CardKind
from fleets.domain.finding import spelling
from tourney.runtime.messages import Message, message

BUILT = frozenset({CardKind.SHIP, CardKind.CAPTAIN, CardKind.ADMIRAL, *UPGRADES})
"""What a fleet is built of, where a month speaks of any card."""


class HowMany(StrEnum):
    """How many such cards a fleet may have."""

    NONE = "none"
    AT_MOST_ONE = "at most one"
    EXACTLY_ONE = "exactly one"
    AT_LEAST_ONE = "at least one"


@dataclass(frozen=True, slots=True)
class MonthCards:
    """Which cards a rule of the month is about; `words` call one of them: "Klingon ship".

    `faction` is a code; with `is_other` all but those of it. A title is compared as people type it.
    """

    words: str | Message
    kinds: frozenset[CardKind] = BUILT
    faction: str = ""
    is_other: bool = False
    title: str = ""
    cost: int | None = None

    def takes(self, card: Card) -> bool:
        """Whether the rule is about this card."""
        return card.kind in self.kinds and self.is_such(card)

    def is_such(self, card: Card) -> bool:
        """Whether it is, whatever the kind of the card."""
        return (
            (not self.faction or card.has_faction(self.faction) is not self.is_other)
            and (not self.title or spelling(card.title).typed == spelling(self.title).typed)
            and self.cost in (None, card.cost)
        )


@dataclass(frozen=True, slots=True)
class MonthLimit:
    """How many cards like these a fleet may have."""

    cards: MonthCards
    how_many: HowMany

    @property
    def is_asked_for(self) -> bool:
        """Whether a fleet needs one."""
        return self.how_many in (HowMany.EXACTLY_ONE, HowMany.AT_LEAST_ONE)


@dataclass(frozen=True, slots=True)
class MonthChange:
    """So many SP more, or below zero less, for such cards; in the fleets of one side alone where it names one.

    `with_card`: also for a ship that has a card of the faction on it.
    """

    cards: MonthCards
    points: int = 0
    with_card: bool = False
    no_penalty: bool = False
    side: str = ""

    @property
    def label(self) -> Message:
        """The term in a sum."""
        return message("this month: {cards}", cards=self.cards.words)


@dataclass(frozen=True, slots=True)
class MonthAwayTeam:
    """So many crew cards beside the ships, of at most so many SP together as printed."""

    number: int
    most: int | None = None


@dataclass(frozen=True, slots=True)
class MonthRules:
    """Rule 7.17: everything that a month prints about building. `factions` are codes, the only ones for `factions_of`.

    `oversized` is the most ships with such a base. `sides`: every fleet is on one of them.
    """

    factions: tuple[str, ...] = ()
    factions_of: frozenset[CardKind] = BUILT
    oversized: int | None = None
    sides: tuple[str, ...] = ()
    away_team: MonthAwayTeam | None = None
    resource_per_ship: bool = False
    limits: tuple[MonthLimit, ...] = ()
    changes: tuple[MonthChange, ...] = ()


NOTHING_PRINTED = MonthRules()
