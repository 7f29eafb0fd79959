"""Cards and sheets as JSON can hold them, and back; what comes from outside is checked field by field."""

from collections.abc import Callable, Mapping
from typing import Any

from fleets.domain.card_rules import UnknownRule, read_rule
from fleets.domain.cards import FACTIONS, Card, CardKind
from fleets.domain.sheet import FLEET, CardLine, Sheet, Ship
from tourney.runtime.bounds import shown
from tourney.runtime.messages import Message, message

FORMAT = "flagship-fleet"
VERSION = 1
MOST_LINES = 200
MOST_SP = 999
HIGHEST_ID = 10**6
LONGEST = 120
LONGEST_NOTES = 500
LONGEST_SIDE = 40
NUMBERS = ("cost", "attack", "agility", "hull", "shields", "skill")
FLAGS = ("unique", "mirror_unique")
TEXTS = ("key", "ship_class")


class InvalidData(Exception):
    """The data is no card or no sheet; `problem` names the field and what it should hold."""

    def __init__(self, problem: Message) -> None:
        self.problem = problem
        super().__init__(problem)


def card_as_data(card: Card) -> dict[str, Any]:
    """The card; what is empty, 0 or false is left out."""
    data: dict[str, Any] = {"kind": card.kind.value, "title": card.title, "factions": list(card.factions)}
    data |= {name: getattr(card, name) for name in (*NUMBERS, *TEXTS, *FLAGS)}
    data |= {"slots": {kind.value: number for kind, number in card.slots}, "rules": list(card.rules)}
    return {name: value for name, value in data.items() if value}


def card_from_data(data: object, path: str = "card") -> Card:
    """The card that `card_as_data` wrote. Raises InvalidData."""
    facts = _table(data, path)
    unknown = facts.keys() - {"kind", "title", "factions", "slots", "rules", *NUMBERS, *TEXTS, *FLAGS}
    if unknown:
        raise InvalidData(message("{path} has an unknown field “{name}”", path=path, name=shown(min(unknown))))

    def number(name: str) -> int:
        return _number(facts.get(name, 0), f"{path}.{name}")

    def text(name: str) -> str:
        return _text(facts.get(name, ""), f"{path}.{name}")

    def flag(name: str) -> bool:
        return _flag(facts.get(name, False), f"{path}.{name}")

    return Card(
        kind=_kind(facts.get("kind"), f"{path}.kind"),
        title=_text(facts.get("title"), f"{path}.title", empty=False),
        factions=tuple(
            _faction(code, f"{path}.factions") for code in _list(facts.get("factions", []), f"{path}.factions")
        ),
        slots=tuple(
            (_kind(kind, f"{path}.slots"), _number(count, f"{path}.slots", most=20))
            for kind, count in _table(facts.get("slots", {}), f"{path}.slots").items()
        ),
        rules=tuple(_rule(rule, f"{path}.rules") for rule in _list(facts.get("rules", []), f"{path}.rules")),
        cost=number("cost"),
        attack=number("attack"),
        agility=number("agility"),
        hull=number("hull"),
        shields=number("shields"),
        skill=number("skill"),
        key=text("key"),
        ship_class=text("ship_class"),
        unique=flag("unique"),
        mirror_unique=flag("mirror_unique"),
    )


def sheet_as_data(sheet: Sheet) -> dict[str, Any]:
    """The sheet as our own fleet file."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "ships": [{"ship": _line(ship.line), "cards": [_line(line) for line in ship.cards]} for ship in sheet.ships],
        "resource": _line(sheet.resource) if sheet.resource else None,
        "resource_at": sheet.resource_at,
        "other": [_line(line) for line in sheet.other],
        "last_id": max([sheet.last_id, *(line.id for line in sheet.lines)]),
        **{name: text for name, text in (("notes", sheet.notes), ("side", sheet.side)) if text},
    }


def sheet_from_data(data: object) -> Sheet:
    """The sheet that `sheet_as_data` wrote. Raises InvalidData."""
    facts = _table(data, "fleet")
    if (facts.get("format"), facts.get("version")) != (FORMAT, VERSION):
        raise InvalidData(
            message("the fleet should have format “{format}” and version {version}", format=FORMAT, version=VERSION)
        )
    ships = [_table(ship, f"ships[{n}]") for n, ship in enumerate(_list(facts.get("ships"), "ships"))]
    resource = facts.get("resource")
    sheet = Sheet(
        ships=tuple(
            Ship(
                _read_line(ship.get("ship"), f"ships[{n}].ship"),
                tuple(
                    _read_line(line, f"ships[{n}].cards[{m}]")
                    for m, line in enumerate(_list(ship.get("cards"), f"ships[{n}].cards"))
                ),
            )
            for n, ship in enumerate(ships)
        ),
        resource=None if resource is None else _read_line(resource, "resource"),
        resource_at=_number(facts.get("resource_at", FLEET), "resource_at", most=HIGHEST_ID),
        last_id=_number(facts.get("last_id", 0), "last_id", most=HIGHEST_ID),
        notes=_text(facts.get("notes", ""), "notes", longest=LONGEST_NOTES),
        side=_text(facts.get("side", ""), "side", longest=LONGEST_SIDE),
        other=tuple(_read_line(line, f"other[{n}]") for n, line in enumerate(_list(facts.get("other"), "other"))),
    )
    _check(sheet)
    return sheet


TYPED = {"notes": LONGEST_NOTES, "side": LONGEST_SIDE} | dict.fromkeys(("note", "title", "ship_class"), LONGEST)
"""What people type on a sheet, and how long it may be.

A card with a key is of the catalogue: its title and class are as they are printed.
"""


def reworded(data: Any, replaced: Callable[[str], str], *, cut: bool = False) -> Any:
    """The data of a sheet, or of what may not be one any more, with other words in what people typed there.

    Those may be longer, and a sheet with too many can't be read any more: with `cut` they end where they have to.
    """
    if isinstance(data, list):
        return [reworded(one, replaced, cut=cut) for one in data]
    if not isinstance(data, dict) or ("title" in data and data.get("key")):
        return data
    return {
        name: _typed(name, value, replaced(value), cut)
        if name in TYPED and isinstance(value, str)
        else reworded(value, replaced, cut=cut)
        for name, value in data.items()
    }


def _typed(name: str, before: str, after: str, cut: bool) -> str:
    return after[: TYPED[name]] if cut and after != before else after


def _check(sheet: Sheet) -> None:
    ids = [line.id for line in sheet.lines]
    if len(ids) > MOST_LINES:
        raise InvalidData(
            message("the fleet has {count} lines; the limit is {limit}", count=len(ids), limit=MOST_LINES)
        )
    if len(set(ids)) < len(ids):
        raise InvalidData(message("two lines of the fleet have the same id"))
    for line in (ship.line for ship in sheet.ships):
        if line.card.kind is not CardKind.SHIP:
            raise InvalidData(
                message(
                    "line {line} should be a ship, but its kind is “{kind}”", line=line.id, kind=line.card.kind.value
                )
            )
    for line in (*(line for ship in sheet.ships for line in ship.cards), *sheet.other):
        if line.card.kind is CardKind.SHIP:
            raise InvalidData(
                message("line {line} is a ship, so it can’t be on a ship or among the other cards", line=line.id)
            )
    if sheet.resource and sheet.resource.card.kind is not CardKind.RESOURCE:
        raise InvalidData(message("line {line} should be a resource", line=sheet.resource.id))
    if sheet.resource and sheet.resource_at == sheet.resource.id:
        raise InvalidData(message("the resource is assigned to itself"))
    if sheet.resource_at not in {FLEET, *ids}:
        raise InvalidData(
            message("the resource is assigned to line {line}, which doesn’t exist", line=sheet.resource_at)
        )


def _line(line: CardLine) -> dict[str, Any]:
    data: dict[str, Any] = {"id": line.id, "card": card_as_data(line.card)}
    if line.cost_by_hand is not None:
        data["cost_by_hand"] = line.cost_by_hand
    return data | {name: getattr(line, name) for name in ("note", "booster") if getattr(line, name)}


def _read_line(data: object, path: str) -> CardLine:
    facts = _table(data, path)
    by_hand = facts.get("cost_by_hand")
    return CardLine(
        id=_number(facts.get("id"), f"{path}.id", least=1, most=HIGHEST_ID),
        card=card_from_data(facts.get("card"), f"{path}.card"),
        cost_by_hand=None if by_hand is None else _number(by_hand, f"{path}.cost_by_hand"),
        note=_text(facts.get("note", ""), f"{path}.note"),
        booster=_flag(facts.get("booster", False), f"{path}.booster"),
    )


def _table(value: object, path: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise InvalidData(message("{path} should be an object", path=path))
    return value


def _list(value: object, path: str) -> list[Any]:
    if not isinstance(value, list) or len(value) > MOST_LINES:
        raise InvalidData(message("{path} should be a list of at most {limit}", path=path, limit=MOST_LINES))
    return value


def _kind(value: object, path: str) -> CardKind:
    if not isinstance(value, str) or value not in set(CardKind):
        raise InvalidData(message("{path} should be one of: {kinds}", path=path, kinds=", ".join(CardKind)))
    return CardKind(value)


def _faction(value: object, path: str) -> str:
    if not isinstance(value, str) or value not in FACTIONS:
        raise InvalidData(
            message("{path} should hold codes like {codes}", path=path, codes=", ".join(list(FACTIONS)[1:4]))
        )
    return value


def _rule(value: object, path: str) -> str:
    text = _text(value, path)
    try:
        read_rule(text)
    except UnknownRule as error:
        raise InvalidData(message("{path}: {problem}", path=path, problem=error.args[0])) from error
    return text


def _text(value: object, path: str, *, empty: bool = True, longest: int = LONGEST) -> str:
    if not isinstance(value, str) or len(value) > longest or not value.isprintable() or not (empty or value):
        raise InvalidData(
            message(
                "{path} should be one line of {least} to {most} characters",
                path=path,
                least=0 if empty else 1,
                most=longest,
            )
        )
    return value


def _number(value: object, path: str, *, least: int = 0, most: int = MOST_SP) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise InvalidData(
            message("{path} should be a number from {least} to {most}", path=path, least=least, most=most)
        )
    return value


def _flag(value: object, path: str) -> bool:
    if not isinstance(value, bool):
        raise InvalidData(message("{path} should be true or false", path=path))
    return value
