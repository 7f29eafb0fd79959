"""What a fleet costs, line by line, as sums that explain themselves (rules 7.5 to 7.7)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from fleets.domain.card_rules import (
    CardRule,
    CostsAttack,
    CostsExactly,
    CostsHalf,
    CostsLess,
    CostsMore,
    CostsPerHull,
    DoublePenalty,
    ExtraTalents,
    NoCostBeside,
    NoPenalty,
    rules_of,
)
from fleets.domain.cards import UPGRADES, Card, CardKind
from fleets.domain.sheet import CardLine, Sheet, Ship
from fleets.domain.slots import extra_talents

PENALTY = 1
ADMIRAL_PENALTY = 3


@dataclass(frozen=True, slots=True)
class CostTerm:
    """One term of a sum, in SP."""

    label: str
    points: int


@dataclass(frozen=True, slots=True)
class LineCost:
    """A line with its cost as a sum; never below 0."""

    line: CardLine
    parts: tuple[CostTerm, ...]

    @property
    def total(self) -> int:
        """The line's cost in SP, the sum of its terms."""
        return sum(part.points for part in self.parts)


@dataclass(frozen=True, slots=True)
class Costs:
    """All lines of a sheet in order, the total of each ship, and the totals beside the ships (rule 7.3)."""

    lines: tuple[LineCost, ...]
    ships: tuple[int, ...]
    resource: int
    other: int

    @property
    def total(self) -> int:
        """The fleet's cost in SP."""
        return sum(self.ships) + self.resource + self.other

    def of(self, id: int) -> LineCost:
        """The cost of that line. Raises StopIteration for an id that is not on the sheet."""
        return next(cost for cost in self.lines if cost.line.id == id)


def costs(sheet: Sheet) -> Costs:
    """Rules 7.5 to 7.7 for the whole sheet; a ship's total is without the resource."""
    ships = [[line_cost(line, ship) for line in ship] for ship in sheet.ships]
    resource = [_resource_cost(sheet, sheet.resource)] if sheet.resource else []
    other = [line_cost(line) for line in sheet.other]
    return Costs(
        lines=tuple(cost for group in (*ships, resource, other) for cost in group),
        ships=tuple(_total(ship) for ship in ships),
        resource=_total(resource),
        other=_total(other),
    )


def line_cost(line: CardLine, ship: Ship | None = None) -> LineCost:
    """Rule 7.7: printed, then additional costs and penalties, then discounts, never below 0.

    Of a resource only what is printed: a formula needs the whole sheet (`costs`).
    """
    if line.cost_by_hand is not None:
        return LineCost(line, (CostTerm(f"by hand: {line.note}" if line.note else "by hand", line.cost_by_hand),))
    if ship is None or line is ship.line:
        discounts = _discounts(line, ship) if ship else iter(())
        return LineCost(line, (CostTerm("printed", line.card.cost), *_at_least_0(line.card.cost, discounts)))
    before = (*_printed(line, ship), *_additional(line, ship), *_penalty(line.card, ship))
    discounts = _at_least_0(sum(part.points for part in before), _discounts(line, ship))
    return LineCost(line, (*before, *discounts))


def penalty_free(card: Card, ship: Ship) -> bool:
    """Rule 7.6: whether the card belongs on this ship, by faction or by what a card says."""
    if not card.factions or card.has_faction(*ship_factions(ship)):
        return True
    if card.kind is CardKind.CAPTAIN and card.cost == 0:
        return True
    own = [rule for rule in rules_of(card) if isinstance(rule, NoPenalty) and rule.cards is None]
    others = [rule.cards for rule in _rules_on(ship) if isinstance(rule, NoPenalty) and rule.cards is not None]
    return any(rule.on.holds(ship.card) for rule in own) or any(cards.takes(card, ship.card) for cards in others)


def ship_factions(ship: Ship) -> tuple[str, ...]:
    """The factions of the ship; a flagship card adds its own."""
    flagships = [line.card for line in ship.cards if line.card.kind is CardKind.FLAGSHIP]
    return tuple({code: None for card in (ship.card, *flagships) for code in card.factions})


def _resource_cost(sheet: Sheet, line: CardLine) -> LineCost:
    """What is printed, and what its formulas make of the fleet as it was built (rule 7.11)."""
    if line.cost_by_hand is not None:
        return line_cost(line)
    parts = [part for rule in rules_of(line.card) for part in _by_formula(rule, sheet, line)]
    if line.card.cost or not parts:
        parts.insert(0, CostTerm("printed", line.card.cost))
    return LineCost(line, tuple(parts))


def _by_formula(rule: CardRule, sheet: Sheet, line: CardLine) -> Iterator[CostTerm]:
    if isinstance(rule, CostsHalf):
        sum_of = sum(_with_flagship(ship, rule.of) for ship in sheet.ships)
        yield CostTerm(f"half of {sum_of} {rule.of}, rounded up", -(-sum_of // 2))
    elif isinstance(rule, CostsPerHull):
        yield _per_hull(rule, sheet)
    elif isinstance(rule, ExtraTalents):
        number = sum(map(extra_talents, sheet.ships))
        yield CostTerm(f"extra talents: {number} × {rule.points}", number * rule.points)
    elif isinstance(rule, NoCostBeside):
        other = next((one for one in sheet.lines if one is not line and rule.condition.holds(one.card)), None)
        if other and line.card.cost:
            yield CostTerm(f"in the cost of {other.card.title}", -line.card.cost)


def _per_hull(rule: CostsPerHull, sheet: Sheet) -> CostTerm:
    """By hull points of the ship it is assigned to; assigned to the fleet, by ships with so large a hull."""
    if ship := sheet.ship_of(sheet.resource_at):
        number, what = max(0, _with_flagship(ship, "hull") - rule.over), f"hull points over {rule.over}"
    else:
        number = sum(_with_flagship(one, "hull") > rule.over for one in sheet.ships)
        what = f"ships with a hull over {rule.over}"
    return CostTerm(f"{what}: {number} × {rule.points}", number * rule.points)


def _with_flagship(ship: Ship, number: str) -> int:
    """A printed number of the ship, with what a flagship card adds."""
    return sum(getattr(line.card, number) for line in ship if line is ship.line or line.card.kind is CardKind.FLAGSHIP)


def _total(lines: list[LineCost]) -> int:
    return sum(cost.total for cost in lines)


def _rules_on(ship: Ship) -> Iterator[object]:
    return (rule for line in ship for rule in rules_of(line.card))


def _printed(line: CardLine, ship: Ship) -> tuple[CostTerm, ...]:
    for other in ship:
        for rule in rules_of(other.card):
            if isinstance(rule, CostsExactly) and rule.cards.takes(line.card, ship.card):
                return (CostTerm(f"printed {line.card.cost}, by {other.card.title}", rule.points),)
    for rule in rules_of(line.card):
        if isinstance(rule, CostsAttack):
            attack = _with_flagship(ship, "attack")
            more = f" and {rule.more}" if rule.more else ""
            return (CostTerm(f"attack {attack} of {ship.card.title}{more}", attack + rule.more),)
    return (CostTerm("printed", line.card.cost),)


def _additional(line: CardLine, ship: Ship) -> Iterator[CostTerm]:
    for rule in rules_of(line.card):
        if not isinstance(rule, CostsMore):
            continue
        asked = replace(ship.card, factions=ship_factions(ship)) if rule.of == "ship" else _captain_card(ship)
        if not rule.condition.holds(asked):
            yield CostTerm(f"not {rule.condition}", rule.points)


def _captain_card(ship: Ship) -> Card | None:
    return ship.captain.card if ship.captain else None


def _penalty(card: Card, ship: Ship) -> tuple[CostTerm, ...]:
    if penalty_free(card, ship):
        return ()
    points = {CardKind.ADMIRAL: ADMIRAL_PENALTY, **dict.fromkeys({CardKind.CAPTAIN, *UPGRADES}, PENALTY)}.get(
        card.kind, 0
    )
    doubled = any(isinstance(rule, DoublePenalty) and rule.cards.takes(card, ship.card) for rule in _rules_on(ship))
    return (CostTerm("other faction than the ship", points * (2 if doubled else 1)),) if points else ()


def _discounts(line: CardLine, ship: Ship) -> Iterator[CostTerm]:
    for other in ship:
        for rule in rules_of(other.card):
            if isinstance(rule, CostsLess) and _is_cheaper(line, ship, rule):
                yield CostTerm(f"by {other.card.title}", -rule.points)


def _is_cheaper(line: CardLine, ship: Ship, rule: CostsLess) -> bool:
    """Of a rule for one card alone: whether this is the first of the dearest, as a player would choose."""
    if not rule.only_one:
        return rule.cards.takes(line.card, ship.card)
    takes = [one for one in ship if rule.cards.takes(one.card, ship.card)]
    return bool(takes) and line is max(takes, key=lambda one: one.card.cost)


def _at_least_0(before: int, discounts: Iterator[CostTerm]) -> Iterator[CostTerm]:
    """The discounts, the last of them cut where the cost would fall below 0."""
    for part in discounts:
        points = max(part.points, -before)
        before += points
        if points:
            yield replace(part, points=points)
