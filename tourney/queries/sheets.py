"""A fleet as a sheet to read: part by part, each line with its cost as a sum and what was ruled about it (rule 7.3)."""

from collections.abc import Sequence
from dataclasses import dataclass

from fleets.domain.cards import CODES, FACTIONS
from fleets.domain.cost import LineCost
from fleets.domain.legality import Violation
from fleets.domain.sheet import FLEET, Line
from tourney.queries.fleets import FleetState

PRINTED = "printed"


@dataclass(frozen=True, slots=True)
class SheetLine:
    """A line of the sheet; `violations` are those about it, with what was allowed."""

    line: Line
    cost: LineCost
    violations: tuple[Violation, ...]

    @property
    def code(self) -> str:
        """Rule 7.3: the type code."""
        return CODES[self.line.card.kind]

    @property
    def factions(self) -> tuple[tuple[str, str], ...]:
        """Code and name of each faction of the card."""
        return tuple((code, FACTIONS.get(code, code)) for code in self.line.card.factions)

    @property
    def sum(self) -> str:
        """The cost as people would write it, "4 + 1 other faction than the ship"; empty without a sum."""
        first, *others = self.cost.parts
        if self.line.cost_by_hand is not None or (not others and first.label == PRINTED):
            return ""
        start = str(first.points) if first.label == PRINTED else f"{first.points} {first.label}"
        return " ".join((start, *(f"{'−' if p.points < 0 else '+'} {abs(p.points)} {p.label}" for p in others)))

    @property
    def wrong(self) -> tuple[Violation, ...]:
        return tuple(violation for violation in self.violations if not violation.allowed)

    @property
    def allowed(self) -> tuple[Violation, ...]:
        return tuple(violation for violation in self.violations if violation.allowed)


@dataclass(frozen=True, slots=True)
class SheetPart:
    """A ship with its cards, the resource, or what stands beside them; `short` is its name in the totals."""

    short: str
    title: str
    total: int
    lines: tuple[SheetLine, ...]
    note: str = ""


def parts_of(fleet: FleetState) -> list[SheetPart]:
    """The ships in their order, then the resource, then the others, where there are any."""
    sheet, costs = fleet.sheet, fleet.costs
    parts = [
        SheetPart(f"Ship {number}", ship.card.title, costs.ships[number - 1], _lines(fleet, tuple(ship)))
        for number, ship in enumerate(sheet.ships, 1)
    ]
    if sheet.resource:
        note = f"Assigned to {_assigned(fleet)}."
        parts.append(SheetPart("Resource", "Resource", costs.resource, _lines(fleet, (sheet.resource,)), note))
    if sheet.other:
        parts.append(SheetPart("Other", "Other", costs.other, _lines(fleet, sheet.other)))
    return parts


def _lines(fleet: FleetState, lines: Sequence[Line]) -> tuple[SheetLine, ...]:
    return tuple(
        SheetLine(line, fleet.costs.of(line.id), tuple(one for one in fleet.violations if one.line == line.id))
        for line in lines
    )


def _assigned(fleet: FleetState) -> str:
    at = fleet.sheet.resource_at
    found = (line.card.title for line in fleet.sheet.lines if line.id == at)
    return "the whole fleet" if at == FLEET else next(found, "the whole fleet")
