"""Fleets of Utopia: what stands in the address of its fleet builder, and its list of cards as JSON.

The address carries after its # the fleet as base64 of JSON, where every card is its type and its number:

    {"ships": [{"id": "ship:1001", "captain": {"id": "captain:2001", "upgradeSlots": [{"id": "talent:3001"}]},
                "admiral": {…}, "resource": {"id": "flagship:6003"}, "upgrades": [{}, {"id": "crew:3002"}]}],
     "resource": {"id": "resource:4004", "upgradeSlots": [{"id": "tech:3012"}]}}

An empty slot is {}. The numbers were those of Space Dock for years; later editions of Utopia number anew ("Cap012"),
and what the catalogue does not have then stays a line by hand, by type and number. Costs are not in it.

The list ("fleet sheet") names the cards, with their costs in the fleet:

    {"cost": 44, "ships": [{"cards": [{"name": "Kestrel", "type": "Ship", "faction": "FED/BAJ", "cost": 20}]}],
     "resource": {"name": "Command Tokens", "cost": 5}}
"""

import re
from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import Any
from urllib.parse import unquote

from fleets.domain.cards import CODES, FACTIONS, Card, CardKind
from fleets.domain.cost import costs
from fleets.domain.foreign import (
    FLEET_TOTAL,
    MOST_LINES,
    UNNAMED,
    CardLookup,
    Incoming,
    NotAFleet,
    Wanted,
    at_costs,
    differing_costs,
    differing_total,
    one_line,
)
from fleets.domain.sheet import FLEET, IMPORTED, WITH_RESOURCE, CardLine, Sheet, Ship
from tourney.runtime.messages import message

ADDRESS = re.compile(r"(?:[^\s#]*#)?(?P<hash>[A-Za-z0-9+/_=%-]{4,})")
TYPES = {kind.value.replace(" ", "-"): kind for kind in CardKind}
KIND_OF = {code: kind for kind, code in CODES.items() if code} | {"Captain": CardKind.CAPTAIN}
ONE_CARD = ("resource", "captain", "admiral", "ambassador", "construction")
SLOTS = ("upgrades", "upgradeSlots")
NAMELESS = "Generic "
DEEPEST = 5
LONGEST_ADDRESS = 100_000
MOST_SP = 999


def json_of_address(text: str) -> str | None:
    """The JSON in an address or in what stands behind its #; None for what is no such address."""
    match = ADDRESS.fullmatch(text.strip()) if len(text) <= LONGEST_ADDRESS else None
    if match is None:
        return None
    plain = unquote(match["hash"]).translate(str.maketrans("-_", "+/")).rstrip("=")
    try:
        found = b64decode(plain + "=" * (-len(plain) % 4), validate=True).decode("utf-8").strip()
    except ValueError:
        return None
    return found if found.startswith("{") else None


def is_saved(facts: Mapping[str, Any]) -> bool:
    """Whether these facts are a fleet as the address carries it."""
    entries = [facts.get("resource"), *_list(facts, "ships")]
    return any(isinstance(one, dict) and ":" in str(one.get("id", "")) for one in entries)


def is_listed(facts: Mapping[str, Any]) -> bool:
    """Whether these facts are a list of cards by name."""
    return any(isinstance(ship, dict) and "cards" in ship for ship in _list(facts, "ships"))


def read_saved(facts: Mapping[str, Any], look: CardLookup) -> Incoming:
    """The fleet of an address. Raises NotAFleet."""
    reading = _FleetParser(look)
    ships = tuple(
        Ship(reading.saved(ship), tuple(map(reading.saved, _inside(ship)))) for ship in _tables(facts, "ships")
    )
    resource = _table(facts, "resource")
    line = reading.saved(resource) if resource else None
    other = [replace(reading.saved(one), cost_by_hand=0, note=WITH_RESOURCE) for one in _inside(resource)]
    flagship_at = next((ship.line.id for ship in ships if any(_is_flagship(one) for one in ship.cards)), FLEET)
    at = flagship_at if line and line.card.title == "Flagship" else FLEET
    return reading.incoming(Sheet(ships, line, at, tuple(other)))


def read_listed(facts: Mapping[str, Any], look: CardLookup) -> Incoming:
    """The fleet of a list of cards. Raises NotAFleet."""
    reading = _FleetParser(look)
    ships = []
    for entry in _tables(facts, "ships"):
        lines = [reading.listed(card) for card in _tables(entry, "cards")]
        ship = next((line for line in lines if line.card.kind is CardKind.SHIP), None)
        if ship is None:
            raise NotAFleet(message("A ship in the list has no ship card. Copy the list again from Utopia."))
        ships.append(Ship(ship, tuple(line for line in lines if line is not ship)))
    named = _table(facts, "resource")
    resource = reading.listed({**named, "type": CODES[CardKind.RESOURCE]}) if named.get("name") else None
    return reading.incoming(Sheet(tuple(ships), resource), total=_whole(facts.get("cost")))


def _inside(saved: Mapping[str, Any], depth: int = 1) -> Iterator[Mapping[str, Any]]:
    """The cards on a saved card, and on those, as deep as it goes."""
    if depth > DEEPEST:
        raise NotAFleet(message("The fleet’s cards are nested too deep. Copy the address again."))
    inside = [saved.get(name) for name in ONE_CARD] + [one for name in SLOTS for one in _list(saved, name)]
    for one in inside:
        if isinstance(one, dict):
            yield from [one] if one.get("id") else []
            yield from _inside(one, depth + 1)


class _FleetParser:
    """Reads the cards of one fleet, numbering its lines."""

    def __init__(self, look: CardLookup) -> None:
        self._look = look
        self._ids = count(1)
        self._asked: dict[int, int] = {}
        self._not_recognised: list[str] = []

    def incoming(self, sheet: Sheet, total: int | None = None) -> Incoming:
        """The fleet at the costs that are stated, as far as there are any."""
        if not sheet.lines:
            raise NotAFleet(message("The fleet has no cards. Copy it again from Utopia."))
        differences = differing_costs(sheet, self._asked, kept=True)
        sheet = at_costs(sheet, self._asked, note=IMPORTED)
        differences += differing_total(FLEET_TOTAL, total, costs(sheet).total)
        return Incoming(UNNAMED, sheet, tuple(self._not_recognised), differences=differences)

    def saved(self, saved: Mapping[str, Any]) -> CardLine:
        """A card by type and number."""
        type, _, key = one_line(saved.get("id")).partition(":")
        kind = TYPES.get(type, CardKind.OTHER)
        title = " ".join(key.replace("_", " ").split()) or type or "Card"
        return self._line(self._look(Wanted(key=key)) if key else None, Card(kind, title))

    def listed(self, card: Mapping[str, Any]) -> CardLine:
        """A card by name, type and cost."""
        title, cost = one_line(card.get("name")) or "Card", _whole(card.get("cost"))
        kind = KIND_OF.get(str(card.get("type")))
        factions = tuple(code for code in str(card.get("faction"))[:20].split("/") if code in FACTIONS)
        wanted = Wanted(title, kind=kind, cost=cost)
        if title.startswith(NAMELESS) and factions:
            starship = f"{FACTIONS[factions[0]]} Starship"
            wanted = Wanted(starship, kind=kind, cost=cost, ship_class=title.removeprefix(NAMELESS))
        known = self._look(wanted)
        line = self._line(known, Card(kind or CardKind.OTHER, title, factions, cost or 0))
        if cost is not None:
            self._asked[line.id] = cost
        return line

    def _line(self, known: Card | None, by_hand: Card) -> CardLine:
        if known is None:
            self._not_recognised.append(by_hand.title)
        line = CardLine(next(self._ids), known or by_hand)
        if line.id > MOST_LINES:
            raise NotAFleet(message("The fleet has more than {limit} cards – too many for a fleet.", limit=MOST_LINES))
        return line


def _table(facts: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = facts.get(name)
    return value if isinstance(value, dict) else {}


def _list(facts: Mapping[str, Any], name: str) -> list[Any]:
    value = facts.get(name)
    return value if isinstance(value, list) else []


def _tables(facts: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    return [one for one in _list(facts, name) if isinstance(one, dict)]


def _whole(value: object) -> int | None:
    """The whole number from 0 to MOST_SP that it is, None if it is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_SP else None


def _is_flagship(line: CardLine) -> bool:
    return line.card.kind is CardKind.FLAGSHIP
