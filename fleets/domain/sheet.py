"""A Fleet Build Sheet as plain values (rule 7.3): ships with the cards assigned to them, a resource, anything else."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from fleets.domain.card_rules import not_checked
from fleets.domain.cards import UPGRADES, Card, CardKind
from fleets.domain.month_rules import NOTHING_PRINTED, MonthRules
from fleets.domain.resources import is_called
from tourney.runtime.messages import Message, message

FLEET = 0
"""Where a resource is assigned that belongs to the whole fleet."""

BROUGHT_BY = {CardKind.FLAGSHIP: "Flagship", CardKind.FLEET_CAPTAIN: "Fleet Captain", CardKind.OFFICER: "Officer Cards"}
"""Cards that come with a resource, by the title of that resource."""

ON_ONE_SHIP = (CardKind.FLAGSHIP, CardKind.FLEET_CAPTAIN)
"""Those of them of which a fleet has one, with the resource assigned to its ship."""


IMPORTED, PASTED, WITH_RESOURCE = "imported so", "pasted so", "comes with the resource"
"""Notes that nobody wrote, as they are stored."""

NOTES = {
    IMPORTED: message("as imported"),
    PASTED: message("as pasted"),
    WITH_RESOURCE: message("comes with the resource"),
}


@dataclass(frozen=True, slots=True)
class CardLine:
    """One line: a card as it was when it was taken, and what somebody wrote instead.

    `id` is a number from 1, once per sheet. `cost_by_hand` (SP) stands for everything that the rules would
    make of it; `note` says why. `booster` marks what came out of the blind booster (rule 7.12).
    """

    id: int
    card: Card
    cost_by_hand: int | None = None
    note: str = ""
    booster: bool = False

    @property
    def by_hand(self) -> bool:
        """Rule 7.15: whether the sheet must say "by hand" on this line."""
        return not self.card.key or self.cost_by_hand is not None

    @property
    def note_said(self) -> str | Message:
        """The note as people read it: their own words, or why an import put a cost there."""
        return NOTES.get(self.note, self.note)

    @property
    def not_checked(self) -> tuple[str | Message, ...]:
        """What the card says about building that a person has to check."""
        return not_checked(self.card)


@dataclass(frozen=True, slots=True)
class Ship:
    """A ship and what is assigned to it: captain, admiral, upgrades, flagship card."""

    line: CardLine
    cards: tuple[CardLine, ...] = ()

    @property
    def card(self) -> Card:
        """The ship card."""
        return self.line.card

    @property
    def captain(self) -> CardLine | None:
        """Its captain, the first if somebody gave it several."""
        return next((line for line in self.cards if line.card.kind is CardKind.CAPTAIN), None)

    @property
    def upgrades(self) -> tuple[CardLine, ...]:
        """The lines of this ship that are upgrades, in the sheet's order."""
        return tuple(line for line in self.cards if line.card.kind in UPGRADES)

    def __iter__(self) -> Iterator[CardLine]:
        yield self.line
        yield from self.cards


@dataclass(frozen=True, slots=True)
class Sheet:
    """A fleet. `resource_at` is the id of the line that the resource is assigned to, or FLEET; `notes` is one line.

    `last_id` is the highest id that was ever given: rulings, marks and calls name lines by their ids, so none is
    given twice. `month` is what the event's month prints about building (rule 7.17): no part of the sheet, but what it
    is counted by. Neither counts in a comparison. `side` is the fleet's own, in a month that has sides.
    """

    ships: tuple[Ship, ...] = ()
    resource: CardLine | None = None
    resource_at: int = FLEET
    other: tuple[CardLine, ...] = ()
    last_id: int = field(default=0, compare=False)
    notes: str = ""
    side: str = ""
    month: MonthRules = field(default=NOTHING_PRINTED, compare=False)

    @property
    def side_in_play(self) -> str:
        """Its side, empty in a month without sides and while none of them is chosen (rule 7.17)."""
        return self.side if self.side in self.month.sides else ""

    @property
    def lines(self) -> tuple[CardLine, ...]:
        """All lines in the order of the sheet."""
        resource = (self.resource,) if self.resource else ()
        return (*(line for ship in self.ships for line in ship), *resource, *self.other)

    @property
    def resource_line(self) -> int:
        """Where the resource is assigned: as the sheet says, or else to the ship with the card that it brings."""
        if self.resource is None or self.resource_at != FLEET:
            return self.resource_at
        kind = next((kind for kind, title in BROUGHT_BY.items() if is_called(self.resource.card.title, title)), None)
        with_it = (ship for ship in self.ships if any(line.card.kind is kind for line in ship.cards))
        ship = next(with_it, None) if kind in ON_ONE_SHIP else None
        return ship.line.id if ship else FLEET

    def ship_of(self, id: int) -> Ship | None:
        """The ship that this line is, or is assigned to; None for what belongs to no ship."""
        return next((ship for ship in self.ships if any(line.id == id for line in ship)), None)
