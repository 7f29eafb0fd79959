"""Room for upgrades: what a ship and the cards on it bring, and what finds no place in it (rule 7.10)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from fleets.domain.as_built import hidden, is_met, rules_on
from fleets.domain.card_rules import (
    Adds,
    AddsTalentOrFree,
    Condition,
    ExtraTalents,
    Fits,
    NeedsNoSlot,
    Takes,
    TalentsOnly,
    Turns,
    rules_of,
)
from fleets.domain.cards import UPGRADES, CardKind
from fleets.domain.sheet import FLEET, CardLine, Sheet, Ship

MOST_ORDERS = 64
"""So many sets of cards that bring slots are tried; a ship of a store has three such cards at most."""


@dataclass(slots=True)
class _Slots:
    """So many slots of these kinds for such cards, brought by `source` (None: by a resource), and who fills them."""

    kinds: frozenset[CardKind]
    number: int
    such: Condition
    source: CardLine | None
    filled: list["_Need"] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class _Need:
    """A card that fills one slot of these kinds; one that fills two has two of them."""

    line: CardLine
    kinds: frozenset[CardKind]


def slots_with_resource(ship: Ship, sheet: Sheet) -> Counter[CardKind]:
    """Rule 7.10: how many upgrades of each kind the ship has room for, with all that its cards and the resource add."""
    room: Counter[CardKind] = Counter()
    for one in _rooms(ship, sheet):
        if len(one.kinds) == 1:
            room[min(one.kinds)] += one.number
    return room


def in_slots(ship: Ship) -> tuple[CardLine, ...]:
    """The upgrades of the ship that need a slot, in the sheet's order."""
    away = {line.id for line, _ in hidden(ship)}
    return tuple(line for line in ship.upgrades if line.id not in away and not _is_free_of_slots(line, ship))


def without_slot(ship: Ship, sheet: Sheet) -> tuple[CardLine, ...]:
    """Rule 7.10: the upgrades that find no place on the ship however the others are placed, in the sheet's order.

    No slot holds the card that brings it.
    """
    lines = in_slots(ship)
    best: tuple[CardLine, ...] = lines
    for rooms in _turned(ship, sheet):
        left = _left_over(rooms, lines, ship)
        if len(left) < len(best):
            best = left
        if not best:
            break
    return best


def kept_for_others(line: CardLine, ship: Ship, sheet: Sheet) -> tuple[CardLine, Condition] | None:
    """The card whose slots of this kind are for other cards alone, with what it asks of them; None if there is none."""
    for room in _rooms(ship, sheet):
        if room.kinds == {line.card.kind} and room.source and not room.such.holds(line.card):
            return room.source, room.such
    return None


def extra_talents(ship: Ship, sheet: Sheet) -> int:
    """How many elite talents the ship has beyond the room for them that it has without a resource."""
    left = without_slot(ship, replace(sheet, resource=None, resource_at=FLEET))
    return sum(line.card.kind is CardKind.TALENT for line in left)


def bonus_is_free_talent(ship: Ship) -> bool:
    """Whether a talent is free instead of the slot that a card would add: the captain has icons, which suffice."""
    if not any(isinstance(rule, AddsTalentOrFree) for _, rule in rules_on(ship)):
        return False
    talents = sum(line.card.kind is CardKind.TALENT for line in in_slots(ship))
    of_captain = dict(ship.captain.card.slots).get(CardKind.TALENT, 0) if ship.captain else 0
    return 0 < talents <= of_captain


def _is_free_of_slots(line: CardLine, ship: Ship) -> bool:
    return any(isinstance(rule, NeedsNoSlot) and is_met(rule.where, ship) for rule in rules_of(line.card))


def _rooms(ship: Ship, sheet: Sheet) -> Iterator[_Slots]:
    """What the ship and its cards bring, and the resource of the fleet."""
    away = {line.id for line, _ in hidden(ship)}
    for line in ship:
        yield from _rooms_by(line, ship, sheet) if line.id not in away else ()
    if sheet.resource is None:
        return
    if sheet.ship_of(sheet.resource_at) is ship:
        yield from _rooms_by(sheet.resource, ship, sheet)
    if any(isinstance(rule, ExtraTalents) for rule in rules_of(sheet.resource.card)):
        crew = sum(line.card.kind is CardKind.CREW for line in ship.cards)
        yield _Slots(frozenset({CardKind.TALENT}), crew, Condition(), None)


def _rooms_by(line: CardLine, ship: Ship, sheet: Sheet) -> Iterator[_Slots]:
    rules = tuple(rules_of(line.card))
    talents = next((rule.condition for rule in rules if isinstance(rule, TalentsOnly)), Condition())
    for kind, number in line.card.slots:
        yield _Slots(frozenset({kind}), number, talents if kind is CardKind.TALENT else Condition(), line)
    for rule in rules:
        if isinstance(rule, Adds) and is_met(rule.where, ship, sheet, line):
            for kind, number in rule.slots:
                such = rule.for_such if rule.for_such.alternatives or kind is not CardKind.TALENT else talents
                yield _Slots(frozenset({kind}), number, such, line)
        elif isinstance(rule, AddsTalentOrFree) and not bonus_is_free_talent(ship):
            yield _Slots(frozenset({CardKind.TALENT}), 1, Condition(), line)


def _turned(ship: Ship, sheet: Sheet) -> Iterator[list[_Slots]]:
    """The slots in each way in which a card of the ship can turn them."""
    rule = next((rule for _, rule in rules_on(ship) if isinstance(rule, Turns)), None)
    if rule is None:
        yield list(_rooms(ship, sheet))
    elif rule.number is None:
        rooms = list(_rooms(ship, sheet))
        yield [replace(one, kinds=one.kinds | rule.into if one.kinds <= rule.kinds else one.kinds) for one in rooms]
    else:
        yield list(_rooms(ship, sheet))
        for kind in sorted(rule.kinds):
            rooms = list(_rooms(ship, sheet))
            if one := next((one for one in rooms if one.kinds == {kind} and one.number), None):
                number = min(rule.number, one.number)
                one.number -= number
                yield [*rooms, _Slots(rule.into, number, one.such, one.source)]


def _left_over(rooms: Sequence[_Slots], lines: Sequence[CardLine], ship: Ship) -> tuple[CardLine, ...]:
    """What finds no place in these slots: first those are placed that bring slots, each where others are already."""
    brought = {room.source.id for room in rooms if room.source}
    bringing = sorted((line for line in lines if line.id in brought), key=lambda line: not _brings_its_own(line, rooms))
    at_once = _Filling([room for room in rooms if room.source not in bringing])
    best = max(_orders(at_once, bringing, rooms), key=lambda filling: len(filling.placed))
    left = [line for line in bringing if line not in best.placed]
    best.open(room for room in rooms if room.source in left)  # what is wrong is said of one card alone
    left += [line for line in lines if line not in bringing and not best.place(line)]
    return tuple(line for line in lines if line in left)


def _brings_its_own(line: CardLine, rooms: Sequence[_Slots]) -> bool:
    """Whether the card brings a slot of its own kind, for any other card: then nothing is lost by placing it first."""
    own = (room for room in rooms if room.source is line and not room.such.alternatives)
    return any(line.card.kind in room.kinds for room in own)


def _orders(first: "_Filling", bringing: Sequence[CardLine], rooms: Sequence[_Slots]) -> Iterator["_Filling"]:
    """The ways in which cards that bring slots can be placed one after another, until one places them all."""
    seen: set[frozenset[int]] = set()
    ways = [first]
    while ways:
        filling = ways.pop()
        if len(filling.placed) == len(bringing) or len(seen) > MOST_ORDERS:
            yield filling.with_all(bringing, rooms)
            return
        yield filling
        for line in reversed(bringing):
            ids = frozenset(one.id for one in (*filling.placed, line))
            further = filling.with_all([line], rooms) if line not in filling.placed and ids not in seen else filling
            seen.add(ids)
            if len(further.placed) > len(filling.placed):
                ways.append(further)


class _Filling:
    """Slots as they are filled, card by card; what is placed may move to make room, but not into later slots."""

    def __init__(self, rooms: Sequence[_Slots]) -> None:
        self.rooms = [replace(room, filled=list(room.filled)) for room in rooms]
        self.placed: list[CardLine] = []
        self._opened: dict[int, int] = {}

    def with_all(self, lines: Sequence[CardLine], rooms: Sequence[_Slots]) -> "_Filling":
        """Another one, in which those of these cards are placed that find a place, with the slots that they bring."""
        other = _Filling(self.rooms)
        other.placed = list(self.placed)
        other._opened = dict(self._opened)
        for line in lines:
            if line not in other.placed and other.place(line):
                other.open(room for room in rooms if room.source is line)
        return other

    def open(self, rooms: Iterator[_Slots]) -> None:
        """Add slots, which those that are placed already and bring slots cannot fill."""
        self.rooms += [replace(room, filled=list(room.filled)) for room in rooms]

    def place(self, line: CardLine) -> bool:
        """Whether the card finds a place; if it does not, all stays as it was."""
        before = [list(room.filled) for room in self.rooms]
        rooms = len(self.rooms)
        self._opened[line.id] = rooms
        if all(self._fit(need, set()) for need in _needs(line)):
            self.placed.append(line)
            return True
        for room, filled in zip(self.rooms, before, strict=True):
            room.filled[:] = filled
        return False

    def _fit(self, need: _Need, tried: set[int]) -> bool:
        rooms = list(enumerate(self.rooms[: self._opened[need.line.id]]))
        fitting = [(at, room) for at, room in rooms if need.kinds & room.kinds and room.such.holds(need.line.card)]
        for _, room in fitting:
            if len(room.filled) < room.number:
                room.filled.append(need)
                return True
        for at, room in fitting:
            if at in tried:
                continue
            tried.add(at)
            for other in room.filled:
                if self._fit(other, tried):
                    room.filled[room.filled.index(other)] = need
                    return True
        return False


def _needs(line: CardLine) -> list[_Need]:
    for rule in rules_of(line.card):
        if isinstance(rule, Takes):
            return [_Need(line, frozenset({kind})) for kind, number in rule.slots for _ in range(number)]
        if isinstance(rule, Fits):
            return [_Need(line, rule.kinds & UPGRADES)]
    return [_Need(line, frozenset({line.card.kind}))]
