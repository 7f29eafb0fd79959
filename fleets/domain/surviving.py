"""What is left of a fleet after a battle, and which numbers can be left at all (rules 2.3 to 2.5)."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from fleets.domain.cost import costs
from fleets.domain.sheet import FLEET, Sheet

type Values = int
"""A set of numbers from 0 on, as the bits of one integer."""


@dataclass(frozen=True, slots=True)
class Left:
    """SP left in a fleet, and the ids of all lines that are lost, those included that go down with a ship."""

    sp: int
    lost: frozenset[int]


def left(sheet: Sheet, destroyed: Collection[int]) -> Left:
    """Rules 2.3, 2.4: what is left when these lines were destroyed, captured, stolen or discarded by force.

    The cards of a destroyed ship are destroyed with it. The resource is lost with the card that it is assigned
    to, and with the whole fleet; so is what belongs to no ship. Ids that are not on the sheet do nothing.
    """
    marked = set(destroyed)
    if all(ship.line.id in marked for ship in sheet.ships):
        return Left(0, frozenset(line.id for line in sheet.lines))
    lost = {line.id for ship in sheet.ships for line in ship if line.id in marked or ship.line.id in marked}
    lost |= {line.id for line in sheet.other if line.id in marked}
    if sheet.resource and sheet.resource_at in lost:
        lost.add(sheet.resource.id)
    return Left(sum(cost.total for cost in costs(sheet).lines if cost.line.id not in lost), frozenset(lost))


def reachable(sheet: Sheet) -> tuple[int, ...]:
    """Every number of SP that can be left of this fleet, ascending; exact, by sums of sets."""
    return tuple(_members(_Ways(sheet).all))


def witness(sheet: Sheet, sp: int) -> Left | None:
    """One way in which exactly so much is left, None if there is none."""
    ways = _Ways(sheet)
    if sp < 0 or not ways.all >> sp & 1:
        return None
    destroyed = ways.destroyed_for(sp) if sp else {ship.line.id for ship in sheet.ships}
    return left(sheet, destroyed)


def nearest(sheet: Sheet, sp: int) -> tuple[int | None, int | None]:
    """The greatest number below that can be left and the least one above; `sp` itself twice if it can be."""
    found = reachable(sheet)
    below = max((one for one in found if one <= sp), default=None)
    above = min((one for one in found if one >= sp), default=None)
    return below, above


@dataclass(frozen=True, slots=True)
class _Unit:
    """What stands or falls together: `base` SP with the ship `id`, and the SP of each card on it."""

    id: int
    base: int
    cards: dict[int, int]

    @property
    def alive(self) -> Values:
        """What is left of it while the ship stands."""
        return _subsets(self.cards.values()) << self.base


class _Ways:
    """All that can be left, ship by ship.

    `standing[i]` are the sums with which at least one of the first i ships stands; with none of them the sum
    is 0. What is assigned to no ship counts while a ship stands.
    """

    def __init__(self, sheet: Sheet) -> None:
        spent = {cost.line.id: cost.total for cost in costs(sheet).lines}
        resource = spent.pop(sheet.resource.id) if sheet.resource else 0
        at = sheet.resource_at if sheet.resource and sheet.resource_at in spent else FLEET
        self._beside = resource if at == FLEET else 0
        if at != FLEET:
            spent[at] += resource
        self._units = [
            _Unit(ship.line.id, spent[ship.line.id], {line.id: spent[line.id] for line in ship.cards})
            for ship in sheet.ships
        ]
        self._other = {line.id: spent[line.id] for line in sheet.other}
        self._standing = [0]
        for unit in self._units:
            before = self._standing[-1]
            self._standing.append(before | _sums(before | 1, unit.alive))

    @property
    def all(self) -> Values:
        """Every sum that can be left; 0 when the whole fleet is lost."""
        return 1 | _sums(self._standing[-1], _subsets(self._other.values())) << self._beside

    def destroyed_for(self, sp: int) -> set[int]:
        """Which lines to destroy so that so much is left and a ship stands; it must be possible."""
        rest = sp - self._beside
        kept = next(one for one in _members(_subsets(self._other.values())) if _has(self._standing[-1], rest - one))
        destroyed = _without(self._other, kept)
        rest -= kept
        for number, unit in reversed(list(enumerate(self._units))):
            before = self._standing[number]
            if _has(before, rest):
                destroyed.add(unit.id)
                continue
            own = next(one for one in _members(unit.alive) if _has(before | 1, rest - one))
            destroyed |= _without(unit.cards, own - unit.base)
            rest -= own
            if not rest and not _has(before, 0):
                destroyed |= {other.id for other in self._units[:number]}
                break
        return destroyed


def _without(cards: dict[int, int], kept: int) -> set[int]:
    """Cards to take away so that exactly `kept` SP of them remain; it must be possible."""
    layers = [1]
    for sp in cards.values():
        layers.append(layers[-1] | layers[-1] << sp)
    away = set()
    for id, layer in reversed(list(zip(cards, layers, strict=False))):
        if _has(layer, kept):
            away.add(id)
        else:
            kept -= cards[id]
    return away


def _subsets(costs: Iterable[int]) -> Values:
    """The sums of all subsets."""
    found = 1
    for cost in costs:
        found |= found << cost
    return found


def _sums(one: Values, other: Values) -> Values:
    """Every number of one set plus every number of the other."""
    found = 0
    for number in _members(other):
        found |= one << number
    return found


def _has(values: Values, number: int) -> bool:
    return number >= 0 and bool(values >> number & 1)


def _members(values: Values) -> Iterator[int]:
    while values:
        lowest = values & -values
        yield lowest.bit_length() - 1
        values ^= lowest
