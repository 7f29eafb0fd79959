"""Fleet files of Space Dock: .spacedock with one fleet, .spacedocksquads with several.

Such a file has no place for notes on lines, rulings, boosters, a ship's or a resource's own cost by hand, the kind of
a card that somebody typed (but captain and ship), and the cards beside the ships, which are one sum there.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from fleets.domain.cards import Card, CardKind
from fleets.domain.cost import Costs, costs
from fleets.domain.foreign import LONGEST_NAME, MOST_LINES, UNNAMED, Look, NotAFleet, Wanted, at_costs, one_line
from fleets.domain.sheet import FLEET, CardLine, Sheet, Ship

MOST_FLEETS = 30
MOST_SP = 999
LONGEST_NOTES = 500
BY_HAND = "imported so"


@dataclass(frozen=True, slots=True)
class ImportedFleet:
    """A fleet of the file; `not_recognised` names what is no card of the catalogue and stands there by hand.

    `calculated` holds for each line what the other program made of it in SP, where it says so, and
    `calculated_ships` the same for each ship with all that is assigned to it.
    """

    name: str
    sheet: Sheet
    notes: str = ""
    not_recognised: tuple[str, ...] = ()
    calculated: tuple[tuple[int, int], ...] = ()
    calculated_ships: tuple[int | None, ...] = ()


def read_fleets(found: object, look: Look) -> tuple[ImportedFleet, ...]:
    """The fleets in the JSON of a file. Raises NotAFleet."""
    fleets = found if isinstance(found, list) else [found]
    if not fleets or len(fleets) > MOST_FLEETS:
        raise NotAFleet(f"The file holds {len(fleets)} fleets. It should hold 1 to {MOST_FLEETS}.")
    return tuple(_Reader(look).fleet(_table(fleet, "a fleet")) for fleet in fleets)


def write_fleet(sheet: Sheet, name: str) -> bytes:
    """The fleet as a .spacedock file. What has no place in one (notes, the booster) is left out."""
    found = costs(sheet)
    additional = sum(found.of(line.id).total for line in sheet.other)
    facts: dict[str, Any] = {
        "name": name,
        "cost": found.total,
        "additionalPoints": additional,
        "ships": [_written_ship(ship, found) for ship in sheet.ships],
    }
    if sheet.resource:
        facts["resource"] = sheet.resource.card.key or sheet.resource.card.title
    return json.dumps(facts, ensure_ascii=False, indent=1).encode()


def _written_ship(ship: Ship, found: Costs) -> dict[str, Any]:
    captain = ship.captain
    flagship = next((line for line in ship.cards if line.card.kind is CardKind.FLAGSHIP), None)
    upgrades = [line for line in ship.cards if line not in (captain, flagship)]
    return {
        "shipId": ship.card.key or ship.card.title,
        "shipTitle": ship.card.title,
        "calculatedCost": sum(found.of(line.id).total for line in ship),
        **({"captain": _written_card(captain, found)} if captain else {}),
        **({"flagship": flagship.card.key or flagship.card.title} if flagship else {}),
        "upgrades": [_written_card(line, found) for line in upgrades],
    }


def _written_card(line: CardLine, found: Costs) -> dict[str, Any]:
    facts: dict[str, Any] = {"upgradeId": line.card.key or line.card.title, "upgradeTitle": line.card.title}
    if line.by_hand:
        return facts | {"costIsOverridden": True, "overriddenCost": found.of(line.id).total}
    return facts | {"calculatedCost": found.of(line.id).total}


class _Reader:
    """Reads one fleet, counting its lines."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._ids = count(1)
        self._not_recognised: list[str] = []
        self._calculated: dict[int, int] = {}
        self._asked: dict[int, int] = {}

    def fleet(self, facts: Mapping[str, Any]) -> ImportedFleet:
        if "ships" not in facts:
            raise NotAFleet("There is no fleet in the file. Export it again from Space Dock.")
        ships, totals = [], []
        flagship_at = FLEET
        sideboard: list[CardLine] = []
        for entry in _list(facts, "ships"):
            ship_facts = _table(entry, "a ship")
            if ship_facts.get("sideboard"):
                sideboard += self._cards_of(ship_facts)
                continue
            total = _whole(ship_facts, "calculatedCost")
            ship = self._ship(ship_facts, total)
            if any(line.card.kind is CardKind.FLAGSHIP for line in ship.cards):
                flagship_at = ship.line.id
            ships.append(ship)
            totals.append(total)
        resource = self._resource(facts, totals)
        other = [*sideboard, *self._additional(facts)]
        at = flagship_at if resource and resource.card.title == "Flagship" else FLEET
        return ImportedFleet(
            name=one_line(facts.get("name"), LONGEST_NAME) or UNNAMED,
            sheet=at_costs(Sheet(tuple(ships), resource, at, tuple(other)), self._asked, note=BY_HAND),
            notes=one_line(facts.get("notes"), LONGEST_NOTES),
            not_recognised=tuple(self._not_recognised),
            calculated=tuple(self._calculated.items()),
            calculated_ships=tuple(totals),
        )

    def _ship(self, facts: Mapping[str, Any], total: int | None) -> Ship:
        """The ship; where one of its cards is not recognised, what the file says the others cost stands by hand."""
        line = self._line(self._card(facts.get("shipId"), one_line(facts.get("shipTitle")), CardKind.SHIP), {})
        cards = tuple(self._cards_of(facts))
        if not all(one.card.key for one in (line, *cards)):
            self._asked |= {
                card.id: self._calculated[card.id]
                for card in cards
                if card.cost_by_hand is None and card.id in self._calculated
            }
        if line.card.key or total is None:
            return Ship(line, cards)
        rest = total - sum(self._said(card) for card in cards)
        return Ship(replace(line, card=replace(line.card, cost=max(0, rest))), cards)

    def _cards_of(self, facts: Mapping[str, Any]) -> Iterator[CardLine]:
        captain = facts.get("captain")
        if captain is not None:
            yield self._upgrade(_table(captain, "a captain"), CardKind.CAPTAIN)
        if facts.get("flagship") is not None:
            yield self._line(self._card_by_key(facts["flagship"], CardKind.FLAGSHIP), {})
        for upgrade in _list(facts, "upgrades"):
            yield self._upgrade(_table(upgrade, "an upgrade"), CardKind.OTHER)

    def _upgrade(self, facts: Mapping[str, Any], kind: CardKind) -> CardLine:
        return self._line(self._card(facts.get("upgradeId"), one_line(facts.get("upgradeTitle")), kind), facts)

    def _said(self, line: CardLine) -> int:
        """What the file says of a card's cost, or else the card itself."""
        if line.cost_by_hand is not None:
            return line.cost_by_hand
        return self._calculated.get(line.id, line.card.cost)

    def _resource(self, facts: Mapping[str, Any], totals: Sequence[int | None]) -> CardLine | None:
        """The resource; one that is not recognised costs what the ships leave of the fleet's total."""
        if facts.get("resource") is None:
            return None
        line = self._line(self._card_by_key(facts["resource"], CardKind.RESOURCE), {})
        total = _whole(facts, "cost")
        if line.card.key or total is None or None in totals:
            return line
        rest = total - sum(cost or 0 for cost in totals) - (_whole(facts, "additionalPoints") or 0)
        return replace(line, card=replace(line.card, cost=max(0, rest)))

    def _additional(self, facts: Mapping[str, Any]) -> Iterator[CardLine]:
        if points := _whole(facts, "additionalPoints"):
            yield self._line(Card(CardKind.OTHER, "Additional points", cost=points), {})

    def _card_by_key(self, key: object, kind: CardKind) -> Card:
        """The card of that key, which is its title where it stands by hand."""
        title = one_line(key)
        return self._card(key, f"{kind.value.capitalize()} {title}" if title.isdigit() else title, kind)

    def _card(self, key: object, title: str, kind: CardKind) -> Card:
        key = one_line(str(key)) if isinstance(key, str | int) else ""
        card = self._look(Wanted(title, key, None if kind is CardKind.OTHER else kind))
        if card:
            return card
        title = one_line(title) or one_line(f"Card {key}" if key else kind.value.capitalize())
        self._not_recognised.append(title)
        return Card(kind, title)

    def _line(self, card: Card, facts: Mapping[str, Any]) -> CardLine:
        line = CardLine(next(self._ids), card)
        if line.id > MOST_LINES:
            raise NotAFleet(f"A fleet of the file has more than {MOST_LINES} cards, which no fleet has.")
        calculated = _whole(facts, "calculatedCost")
        if calculated is not None:
            self._calculated[line.id] = calculated
        if facts.get("costIsOverridden") and (by_hand := _whole(facts, "overriddenCost")) is not None:
            return replace(line, cost_by_hand=by_hand, note=BY_HAND)
        return line if card.key else replace(line, card=replace(card, cost=calculated or card.cost))


def _table(value: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise NotAFleet(f"Where {what} should be, the file has something else. Export it again from Space Dock.")
    return value


def _list(facts: Mapping[str, Any], name: str) -> list[Any]:
    value = facts.get(name) or []
    if not isinstance(value, list):
        raise NotAFleet(f"“{name}” is no list in the file. Export it again from Space Dock.")
    return value


def _whole(facts: Mapping[str, Any], name: str) -> int | None:
    """The whole number from 0 to MOST_SP in that field, None if there is none."""
    value = facts.get(name)
    is_one = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_SP
    return value if is_one else None
