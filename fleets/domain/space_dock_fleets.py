"""Fleet files of Space Dock: .spacedock with one fleet, .spacedocksquads with several."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from fleets.domain.cards import Card, Kind
from fleets.domain.cost import Costs, costs
from fleets.domain.sheet import FLEET, Line, Sheet, Ship

MOST_BYTES = 2_000_000
MOST_FLEETS = 200
MOST_LINES = 200
MOST_SP = 999


class NotAFleet(Exception):
    """The file cannot be read; the text says what is wrong with it and what to do."""


@dataclass(frozen=True, slots=True)
class Imported:
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


def read_fleets(data: bytes, cards: Mapping[str, Card]) -> tuple[Imported, ...]:
    """The fleets in a file, with the cards of the catalogue by key. Raises NotAFleet."""
    if len(data) > MOST_BYTES:
        raise NotAFleet(f"The file is larger than {MOST_BYTES // 10**6} MB, which no fleet is. Choose another.")
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise NotAFleet("The file is no JSON, so it is no fleet of Space Dock. Export it again there.") from error
    fleets = found if isinstance(found, list) else [found]
    if not fleets or len(fleets) > MOST_FLEETS:
        raise NotAFleet(f"The file holds {len(fleets)} fleets. It should hold 1 to {MOST_FLEETS}.")
    return tuple(_Reader(cards).fleet(_table(fleet, "a fleet")) for fleet in fleets)


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
    flagship = next((line for line in ship.cards if line.card.kind is Kind.FLAGSHIP), None)
    upgrades = [line for line in ship.cards if line not in (captain, flagship)]
    return {
        "shipId": ship.card.key or ship.card.title,
        "shipTitle": ship.card.title,
        "calculatedCost": sum(found.of(line.id).total for line in ship),
        **({"captain": _written_card(captain, found)} if captain else {}),
        **({"flagship": flagship.card.key or flagship.card.title} if flagship else {}),
        "upgrades": [_written_card(line, found) for line in upgrades],
    }


def _written_card(line: Line, found: Costs) -> dict[str, Any]:
    facts: dict[str, Any] = {"upgradeId": line.card.key or line.card.title, "upgradeTitle": line.card.title}
    if line.by_hand:
        return facts | {"costIsOverridden": True, "overriddenCost": found.of(line.id).total}
    return facts | {"calculatedCost": found.of(line.id).total}


class _Reader:
    """Reads one fleet, counting its lines."""

    def __init__(self, cards: Mapping[str, Card]) -> None:
        self._cards = cards
        self._ids = count(1)
        self._not_recognised: list[str] = []
        self._calculated: list[tuple[int, int]] = []

    def fleet(self, facts: Mapping[str, Any]) -> Imported:
        ships, totals = [], []
        flagship_at = FLEET
        sideboard: list[Line] = []
        for entry in _list(facts, "ships"):
            ship_facts = _table(entry, "a ship")
            if ship_facts.get("sideboard"):
                sideboard += self._cards_of(ship_facts)
                continue
            ship = Ship(self._ship(ship_facts), tuple(self._cards_of(ship_facts)))
            if any(line.card.kind is Kind.FLAGSHIP for line in ship.cards):
                flagship_at = ship.line.id
            ships.append(ship)
            totals.append(_whole(ship_facts, "calculatedCost"))
        resource = self._resource(facts)
        other = [*sideboard, *self._additional(facts)]
        at = flagship_at if resource and resource.card.title == "Flagship" else FLEET
        return Imported(
            name=_text(facts, "name")[:80] or "Fleet",
            sheet=Sheet(tuple(ships), resource, at, tuple(other)),
            notes=_text(facts, "notes")[:500],
            not_recognised=tuple(self._not_recognised),
            calculated=tuple(self._calculated),
            calculated_ships=tuple(totals),
        )

    def _ship(self, facts: Mapping[str, Any]) -> Line:
        card = self._card(facts.get("shipId"), _text(facts, "shipTitle"), Kind.SHIP)
        return self._line(card, {})

    def _cards_of(self, facts: Mapping[str, Any]) -> Iterator[Line]:
        captain = facts.get("captain")
        if captain is not None:
            yield self._upgrade(_table(captain, "a captain"), Kind.CAPTAIN)
        if facts.get("flagship") is not None:
            yield self._line(self._card(facts["flagship"], "Flagship", Kind.FLAGSHIP), {})
        for upgrade in _list(facts, "upgrades"):
            yield self._upgrade(_table(upgrade, "an upgrade"), Kind.OTHER)

    def _upgrade(self, facts: Mapping[str, Any], kind: Kind) -> Line:
        return self._line(self._card(facts.get("upgradeId"), _text(facts, "upgradeTitle"), kind), facts)

    def _resource(self, facts: Mapping[str, Any]) -> Line | None:
        if facts.get("resource") is None:
            return None
        return self._line(self._card(facts["resource"], "Resource", Kind.RESOURCE), {})

    def _additional(self, facts: Mapping[str, Any]) -> Iterator[Line]:
        if points := _whole(facts, "additionalPoints"):
            yield self._line(Card(Kind.OTHER, "Additional points", cost=points), {})

    def _card(self, key: Any, title: str, kind: Kind) -> Card:
        card = self._cards.get(str(key))
        if card:
            return card
        title = title[:80] or f"Card {str(key)[:40]}"
        self._not_recognised.append(title)
        return Card(kind, title)

    def _line(self, card: Card, facts: Mapping[str, Any]) -> Line:
        line = Line(next(self._ids), card)
        if line.id > MOST_LINES:
            raise NotAFleet(f"A fleet of the file has more than {MOST_LINES} cards, which no fleet has.")
        if (calculated := _whole(facts, "calculatedCost")) is not None:
            self._calculated.append((line.id, calculated))
        if facts.get("costIsOverridden") and (by_hand := _whole(facts, "overriddenCost")) is not None:
            line = replace(line, cost_by_hand=by_hand, note="imported so")
        return line


def _table(value: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise NotAFleet(f"Where {what} should be, the file has something else. Export it again from Space Dock.")
    return value


def _list(facts: Mapping[str, Any], name: str) -> list[Any]:
    value = facts.get(name) or []
    if not isinstance(value, list):
        raise NotAFleet(f"“{name}” is no list in the file. Export it again from Space Dock.")
    return value


def _text(facts: Mapping[str, Any], name: str) -> str:
    value = facts.get(name)
    return " ".join(value.split()) if isinstance(value, str) else ""


def _whole(facts: Mapping[str, Any], name: str) -> int | None:
    """The whole number from 0 to MOST_SP in that field, None if there is none."""
    value = facts.get(name)
    is_one = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_SP
    return value if is_one else None
