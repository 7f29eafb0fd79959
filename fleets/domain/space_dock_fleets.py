"""Fleet files of Space Dock: .spacedock with one fleet, .spacedocksquads with several.

Such a file has no place for notes on lines, rulings, boosters, a ship's or a resource's own cost by hand, the kind of
a card that somebody typed (but captain and ship), and the cards beside the ships, which are one sum there. Where the
resource is assigned stands in a field of our own: the number of the ship, and of the card on it, 0 for the ship itself.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from fleets.domain.card_data import LONGEST_NOTES
from fleets.domain.cards import Card, CardKind
from fleets.domain.cost import Costs, costs, is_on_sideboard
from fleets.domain.foreign import (
    FLEET_TOTAL,
    LONGEST_NAME,
    MOST_LINES,
    UNNAMED,
    CardLookup,
    NotAFleet,
    Wanted,
    at_costs,
    differing_costs,
    differing_total,
    one_line,
    spelled,
)
from fleets.domain.sheet import FLEET, IMPORTED, CardLine, Sheet, Ship
from tourney.runtime.messages import Message, message

MOST_FLEETS = 500
MOST_SP = 999
ASSIGNED = "resourceAssignedTo"
A_FLEET = message("The file is damaged where a fleet should be. Export it again from Space Dock.")
A_SHIP = message("The file is damaged where a ship should be. Export it again from Space Dock.")
A_CAPTAIN = message("The file is damaged where a captain should be. Export it again from Space Dock.")
AN_UPGRADE = message("The file is damaged where an upgrade should be. Export it again from Space Dock.")


@dataclass(frozen=True, slots=True)
class ImportedFleet:
    """A fleet of the file; `not_recognised` names what is no card of the catalogue and stands there by hand.

    `differences` are sentences about costs and cards that are others there than here.
    `calculated` holds for each line what the other program made of it in SP, where it says so, and
    `calculated_ships` the same for each ship with all that is assigned to it.
    """

    name: str
    sheet: Sheet
    not_recognised: tuple[str, ...] = ()
    calculated: tuple[tuple[int, int], ...] = ()
    calculated_ships: tuple[int | None, ...] = ()
    differences: tuple[Message, ...] = ()


def read_fleets(found: object, look: CardLookup) -> tuple[ImportedFleet, ...]:
    """The fleets in the JSON of a file. Raises NotAFleet."""
    fleets = found if isinstance(found, list) else [found]
    if not fleets or len(fleets) > MOST_FLEETS:
        raise NotAFleet(
            message(
                "The file has {number} fleets. Choose one with 1 to {limit}.", number=len(fleets), limit=MOST_FLEETS
            )
        )
    return tuple(_Reader(look).fleet(_table(fleet, A_FLEET)) for fleet in fleets)


def write_fleet(sheet: Sheet, name: str) -> bytes:
    """The fleet as a .spacedock file. What has no place in one (notes of lines, the booster) is left out."""
    found = costs(sheet)
    sideboard = [line for line in sheet.other if is_on_sideboard(line, sheet)]
    facts: dict[str, Any] = {
        "name": name,
        "cost": found.total,
        "additionalPoints": sum(found.of(line.id).total for line in sheet.other),
        "ships": [_written_ship(ship, found) for ship in sheet.ships] + _written_sideboard(sideboard, found),
    }
    if sheet.resource:
        facts["resource"] = sheet.resource.card.key or sheet.resource.card.title
        facts |= _written_assignment(sheet)
    if sheet.notes:
        facts["notes"] = sheet.notes
    return json.dumps(facts, ensure_ascii=False, indent=1).encode()


def _written_assignment(sheet: Sheet) -> dict[str, Any]:
    for number, ship in enumerate(sheet.ships, start=1):
        captain, flagship, upgrades = _places(ship)
        written = [ship.line, *(line for line in (captain, flagship) if line), *upgrades]
        for place, line in enumerate(written):
            if line.id == sheet.resource_at:
                return {ASSIGNED: {"ship": number, "card": place}}
    return {}


def _places(ship: Ship) -> tuple[CardLine | None, CardLine | None, list[CardLine]]:
    """The captain, the flagship card and all else on the ship, in the order in which a file has them."""
    captain = ship.captain
    flagship = next((line for line in ship.cards if line.card.kind is CardKind.FLAGSHIP), None)
    return captain, flagship, [line for line in ship.cards if line not in (captain, flagship)]


def _written_ship(ship: Ship, found: Costs) -> dict[str, Any]:
    captain, flagship, upgrades = _places(ship)
    return {
        "shipId": ship.card.key or ship.card.title,
        "shipTitle": ship.card.title,
        "calculatedCost": sum(found.of(line.id).total for line in ship),
        **({"captain": _written_card(captain, found)} if captain else {}),
        **({"flagship": flagship.card.key or flagship.card.title} if flagship else {}),
        "upgrades": [_written_card(line, found) for line in upgrades],
    }


def _written_sideboard(lines: Sequence[CardLine], found: Costs) -> list[dict[str, Any]]:
    """Space Dock has it as one more ship, which is none."""
    if not lines:
        return []
    captains = [_written_card(line, found) for line in lines if line.card.kind is CardKind.CAPTAIN]
    others = [_written_card(line, found) for line in lines if line.card.kind is not CardKind.CAPTAIN]
    return [{"sideboard": True, **({"captain": captains[0]} if captains else {}), "upgrades": [*captains[1:], *others]}]


def _written_card(line: CardLine, found: Costs) -> dict[str, Any]:
    facts: dict[str, Any] = {"upgradeId": line.card.key or line.card.title, "upgradeTitle": line.card.title}
    if line.by_hand:
        return facts | {"costIsOverridden": True, "overriddenCost": found.of(line.id).total}
    return facts | {"calculatedCost": found.of(line.id).total}


class _Reader:
    """Reads one fleet, counting its lines."""

    def __init__(self, look: CardLookup) -> None:
        self._look = look
        self._ids = count(1)
        self._not_recognised: list[str] = []
        self._calculated: dict[int, int] = {}
        self._asked: dict[int, int] = {}
        self._replaced: list[Message] = []

    def fleet(self, facts: Mapping[str, Any]) -> ImportedFleet:
        if "ships" not in facts:
            raise NotAFleet(message("The file has no fleet. Export it again from Space Dock."))
        ships, totals = [], []
        flagship_at = FLEET
        sideboard: list[CardLine] = []
        for entry in _list(facts, "ships"):
            ship_facts = _table(entry, A_SHIP)
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
        if resource and ASSIGNED in facts:
            at = _assigned(facts[ASSIGNED], ships)
        notes = one_line(facts.get("notes"), LONGEST_NOTES)
        sheet = at_costs(Sheet(tuple(ships), resource, at, tuple(other), notes=notes), self._asked, note=IMPORTED)
        return ImportedFleet(
            name=one_line(facts.get("name"), LONGEST_NAME) or UNNAMED,
            sheet=sheet,
            differences=(*self._replaced, *self._differences(sheet, totals, _whole(facts, "cost"))),
            not_recognised=tuple(self._not_recognised),
            calculated=tuple(self._calculated.items()),
            calculated_ships=tuple(totals),
        )

    def _differences(self, sheet: Sheet, totals: Sequence[int | None], total: int | None) -> Iterator[Message]:
        """Where the file says another cost than ours; it counts the resource Flagship with its ship."""
        by_hand = {line.id: line.cost_by_hand for line in sheet.lines if line.cost_by_hand is not None}
        yield from differing_costs(sheet, by_hand, kept=True)
        said = {id: cost for id, cost in self._calculated.items() if id not in by_hand}
        yield from differing_costs(sheet, said, kept=False)
        found = costs(sheet)
        for ship, ours, stated in zip(sheet.ships, found.ships, totals, strict=True):
            with_it = found.resource if sheet.resource_at == ship.line.id else 0
            yield from differing_total(ship.card.title, stated, ours + with_it)
        yield from differing_total(FLEET_TOTAL, total, found.total)

    def _ship(self, facts: Mapping[str, Any], total: int | None) -> Ship:
        """The ship; where one of its cards is not recognised, what the file says the others cost stands by hand."""
        line = self._line(self._card(facts.get("shipId"), one_line(facts.get("shipTitle")), CardKind.SHIP, None), {})
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
            yield self._upgrade(_table(captain, A_CAPTAIN), CardKind.CAPTAIN)
        if facts.get("flagship") is not None:
            yield self._line(self._card_by_key(facts["flagship"], CardKind.FLAGSHIP), {})
        for upgrade in _list(facts, "upgrades"):
            yield self._upgrade(_table(upgrade, AN_UPGRADE), CardKind.OTHER)

    def _upgrade(self, facts: Mapping[str, Any], kind: CardKind) -> CardLine:
        return self._line(self._card_of_upgrade(facts, kind), facts)

    def _card_of_upgrade(self, facts: Mapping[str, Any], kind: CardKind) -> Card:
        stated = _whole(facts, "calculatedCost")
        return self._card(facts.get("upgradeId"), one_line(facts.get("upgradeTitle")), kind, stated)

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
        return self._card(key, f"{kind.value.capitalize()} {title}" if title.isdigit() else title, kind, None)

    def _card(self, key: object, title: str, kind: CardKind, stated: int | None) -> Card:
        """The card of that key; else the one of that title that costs most like what is stated, and it is said."""
        key = one_line(str(key)) if isinstance(key, str | int) else ""
        card = self._look(Wanted(title, key, None if kind is CardKind.OTHER else kind, stated))
        if card:
            if key not in {"", card.key} and spelled(key) != spelled(card.title):
                self._replaced.append(
                    message(
                        "{card}: the catalogue has no card “{key}”. Used one of the same name for {cost} SP.",
                        card=card.title,
                        key=key,
                        cost=card.cost,
                    )
                )
            return card
        title = one_line(title) or one_line(f"Card {key}" if key else kind.value.capitalize())
        self._not_recognised.append(title)
        return Card(kind, title)

    def _line(self, card: Card, facts: Mapping[str, Any]) -> CardLine:
        line = CardLine(next(self._ids), card)
        if line.id > MOST_LINES:
            raise NotAFleet(
                message("A fleet in the file has more than {limit} cards – too many for a fleet.", limit=MOST_LINES)
            )
        calculated = _whole(facts, "calculatedCost")
        if calculated is not None:
            self._calculated[line.id] = calculated
        if facts.get("costIsOverridden") and (by_hand := _whole(facts, "overriddenCost")) is not None:
            return replace(line, cost_by_hand=by_hand, note=IMPORTED)
        return line if card.key else replace(line, card=replace(card, cost=calculated or card.cost))


def _assigned(value: object, ships: Sequence[Ship]) -> int:
    """The id of the line that the file names; FLEET for what is there not."""
    facts = value if isinstance(value, dict) else {}
    number, place = _whole(facts, "ship"), _whole(facts, "card")
    lines = list(ships[number - 1]) if number and number <= len(ships) else []
    return lines[place].id if place is not None and place < len(lines) else FLEET


def _table(value: Any, otherwise: Message) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise NotAFleet(otherwise)
    return value


def _list(facts: Mapping[str, Any], name: str) -> list[Any]:
    value = facts.get(name) or []
    if not isinstance(value, list):
        raise NotAFleet(
            message("The file is damaged: “{name}” isn’t a list. Export it again from Space Dock.", name=name)
        )
    return value


def _whole(facts: Mapping[str, Any], name: str) -> int | None:
    """The whole number from 0 to MOST_SP in that field, None if there is none."""
    value = facts.get(name)
    is_one = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_SP
    return value if is_one else None
