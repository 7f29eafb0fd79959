"""Room for upgrades: what a ship and the cards on it bring, and what a resource adds (rule 7.10)."""

from collections import Counter

from fleets.domain.card_rules import Adds, ExtraTalents, rules_of
from fleets.domain.cards import CardKind
from fleets.domain.sheet import CardLine, Sheet, Ship


def slots_of(ship: Ship) -> Counter[CardKind]:
    """Rule 7.10: how many upgrades of each kind the ship has room for, with all that its cards add."""
    room: Counter[CardKind] = Counter()
    for line in ship:
        room.update(slots_by(line))
    return room


def slots_with_resource(ship: Ship, sheet: Sheet) -> Counter[CardKind]:
    """The same with what the resource of the fleet adds: to the ship it is assigned to, or talents for crew."""
    room = slots_of(ship)
    if sheet.resource is None:
        return room
    if sheet.ship_of(sheet.resource_at) is ship:
        room.update(slots_by(sheet.resource))
    if any(isinstance(rule, ExtraTalents) for rule in rules_of(sheet.resource.card)):
        room[CardKind.TALENT] += sum(line.card.kind is CardKind.CREW for line in ship.cards)
    return room


def slots_by(line: CardLine) -> Counter[CardKind]:
    """What one card brings, by its slots and by its rules."""
    room = Counter(dict(line.card.slots))
    for rule in rules_of(line.card):
        if isinstance(rule, Adds):
            room.update(dict(rule.slots))
    return room


def extra_talents(ship: Ship) -> int:
    """How many elite talents the ship has beyond its room for them."""
    used = sum(line.card.kind is CardKind.TALENT for line in ship.cards)
    return max(0, used - slots_of(ship)[CardKind.TALENT])
