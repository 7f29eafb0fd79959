"""What the builder shows: lines with their sums and what is wrong with them, slots, cards found while typing."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from fleets.catalogue import CardFilter, search, suggest
from fleets.domain.as_built import ship_factions
from fleets.domain.card_rules import not_checked
from fleets.domain.cards import CODES, FACTIONS, KIND_LABELS, KIND_WORDS, UPGRADES, Card, CardKind
from fleets.domain.cost import LineCost, costs
from fleets.domain.finding import rank
from fleets.domain.legality import Violation, takes_no_captain, violations
from fleets.domain.month_checks import NEW, why_not_this_month
from fleets.domain.sheet import FLEET, CardLine, Sheet, Ship
from fleets.domain.slots import in_slots, slots_with_resource
from fleets.models import CatalogueCard
from tourney.queries.fleets import EVERYTHING_GOES, FleetState, most_used
from tourney.runtime.locales import written
from tourney.runtime.messages import Message, message

ALREADY_THERE = message("Unique – already in your fleet.")


@dataclass(frozen=True, slots=True)
class LineView:
    """A line: its cost as a sum, what is wrong with it, and the card as the catalogue has it now if that differs.

    `by_rules` is what the rules make of it in SP, where another cost stands by hand.
    """

    line: CardLine
    cost: LineCost
    wrong: tuple[Violation, ...]
    newer: Card | None = None
    by_rules: int | None = None

    @property
    def card(self) -> Card:
        """The card of the line."""
        return self.line.card

    @property
    def code(self) -> str:
        """The code of the card's kind on the Fleet Build Sheet."""
        return CODES[self.line.card.kind]

    @property
    def factions(self) -> tuple[str, ...]:
        """The names of the card's factions."""
        return names_of_factions(self.line.card)

    @property
    def is_sum(self) -> bool:
        """Whether the cost is more than one term."""
        return len(self.cost.parts) > 1


@dataclass(frozen=True, slots=True)
class Slot:
    """How many cards of a kind a ship has, and room for."""

    kind: CardKind
    label: Message
    used: int
    room: int

    @property
    def is_free(self) -> bool:
        """Whether another card has room."""
        return self.used < self.room


@dataclass(frozen=True, slots=True)
class ShipView:
    """A ship with its cards, its total in SP and its slots."""

    head: LineView
    cards: tuple[LineView, ...]
    total: int
    slots: tuple[Slot, ...]
    is_first: bool
    is_last: bool

    @property
    def id(self) -> int:
        """The id of the ship's own line."""
        return self.head.line.id


@dataclass(frozen=True, slots=True)
class CardOffer:
    """A card of the catalogue as it would stand there: its cost as a sum, and what speaks against it.

    `is_meant` is false where a cost was typed that is neither printed on it nor what it would cost there.
    """

    card: Card
    cost: LineCost
    against: Message | str
    released: date | None = None
    is_meant: bool = True

    @property
    def facts(self) -> str:
        """What tells it from others of its name: class or skill, whether it is unique, when it was released."""
        skill = str(message("Skill {number}", number=self.card.skill)) if self.card.skill else ""
        unique = str(message("unique")) if self.card.unique and self.card.kind is not CardKind.SHIP else ""
        released = written(self.released, "month") if self.released else ""
        return " · ".join(fact for fact in (self.card.ship_class, skill, unique, released) if fact)

    @property
    def code(self) -> str:
        """The code of the card's kind on the Fleet Build Sheet."""
        return CODES[self.card.kind]

    @property
    def factions(self) -> tuple[str, ...]:
        """The names of the card's factions."""
        return names_of_factions(self.card)

    @property
    def not_checked(self) -> tuple[str | Message, ...]:
        """What the card says about building that a person has to check."""
        return not_checked(self.card)

    @property
    def label(self) -> Message:
        """The card's kind in words."""
        return KIND_LABELS[self.card.kind]


@dataclass(frozen=True, slots=True)
class CardWish:
    """What somebody wants to find: of a faction (its code), a cost in SP, a set; `own` are the sets of the player.

    Empty texts, None and no sets leave everything.
    """

    faction: str = ""
    cost: int | None = None
    set: str = ""
    own: tuple[str, ...] = ()

    def narrowed_to(self, kinds: Sequence[CardKind], home: Sequence[str] = ()) -> CardFilter:
        """The cards of these kinds; of the factions at home, where no faction is asked for."""
        sets = (self.set,) if self.set else self.own or None
        return CardFilter(kinds, (self.faction,) if self.faction else home, sets, self.cost)

    @property
    def asked(self) -> dict[str, str]:
        """As an address asks for it."""
        facts = {"faction": self.faction, "cost": "" if self.cost is None else str(self.cost), "set": self.set}
        return {name: value for name, value in facts.items() if value}


@dataclass(frozen=True, slots=True)
class Adding:
    """The open panel: for which ship (id, or FLEET), which kind ("" for any), what was typed, what was found.

    `title` and `sp` are the typed text without and with a cost at its end: "Darts 5".
    """

    at: int
    ship: Card | None
    kind: str
    text: str
    title: str
    sp: int | None
    found: tuple[CardOffer, ...]
    kinds: tuple[Slot, ...]
    wish: CardWish

    @property
    def kind_word(self) -> Message | str:
        """The kind that is looked for, as a sentence names it; empty for any."""
        return KIND_WORDS[CardKind(self.kind)] if self.kind else ""

    @property
    def is_beside(self) -> bool:
        """Whether it is for the resource or a card beside the ships, so that the panel opens there."""
        return self.ship is None and self.kind not in ("", CardKind.SHIP)


def ships_of(state: FleetState, newer: Mapping[int, Card]) -> list[ShipView]:
    """The ships as the builder shows them, with the lines that the catalogue has otherwise now."""
    ships = state.sheet.ships
    return [
        ShipView(
            head=line_view(state, ship.line, newer),
            cards=tuple(line_view(state, line, newer) for line in ship.cards),
            total=total,
            slots=slots_view(ship, state.sheet),
            is_first=ship is ships[0],
            is_last=ship is ships[-1],
        )
        for ship, total in zip(ships, state.costs.ships, strict=True)
    ]


def line_view(state: FleetState, line: CardLine, newer: Mapping[int, Card]) -> LineView:
    """A line of the fleet with its cost and its violations."""
    wrong = tuple(violation for violation in state.violations if violation.line == line.id)
    by_rules = None if line.cost_by_hand is None else state.costs_by_rules.of(line.id).total
    return LineView(line, state.costs.of(line.id), wrong, newer.get(line.id), by_rules)


def slots_view(ship: Ship, sheet: Sheet) -> tuple[Slot, ...]:
    """Rule 7.10: captain and upgrades, used and free; nobody knows the slots of a ship typed by hand."""
    captains = [line for line in ship.cards if line.card.kind is CardKind.CAPTAIN]
    room, used = slots_with_resource(ship, sheet), Counter(line.card.kind for line in (*captains, *in_slots(ship)))
    if not takes_no_captain(ship.card):
        room[CardKind.CAPTAIN] = 1
    kinds = [kind for kind in CardKind if kind is CardKind.CAPTAIN or kind in UPGRADES]
    return tuple(Slot(kind, KIND_LABELS[kind], used[kind], room[kind]) for kind in kinds if room[kind] or used[kind])


def names_of_factions(card: Card) -> tuple[str, ...]:
    """The names of the card's factions."""
    return tuple(FACTIONS[code] for code in card.factions)


def adding(state: FleetState, at: int, kind: str, text: str, wish: CardWish) -> Adding:
    """The panel for adding a card there."""
    ship = next((ship for ship in state.sheet.ships if ship.line.id == at), None)
    kind = kind if kind in set(CardKind) else ""
    title, sp = split(text)
    kinds = slots_view(ship, state.sheet) if ship else ()
    return Adding(
        at=at if ship else FLEET,
        ship=ship.card if ship else None,
        kind=kind,
        text=text,
        title=title,
        sp=sp,
        found=tuple(_found(state, ship, kind, text, kinds, wish)),
        kinds=kinds,
        wish=wish,
    )


def split(text: str) -> tuple[str, int | None]:
    """ "Darts 5" is the title and its cost in SP; brackets around the cost are welcome."""
    text = " ".join(text.replace("\0", " ").split())
    match = re.fullmatch(r"(?P<title>.*\S)\s+[\[(]?(?P<sp>[0-9]{1,3})[\])]?", text)
    return (match["title"], int(match["sp"])) if match else (text, None)


def _found(
    state: FleetState, ship: Ship | None, kind: str, text: str, slots: Sequence[Slot], wish: CardWish
) -> list[CardOffer]:
    """What the text finds, what fits best first; a number at its end that is in no title is a cost.

    Best is what has that cost, then a title that begins like the text, then what may stand there, then the lowest
    penalty. Without a text, what is built most of what has a free slot.
    """
    sheet = state.sheet
    kinds = [CardKind(kind)] if kind else []
    title, sp = split(text)
    taken = {line.card.title.casefold() for line in sheet.lines if line.card.unique or line.card.mirror_unique}
    if not title:
        kinds = kinds or [slot.kind for slot in slots if slot.is_free]
        rows = suggest(wish.narrowed_to(kinds, _home(ship)), most_used(state.row.player)) if kinds else []
        return sorted((_tried(sheet, ship, row, taken, None) for row in rows), key=lambda one: bool(one.against))
    rows, sp = _rows(text, title, sp, wish.narrowed_to(kinds))
    found = [_tried(sheet, ship, row, taken, sp) for row in rows]
    return sorted(
        found,
        key=lambda one: (
            not one.is_meant,
            rank(title, one.card.title) > 0,
            bool(one.against),
            one.cost.total - one.card.cost,
        ),
    )


def _rows(text: str, title: str, sp: int | None, of: CardFilter) -> tuple[list[CatalogueCard], int | None]:
    """The cards that the text finds, or else its title with that cost; near ones where neither finds any."""
    for near in (False, True):
        if rows := search(text, of, near=near):
            return rows, None
        if sp is not None and (rows := search(title, of, near=near)):
            return rows, sp
    return [], sp


def _home(ship: Ship | None) -> tuple[str, ...]:
    return ship_factions(ship) if ship else ()


def _tried(sheet: Sheet, ship: Ship | None, row: CatalogueCard, taken: set[str], sp: int | None) -> CardOffer:
    card = row.card
    line = CardLine(NEW, card)
    against: list[str | Message] = list(why_not_this_month(sheet, card, ship))
    against += [ALREADY_THERE] if card.unique and card.title.casefold() in taken else []
    tried = (
        replace(ship, cards=(*ship.cards, line))
        if ship and card.kind not in (CardKind.SHIP, CardKind.RESOURCE)
        else None
    )
    if tried:
        wrong = violations(Sheet((tried,)), EVERYTHING_GOES, date.min)
        against += [one.sentence for one in wrong if one.line == NEW]
    alone = Ship(line) if card.kind is CardKind.SHIP else tried
    there = replace(sheet, ships=(alone,)) if alone else replace(sheet, other=(*sheet.other, line))
    cost = costs(there).of(NEW)
    is_meant = sp is None or sp in (cost.total, card.cost)
    return CardOffer(card, cost, next(iter(against), ""), row.released, is_meant)
