"""What a fleet costs, line by line, as sums that explain themselves (rules 7.5 to 7.7, 7.17)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from fleets.domain.as_built import hidden, is_met, rules_on, ship_as_built
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
    Selector,
    Sideboard,
    rules_of,
)
from fleets.domain.cards import UPGRADES, Card, CardKind
from fleets.domain.month_costs import change_of, is_in_away_team, is_spared
from fleets.domain.sheet import CardLine, Sheet, Ship
from fleets.domain.slots import bonus_is_free_talent, extra_talents
from tourney.runtime.messages import Message, message

PRINTED = message("printed")
"""The term of a sum that is on the card itself."""
PENALTY = 1
ADMIRAL_PENALTY = 3
ON_SIDEBOARD = (CardKind.CAPTAIN, CardKind.TALENT, CardKind.CREW, CardKind.TECH, CardKind.WEAPON)
"""What can stand on the Reinforcements Sideboard, one of each."""


@dataclass(frozen=True, slots=True)
class CostTerm:
    """One term of a sum, in SP."""

    label: Message
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
    ships = [[_cost_on(line, ship, sheet, chosen) for line in ship] for ship, chosen in map(_with_chosen, sheet.ships)]
    resource = [_resource_cost(sheet, sheet.resource)] if sheet.resource else []
    other = [_other_cost(sheet, line) for line in sheet.other]
    return Costs(
        lines=tuple(cost for group in (*ships, resource, other) for cost in group),
        ships=tuple(_total(ship) for ship in ships),
        resource=_total(resource),
        other=_total(other),
    )


def line_cost(line: CardLine, ship: Ship | None = None, sheet: Sheet | None = None) -> LineCost:
    """Rule 7.7: printed, then additional costs and penalties, then discounts, never below 0.

    Of a resource only what is printed: a formula needs the whole sheet (`costs`). Without the sheet only the cards of
    the ship count.
    """
    if line.cost_by_hand is not None:
        by_hand = message("by hand: {note}", note=line.note_said) if line.note else message("by hand")
        return LineCost(line, (CostTerm(by_hand, line.cost_by_hand),))
    if ship is None:
        is_free = sheet is not None and is_in_away_team(line, sheet)
        return _for_nothing(line, message("in the away team")) if is_free else _as_printed(line)
    return _cost_on(line, ship, sheet, _Chosen(ship))


def _cost_on(line: CardLine, ship: Ship, sheet: Sheet | None, chosen: "_Chosen") -> LineCost:
    if line.cost_by_hand is not None:
        return line_cost(line)
    if line is ship.line:
        before = (CostTerm(PRINTED, line.card.cost), *_dearer(line, ship, sheet))
        discounts = _at_least(sum(part.points for part in before), _discounts(line, ship, sheet, chosen))
        return LineCost(line, (*before, *discounts))
    if under := chosen.under.get(line.id):
        return _for_nothing(line, message("face down under {card}", card=under.card.title))
    if _is_free_talent(line, ship):
        return _for_nothing(line, message("free, instead of the fleet captain’s slot"))
    more = (*_additional(line, ship), *_dearer(line, ship, sheet), *_penalty(line.card, ship, sheet))
    before = (*_printed(line, ship, sheet, chosen), *more)
    discounts = _at_least(sum(part.points for part in before), _discounts(line, ship, sheet, chosen))
    return LineCost(line, (*before, *discounts))


def penalty_free(card: Card, ship: Ship, sheet: Sheet | None = None) -> bool:
    """Rule 7.6: whether the card pays no penalty on this ship, by faction, by what a card or the month says.

    A card of the Q Continuum never does.
    """
    if not card.factions or card.has_faction("Q", *ship_as_built(ship).factions):
        return True
    if (card.kind is CardKind.CAPTAIN and card.cost == 0) or is_spared(card, sheet):
        return True
    if any(isinstance(rule, NoPenalty) and rule.cards is None and is_met(rule.where, ship) for rule in rules_of(card)):
        return True
    return any(_spares(rule, card, ship, sheet, line) for line, rule in rules_on(ship))


def is_on_sideboard(line: CardLine, sheet: Sheet) -> bool:
    """Whether the card stands on the Reinforcements Sideboard, which is the fleet's resource."""
    has_one = sheet.resource and any(isinstance(rule, Sideboard) for rule in rules_of(sheet.resource.card))
    return bool(has_one) and line in sheet.other and line.card.kind in ON_SIDEBOARD


def _as_printed(line: CardLine) -> LineCost:
    return LineCost(line, (CostTerm(PRINTED, line.card.cost),))


def _for_nothing(line: CardLine, label: Message) -> LineCost:
    free = (CostTerm(label, -line.card.cost),) if line.card.cost else ()
    return LineCost(line, (CostTerm(PRINTED, line.card.cost), *free))


def _other_cost(sheet: Sheet, line: CardLine) -> LineCost:
    if line.cost_by_hand is None and is_on_sideboard(line, sheet):
        return _for_nothing(line, message("on the sideboard"))
    return line_cost(line, None, sheet)


def _is_free_talent(line: CardLine, ship: Ship) -> bool:
    """Whether this is the talent, the dearest, that an Independent fleet captain makes free."""
    if line.card.kind is not CardKind.TALENT or not bonus_is_free_talent(ship):
        return False
    return line is _dearest([one for one in ship.upgrades if one.card.kind is CardKind.TALENT], 1)[0]


def _spares(rule: CardRule, card: Card, ship: Ship, sheet: Sheet | None, line: CardLine) -> bool:
    """Whether a rule of that line takes the penalty from the card; of a rule for some cards alone, from the first."""
    if not isinstance(rule, NoPenalty) or rule.cards is None or not is_met(rule.where, ship, sheet, line):
        return False
    if rule.number is None:
        return rule.cards.takes(card)
    takes = [
        one.card for one in ship.cards if rule.cards.takes(one.card) and not one.card.has_faction(*ship.card.factions)
    ]
    return any(one is card for one in takes[: rule.number])


def _resource_cost(sheet: Sheet, line: CardLine) -> LineCost:
    """What is printed, and what its formulas make of the fleet as it was built (rule 7.11)."""
    if line.cost_by_hand is not None:
        return line_cost(line)
    parts = [part for rule in rules_of(line.card) for part in _by_formula(rule, sheet, line)]
    if line.card.cost or not parts:
        parts.insert(0, CostTerm(PRINTED, line.card.cost))
    return LineCost(line, tuple(parts))


def _by_formula(rule: CardRule, sheet: Sheet, line: CardLine) -> Iterator[CostTerm]:
    if isinstance(rule, CostsHalf):
        sum_of = sum(_with_flagship(ship, rule.of) for ship in sheet.ships)
        half = message("half of {total} hull, rounded up", total=sum_of)
        if rule.of == "shields":
            half = message("half of {total} shields, rounded up", total=sum_of)
        yield CostTerm(half, -(-sum_of // 2))
    elif isinstance(rule, CostsPerHull):
        yield _per_hull(rule, sheet)
    elif isinstance(rule, ExtraTalents):
        number = sum(extra_talents(ship, sheet) for ship in sheet.ships)
        label = message("extra talents: {number} × {points}", number=number, points=rule.points)
        yield CostTerm(label, number * rule.points)
    elif isinstance(rule, NoCostBeside):
        other = next((one for one in sheet.lines if one is not line and rule.condition.holds(one.card)), None)
        if other and line.card.cost:
            yield CostTerm(message("included with {card}", card=other.card.title), -line.card.cost)


def _per_hull(rule: CostsPerHull, sheet: Sheet) -> CostTerm:
    """By hull points of the ship it is assigned to; assigned to the fleet, by ships with so large a hull."""
    if ship := sheet.ship_of(sheet.resource_at):
        number = max(0, _with_flagship(ship, "hull") - rule.over)
        label = message(
            "hull points over {over}: {number} × {points}", over=rule.over, number=number, points=rule.points
        )
    else:
        number = sum(_with_flagship(one, "hull") > rule.over for one in sheet.ships)
        label = message(
            "ships with hull over {over}: {number} × {points}", over=rule.over, number=number, points=rule.points
        )
    return CostTerm(label, number * rule.points)


def _with_flagship(ship: Ship, number: str) -> int:
    """A printed number of the ship, with what a flagship card adds."""
    points: int = getattr(ship_as_built(ship), number)
    return points


def _total(lines: list[LineCost]) -> int:
    return sum(cost.total for cost in lines)


def _printed(line: CardLine, ship: Ship, sheet: Sheet | None, chosen: "_Chosen") -> tuple[CostTerm, ...]:
    for other, rule in rules_on(ship):
        if isinstance(rule, CostsExactly) and _is_exact(line, rule, chosen) and is_met(rule.where, ship, sheet, other):
            label = message("printed {printed}, set by {card}", printed=line.card.cost, card=other.card.title)
            return (CostTerm(label, rule.points),)
    for rule in rules_of(line.card):
        if isinstance(rule, CostsAttack):
            attack, title = ship_as_built(ship).attack, ship.card.title
            label = message("attack {attack} of {ship}", attack=attack, ship=title)
            if rule.more:
                label = message("attack {attack} of {ship} plus {more}", attack=attack, ship=title, more=rule.more)
            return (CostTerm(label, attack + rule.more),)
    return (CostTerm(PRINTED, line.card.cost),)


def _is_exact(line: CardLine, rule: CostsExactly, chosen: "_Chosen") -> bool:
    """Of a rule for some cards alone: whether this is one of the dearest that it makes cheaper."""
    if rule.number is None:
        return rule.cards.takes(line.card)
    return line.id in chosen.dearest(rule.cards, rule.number, over=rule.points)


class _Chosen:
    """Which cards of a ship a player would choose for a rule about some of them; `under`: what others lie under."""

    def __init__(self, ship: Ship) -> None:
        self.under = {line.id: under for line, under in hidden(ship)}
        self._open = [line for line in ship if line.id not in self.under]
        self._found: dict[tuple[Selector, int, int], frozenset[int]] = {}

    def dearest(self, cards: Selector, number: int, *, over: int = -1) -> frozenset[int]:
        """The lines, by id, of the dearest so many of these cards that cost more than `over`."""
        asked = (cards, number, over)
        if asked not in self._found:
            taken = [line for line in self._open if line.card.cost > over and cards.takes(line.card)]
            self._found[asked] = frozenset(line.id for line in _dearest(taken, number))
        return self._found[asked]


def _with_chosen(ship: Ship) -> tuple[Ship, _Chosen]:
    return ship, _Chosen(ship)


def _dearest(lines: list[CardLine], number: int) -> list[CardLine]:
    return sorted(lines, key=lambda one: -one.card.cost)[:number]


def _additional(line: CardLine, ship: Ship) -> Iterator[CostTerm]:
    for rule in rules_of(line.card):
        if isinstance(rule, CostsMore) and not is_met(rule.unless, ship):
            yield CostTerm(message("not {condition}", condition=rule.unless.condition.said), rule.points)


def _dearer(line: CardLine, ship: Ship, sheet: Sheet | None) -> Iterator[CostTerm]:
    """What the month adds to the line (rule 7.17)."""
    change = change_of(line, ship, sheet)
    if change and change.points > 0:
        yield CostTerm(change.label, change.points)


def _penalty(card: Card, ship: Ship, sheet: Sheet | None) -> tuple[CostTerm, ...]:
    if penalty_free(card, ship, sheet):
        return ()
    points = {CardKind.ADMIRAL: ADMIRAL_PENALTY, **dict.fromkeys({CardKind.CAPTAIN, *UPGRADES}, PENALTY)}.get(
        card.kind, 0
    )
    doubled = any(isinstance(rule, DoublePenalty) and rule.cards.takes(card) for _, rule in rules_on(ship))
    return (CostTerm(message("faction penalty"), points * (2 if doubled else 1)),) if points else ()


def _discounts(line: CardLine, ship: Ship, sheet: Sheet | None, chosen: _Chosen) -> Iterator[tuple[CostTerm, int]]:
    """What the line costs less, each with the SP below which it does not fall by that."""
    for one in sheet.ships if sheet else (ship,):
        for other, rule in rules_on(one):
            if not isinstance(rule, CostsLess) or not (one is ship or rule.all_ships):
                continue
            if not rule.cards.takes(line.card) or not is_met(rule.where, one, sheet, other):
                continue
            if rule.number is None or line.id in chosen.dearest(rule.cards, rule.number):
                yield CostTerm(message("by {card}", card=other.card.title), -rule.points), rule.least
    change = change_of(line, ship, sheet)
    if change and change.points < 0:
        yield CostTerm(change.label, change.points), 0


def _at_least(before: int, discounts: Iterator[tuple[CostTerm, int]]) -> Iterator[CostTerm]:
    """The discounts, cut where the cost would fall below 0, or below what a discount says."""
    for part, least in discounts:
        points = max(part.points, min(least, before) - before)
        before += points
        if points:
            yield replace(part, points=points)
