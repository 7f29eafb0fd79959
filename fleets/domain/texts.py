"""Fleets as lines of text: ours to copy and share, and what other builders or people paste.

    Kestrel [20]                     a ship
    - Captain Vor [3] Cap            a card on it, with or without the type code of rule 7.3
    Ship Total [23]                  totals are skipped, ours are computed
    Resource: Command Tokens [5]     also as a heading with the resource in the next line

Costs stand in square or round brackets. What begins with a dash or a bullet, or is indented, belongs to the ship
above it; so does any line whose card is known and is no ship, so that plain lists work too.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count

from fleets.domain.cards import CODES, Card, Kind
from fleets.domain.cost import costs, line_cost
from fleets.domain.sheet import FLEET, Line, Sheet, Ship

MOST_CHARACTERS = 20_000
MOST_LINES = 200
LONGEST = 120
TOTAL = re.compile(r"(ship|fleet|squadron|grand|sp)?\s*(total|subtotal|cost)\b.*", re.IGNORECASE)
RESOURCE = re.compile(r"resources?\s*:?\s*(?P<rest>.*)", re.IGNORECASE)
OTHER = re.compile(r"other\s*:\s*(?P<rest>.*)", re.IGNORECASE)
ITEM = re.compile(r"(?P<title>.*?)\s*(?:[\[(]\s*(?P<cost>\d{1,3})\s*(?:SP|pts?)?\s*[\])]\s*(?P<code>[A-Za-z]{0,4}))?")
MARKS = "-–—*•·"
KIND_OF = {code: kind for kind, code in CODES.items() if code}

type Find = Callable[[str, int | None], Card | None]
"""The card of the catalogue with that title, the one of that cost (in SP) if there are several."""


class NotAText(Exception):
    """The text cannot be a fleet; the text of the exception says why."""


@dataclass(frozen=True, slots=True)
class Pasted:
    """A fleet from text; `not_recognised` are the lines that are no card of the catalogue and stand there by hand."""

    sheet: Sheet
    not_recognised: tuple[str, ...] = ()


def as_text(sheet: Sheet, name: str) -> str:
    """The fleet with its costs, as `read_text` reads it again."""
    return "\n".join(_lines(sheet, name))


def read_text(text: str, find: Find) -> Pasted:
    """The fleet in lines of text. Raises NotAText."""
    if len(text) > MOST_CHARACTERS:
        raise NotAText(f"The text is longer than {MOST_CHARACTERS:,} characters, which no fleet is.")
    pasting = _Pasting(find)
    for line in text.splitlines():
        pasting.take(line)
    if not pasting.lines:
        raise NotAText("There is no card in the text. Paste one card per line, its cost in brackets: Kestrel [20].")
    return Pasted(pasting.sheet(), tuple(pasting.not_recognised))


def _lines(sheet: Sheet, name: str) -> Iterator[str]:
    found = costs(sheet)
    yield name
    for ship, total in zip(sheet.ships, found.ships, strict=True):
        yield ""
        yield _item(ship.line.card, line_cost(ship.line, ship).total)
        for line in ship.cards:
            code = CODES[line.card.kind]
            yield f"- {_item(line.card, line_cost(line, ship).total)}{f' {code}' if code else ''}"
        yield f"Ship Total [{total}]"
    yield ""
    if sheet.resource:
        yield f"Resource: {_item(sheet.resource.card, found.resource)}"
    for line in sheet.other:
        yield f"Other: {_item(line.card, line_cost(line).total)}"
    yield f"Fleet Total [{found.total}]"


def _item(card: Card, cost: int) -> str:
    return f"{card.title} [{cost}]"


class _Pasting:
    """The fleet as it grows line by line."""

    def __init__(self, find: Find) -> None:
        self._find = find
        self._ids = count(1)
        self._ships: list[tuple[Line, list[Line]]] = []
        self._resource: Line | None = None
        self._other: list[Line] = []
        self._resource_is_next = False
        self._asked: dict[int, int] = {}
        self.not_recognised: list[str] = []

    @property
    def lines(self) -> int:
        return sum(1 + len(cards) for _, cards in self._ships) + len(self._other) + (self._resource is not None)

    def take(self, text: str) -> None:
        """One line of the text."""
        printable = "".join(one if one.isprintable() else " " for one in text)
        is_marked = printable[:1] == " " or printable[:1] in MARKS
        plain = " ".join(printable.strip().lstrip(MARKS).split())
        if not plain or TOTAL.fullmatch(plain):
            return
        if match := RESOURCE.fullmatch(plain):
            self._resource_is_next = not match["rest"]
            if match["rest"]:
                self._resource = self._line(match["rest"], Kind.RESOURCE)
        elif match := OTHER.fullmatch(plain):
            self._other += [self._line(match["rest"], Kind.OTHER)] if match["rest"] else []
        elif self._resource_is_next:
            self._resource, self._resource_is_next = self._line(plain, Kind.RESOURCE), False
        else:
            self._take_card(plain, is_marked)

    def _take_card(self, plain: str, is_marked: bool) -> None:
        match = ITEM.fullmatch(plain)
        title, cost, code = (match["title"], match["cost"], match["code"]) if match else (plain, None, None)
        known = self._find(title, cost and int(cost))
        if known is None and cost is None and not is_marked and not self._ships:
            return  # the name of the fleet, or a heading
        kind = KIND_OF.get(code or "", Kind.OTHER if is_marked or not cost else Kind.SHIP)
        line = self._line(plain, kind)
        if line.card.kind is Kind.SHIP:
            self._ships.append((line, []))
        elif line.card.kind is Kind.RESOURCE:
            self._resource = line
        elif self._ships:
            self._ships[-1][1].append(line)
        else:
            self._other.append(line)

    def _line(self, plain: str, kind: Kind) -> Line:
        match = ITEM.fullmatch(plain)
        title = (match["title"] if match else plain)[:LONGEST] or plain[:LONGEST]
        cost = int(match["cost"]) if match and match["cost"] else None
        card = self._find(title, cost)
        if card is None:
            self.not_recognised.append(title)
            card = Card(kind, title, cost=cost or 0)
        line = Line(next(self._ids), card)
        if line.id > MOST_LINES:
            raise NotAText(f"The text has more than {MOST_LINES} cards, which no fleet has.")
        if cost is not None:
            self._asked[line.id] = cost
        return line

    def sheet(self) -> Sheet:
        """The fleet; where we would count another cost than the text says, that of the text stands by hand."""
        ships = tuple(Ship(line, tuple(cards)) for line, cards in self._ships)
        sheet = Sheet(ships, self._resource, FLEET, tuple(self._other))
        computed = {cost.line.id: cost.total for cost in costs(sheet).lines}
        other = {id for id, cost in self._asked.items() if computed.get(id) != cost}

        def as_asked(line: Line) -> Line:
            return replace(line, cost_by_hand=self._asked[line.id], note="pasted so") if line.id in other else line

        return Sheet(
            tuple(Ship(as_asked(ship.line), tuple(map(as_asked, ship.cards))) for ship in ships),
            self._resource and as_asked(self._resource),
            FLEET,
            tuple(map(as_asked, self._other)),
        )
