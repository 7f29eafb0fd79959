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
    if sheet.resource and sheet.resource_line in lost:
        lost.add(sheet.resource.id)
    return Left(sum(cost.total for cost in costs(sheet).lines if cost.line.id not in lost), frozenset(lost))


def reachable(sheet: Sheet) -> tuple[int, ...]:
    """Every number of SP that can be left of this fleet, ascending; exact, by sums of sets."""
    return tuple(_members(_sums_left(sheet)))


def nearest(sheet: Sheet, sp: int) -> tuple[int | None, int | None]:
    """The greatest number below that can be left and the least one above; `sp` itself twice if it can be."""
    found = reachable(sheet)
    below = max((one for one in found if one <= sp), default=None)
    above = min((one for one in found if one >= sp), default=None)
    return below, above


def _sums_left(sheet: Sheet) -> Values:
    """Every sum that can be left, ship by ship; 0 when the whole fleet is lost.

    What is assigned to no ship counts while a ship stands.
    """
    spent = {cost.line.id: cost.total for cost in costs(sheet).lines}
    resource = spent.pop(sheet.resource.id) if sheet.resource else 0
    at = sheet.resource_line if sheet.resource and sheet.resource_line in spent else FLEET
    if at != FLEET:
        spent[at] += resource
    standing = 0  # the sums with which at least one of the ships so far stands
    for ship in sheet.ships:
        alive = _subsets(spent[line.id] for line in ship.cards) << spent[ship.line.id]
        standing |= _sums(standing | 1, alive)
    other = _subsets(spent[line.id] for line in sheet.other)
    return 1 | _sums(standing, other) << (resource if at == FLEET else 0)


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


def _members(values: Values) -> Iterator[int]:
    while values:
        lowest = values & -values
        yield lowest.bit_length() - 1
        values ^= lowest
