"""What the readers of fleets from elsewhere share: which card is meant, and what came of it."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from heapq import nsmallest

from fleets.domain.cards import Card, CardKind
from fleets.domain.cost import costs, line_cost
from fleets.domain.sheet import CardLine, Sheet, Ship
from tourney.runtime.messages import Message, Param, message

MOST_LINES = 200
LONGEST = 120
LONGEST_NAME = 80
MOST_TRIED = 50
"""Of how many cards of one title the cost is tried: twice as many as the public catalogue has of any."""
UNNAMED = "Fleet"
FLEET_TOTAL = message("Fleet total")


class NotAFleet(Exception):
    """What somebody gave us cannot be read as fleets; the message says what is wrong with it and what to do."""


@dataclass(frozen=True, slots=True)
class Incoming:
    """A fleet from elsewhere.

    `not_recognised` names what is no card of the catalogue and stands there by hand, `skipped` what stands nowhere on
    the sheet; `differences` are sentences about costs and cards that are others there than here.
    """

    name: str
    sheet: Sheet
    not_recognised: tuple[str, ...] = ()
    skipped: tuple[str | Message, ...] = ()
    differences: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Wanted:
    """The card that somebody means, by what they say of it.

    `kind` is None where it may be any; `cost` is in SP, all told where the card goes on a `ship` (as it is so far).
    """

    title: str = ""
    key: str = ""
    kind: CardKind | None = None
    cost: int | None = None
    ship_class: str = ""
    ship: Ship | None = None


type CardLookup = Callable[[Wanted], Card | None]
"""The card that is meant, None for what the catalogue does not have."""

type Find = Callable[[Collection[str], Collection[str]], Iterable[Card]]
"""The cards of the catalogue with one of these keys or one of these titles, as `spelled` spells them; in any order."""


class KnownCards:
    """A CardLookup among some cards: the one of that key, else the one of that title and kind that fits best."""

    def __init__(self, cards: Iterable[Card]) -> None:
        self._by_key: dict[str, Card] = {}
        self._by_title: dict[str, list[Card]] = defaultdict(list)
        for card in cards:
            self._by_key[card.key] = card
            self._by_title[spelled(card.title)].append(card)

    def __call__(self, wanted: Wanted) -> Card | None:
        if wanted.key and wanted.key in self._by_key:
            return self._by_key[wanted.key]
        same = [one for one in self._by_title.get(spelled(wanted.title), ()) if wanted.kind in {None, one.kind}]
        if wanted.ship_class:
            same = [one for one in same if spelled(one.ship_class) == spelled(wanted.ship_class)]
        tried = nsmallest(MOST_TRIED, same, key=lambda one: (one.cost != wanted.cost, one.key))
        return min(tried, key=lambda one: _misfit(one, wanted), default=None)


def _misfit(card: Card, wanted: Wanted) -> tuple[bool, bool, str]:
    """The less of it, the better the card fits: first what it would cost there (rule 7.7), then what is printed."""
    if wanted.cost is None:
        return True, True, card.key
    line = CardLine(1, card)
    there = wanted.ship and replace(wanted.ship, cards=(*wanted.ship.cards, line))
    return line_cost(line, there).total != wanted.cost, card.cost != wanted.cost, card.key


class RecordingLookup:
    """A CardLookup that finds nothing and remembers what it was asked for."""

    def __init__(self) -> None:
        self.keys: set[str] = set()
        self.titles: set[str] = set()

    def __call__(self, wanted: Wanted) -> None:
        self.keys |= {wanted.key} - {""}
        self.titles |= {spelled(wanted.title)} - {""}


def spelled(title: str) -> str:
    """The title as titles are compared: in small letters, with straight apostrophes."""
    return title.lower().replace("’", "'").replace("‘", "'")


def one_line(text: object, longest: int = LONGEST) -> str:
    """The text in one line without anything that cannot be printed; empty for what is no text."""
    if not isinstance(text, str):
        return ""
    printable = "".join(one if one.isprintable() else " " for one in text[: 4 * longest])
    return " ".join(printable.split())[:longest].rstrip()


def differing_costs(sheet: Sheet, stated: Mapping[int, int], *, kept: bool) -> tuple[Message, ...]:
    """Sentences about the lines whose cost in SP is stated (by line) and another than the rules make of it.

    `kept` says which of the two counts on the sheet: the stated one, or ours.
    """
    by_rules = {cost.line.id: cost for cost in costs(without_costs_by_hand(sheet)).lines}
    return tuple(
        _differing_cost(line.line.card.title, stated[id], line.total, kept=kept)
        for id, line in by_rules.items()
        if line.line.card.key and stated.get(id, line.total) != line.total
    )


def _differing_cost(card: str, stated: int, ours: int, *, kept: bool) -> Message:
    facts: dict[str, Param] = {"card": card, "stated": stated, "ours": ours}
    if kept:
        return message("{card}: {stated} SP as imported, {ours} SP by the rules. Kept at {stated} SP.", **facts)
    return message("{card}: {stated} SP as imported, {ours} SP by the rules. Counted as {ours} SP.", **facts)


def differing_total(what: str | Message, stated: int | None, ours: int) -> tuple[Message, ...]:
    """The sentence about a total in SP that is stated and another than ours."""
    if stated is None or stated == ours:
        return ()
    return (message("{total}: {stated} SP as imported, {ours} SP here.", total=what, stated=stated, ours=ours),)


def without_costs_by_hand(sheet: Sheet) -> Sheet:
    """The sheet as the rules alone count it."""
    return _each_line(sheet, lambda line: replace(line, cost_by_hand=None))


def _each_line(sheet: Sheet, change: Callable[[CardLine], CardLine]) -> Sheet:
    return replace(
        sheet,
        ships=tuple(Ship(change(ship.line), tuple(map(change, ship.cards))) for ship in sheet.ships),
        resource=sheet.resource and change(sheet.resource),
        other=tuple(map(change, sheet.other)),
    )


def at_costs(sheet: Sheet, asked: Mapping[int, int], *, note: str) -> Sheet:
    """The sheet with these costs (SP by line) by hand, with the note, wherever we would count another one."""
    other = {cost.line.id for cost in costs(sheet).lines if asked.get(cost.line.id, cost.total) != cost.total}

    def as_asked(line: CardLine) -> CardLine:
        return replace(line, cost_by_hand=asked[line.id], note=line.note or note) if line.id in other else line

    return _each_line(sheet, as_asked)


def in_place(sheet: Sheet) -> Sheet:
    """The sheet with cards by hand wherever a card is none of the kinds that can stand there: ship, resource, other."""
    return replace(
        sheet,
        ships=tuple(Ship(_only(ship.line, CardKind.SHIP), tuple(map(_no_ship, ship.cards))) for ship in sheet.ships),
        resource=sheet.resource and _only(sheet.resource, CardKind.RESOURCE),
        other=tuple(map(_no_ship, sheet.other)),
    )


def _only(line: CardLine, kind: CardKind) -> CardLine:
    return line if line.card.kind is kind else replace(line, card=_by_hand(line.card, kind))


def _no_ship(line: CardLine) -> CardLine:
    return replace(line, card=_by_hand(line.card, CardKind.OTHER)) if line.card.kind is CardKind.SHIP else line


def _by_hand(card: Card, kind: CardKind) -> Card:
    return Card(kind, card.title, card.factions, card.cost)
