"""Changing a sheet, one step at a time; every step gives a new sheet and leaves the old one as it was."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count

from fleets.domain.card_data import HIGHEST_ID, LONGEST, LONGEST_NOTES, MOST_LINES, MOST_SP
from fleets.domain.cards import KIND_WORDS, Card, CardKind
from fleets.domain.sheet import FLEET, CardLine, Sheet, Ship
from tourney.runtime.messages import Message, message

ORDER = tuple(CardKind)
NOT_ON_A_SHIP = {
    CardKind.SHIP: message("A ship can’t be moved onto another ship."),
    CardKind.RESOURCE: message("A resource can’t be moved like a card. Assign it instead."),
}


class CannotEdit(Exception):
    """The step cannot be made on this sheet; `reason` says why, for whoever asked for it."""

    def __init__(self, reason: Message) -> None:
        self.reason = reason
        super().__init__(reason)


def add(sheet: Sheet, card: Card, at: int = FLEET, *, booster: bool = False) -> Sheet:
    """The sheet with one more card: a ship after the others, anything else on the ship `at` (the id of its line).

    A second resource, and at FLEET what needs a ship, stands beside the ships.
    """
    id = _next_id(sheet)
    return replace(_added(sheet, CardLine(id, card, booster=booster), at), last_id=id)


def remove(sheet: Sheet, id: int) -> Sheet:
    """The sheet without that line; a ship takes its cards along, and a resource assigned to them is the fleet's."""
    line_of(sheet, id)
    ships = tuple(
        replace(ship, cards=tuple(line for line in ship.cards if line.id != id))
        for ship in sheet.ships
        if ship.line.id != id
    )
    resource = sheet.resource if sheet.resource and sheet.resource.id != id else None
    other = tuple(line for line in sheet.other if line.id != id)
    return _assigned(replace(sheet, ships=ships, resource=resource, other=other), sheet.resource_at)


def move(sheet: Sheet, id: int, by: int) -> Sheet:
    """A line `by` places down (above 0) or up among those of its kind of place: ships, a ship's cards, the others."""
    line_of(sheet, id)
    if any(ship.line.id == id for ship in sheet.ships):
        return replace(sheet, ships=_moved(sheet.ships, lambda ship: ship.line.id == id, by))
    ships = tuple(replace(ship, cards=_moved(ship.cards, lambda line: line.id == id, by)) for ship in sheet.ships)
    return replace(sheet, ships=ships, other=_moved(sheet.other, lambda line: line.id == id, by))


def transfer(sheet: Sheet, id: int, at: int) -> Sheet:
    """A card taken to another ship, or beside the ships (FLEET), its line the same. Raises CannotEdit."""
    line = line_of(sheet, id)
    if line.card.kind in (CardKind.SHIP, CardKind.RESOURCE):
        raise CannotEdit(NOT_ON_A_SHIP[line.card.kind])
    return _assigned(_added(remove(sheet, id), line, at), sheet.resource_at)


def duplicate(sheet: Sheet, id: int) -> Sheet:
    """The sheet with the same ship and its cards once more, after the first. Raises CannotEdit."""
    ship = next((ship for ship in sheet.ships if ship.line.id == id), None)
    if ship is None:
        raise CannotEdit(message("This ship is no longer in the fleet."))
    ids = count(_next_id(sheet, 1 + len(ship.cards)))
    again = Ship(*(_copy(ship.line, ids), tuple(_copy(line, ids) for line in ship.cards)))
    place = sheet.ships.index(ship) + 1
    return replace(sheet, ships=(*sheet.ships[:place], again, *sheet.ships[place:]), last_id=next(ids) - 1)


def write(sheet: Sheet, id: int, *, cost_by_hand: int | None, note: str, booster: bool) -> Sheet:
    """A line with what somebody wrote on it: another cost (None: the rules count it), a note, from the booster.

    Raises CannotEdit.
    """
    if cost_by_hand is not None and not 0 <= cost_by_hand <= MOST_SP:
        raise CannotEdit(message("Enter a cost from 0 to {limit} SP.", limit=MOST_SP))
    if len(note) > LONGEST or not note.isprintable():
        raise CannotEdit(message("Keep the note to one line of at most {limit} characters.", limit=LONGEST))
    return _with(sheet, id, lambda line: replace(line, cost_by_hand=cost_by_hand, note=note, booster=booster))


def retype(sheet: Sheet, id: int, card: Card) -> Sheet:
    """A line with another card in its place: one typed anew, or as the catalogue has it now. Raises CannotEdit."""
    old = line_of(sheet, id).card
    if old.kind is not card.kind and not {CardKind.SHIP, CardKind.RESOURCE}.isdisjoint((old.kind, card.kind)):
        raise CannotEdit(
            message(
                "This line is for this kind of card: {kind}. {card} isn’t one. Remove the line and add another.",
                kind=KIND_WORDS[old.kind],
                card=card.title,
            )
        )
    return _with(sheet, id, lambda line: replace(line, card=card))


def assign_resource(sheet: Sheet, at: int) -> Sheet:
    """The resource given to the whole fleet (FLEET), to a ship or to a card, by the id of its line.

    Raises CannotEdit.
    """
    if sheet.resource is None:
        raise CannotEdit(message("The fleet has no resource to assign. Add one first."))
    if at != FLEET:
        line_of(sheet, at)
    if at == sheet.resource.id:
        raise CannotEdit(message("A resource can’t be assigned to itself."))
    return replace(sheet, resource_at=at)


def write_notes(sheet: Sheet, notes: str) -> Sheet:
    """The sheet with these notes, which are about no line alone. Raises CannotEdit."""
    if len(notes) > LONGEST_NOTES or not notes.isprintable():
        raise CannotEdit(message("Keep the notes to one line of at most {limit} characters.", limit=LONGEST_NOTES))
    return replace(sheet, notes=notes)


def choose_side(sheet: Sheet, side: str) -> Sheet:
    """The sheet as a fleet of that side (rule 7.17), of none with "". Raises CannotEdit."""
    if side not in ("", *sheet.month.sides):
        raise CannotEdit(message("This month has no such side. Choose one from the list."))
    return replace(sheet, side=side)


def line_of(sheet: Sheet, id: int) -> CardLine:
    """The line of that id. Raises CannotEdit."""
    line = next((line for line in sheet.lines if line.id == id), None)
    if line is None:
        raise CannotEdit(message("This line is no longer in the fleet."))
    return line


def _added(sheet: Sheet, line: CardLine, at: int) -> Sheet:
    kind = line.card.kind
    if kind is CardKind.SHIP:
        return replace(sheet, ships=(*sheet.ships, Ship(line)))
    if kind is CardKind.RESOURCE and sheet.resource is None:
        return replace(sheet, resource=line)
    if at == FLEET or kind is CardKind.RESOURCE:
        return replace(sheet, other=(*sheet.other, line))
    if not any(ship.line.id == at for ship in sheet.ships):
        raise CannotEdit(message("The ship for this card is no longer in the fleet."))
    ships = (replace(ship, cards=_in_order(ship.cards, line)) if ship.line.id == at else ship for ship in sheet.ships)
    return replace(sheet, ships=tuple(ships))


def _in_order(cards: tuple[CardLine, ...], line: CardLine) -> tuple[CardLine, ...]:
    """The line after the last card that stands before it on a sheet: captain, admiral, talents, crew and so on."""
    place = ORDER.index(line.card.kind)
    after = max((n for n, card in enumerate(cards, 1) if ORDER.index(card.card.kind) <= place), default=0)
    return (*cards[:after], line, *cards[after:])


def _with(sheet: Sheet, id: int, change: Callable[[CardLine], CardLine]) -> Sheet:
    line_of(sheet, id)

    def changed(line: CardLine) -> CardLine:
        return change(line) if line.id == id else line

    return replace(
        sheet,
        ships=tuple(Ship(changed(ship.line), tuple(map(changed, ship.cards))) for ship in sheet.ships),
        resource=sheet.resource and changed(sheet.resource),
        other=tuple(map(changed, sheet.other)),
    )


def _assigned(sheet: Sheet, at: int) -> Sheet:
    """The sheet with its resource there, as far as that line is still on it."""
    stays = sheet.resource and any(line.id == at for line in sheet.lines)
    return replace(sheet, resource_at=at if stays else FLEET)


def _moved[T](rows: tuple[T, ...], is_it: Callable[[T], bool], by: int) -> tuple[T, ...]:
    found = next((row for row in rows if is_it(row)), None)
    if found is None:
        return rows
    rest = [row for row in rows if row is not found]
    rest.insert(max(0, rows.index(found) + by), found)
    return tuple(rest)


def _copy(line: CardLine, ids: Iterator[int]) -> CardLine:
    return replace(line, id=next(ids))


def _next_id(sheet: Sheet, room_for: int = 1) -> int:
    if len(sheet.lines) + room_for > MOST_LINES:
        raise CannotEdit(message("A fleet can’t have more than {limit} lines.", limit=MOST_LINES))
    last = max([sheet.last_id, *(line.id for line in sheet.lines)])
    if last + room_for > HIGHEST_ID:
        raise CannotEdit(message("This fleet was changed too many times. Copy it and edit the copy."))
    return last + 1


def renumbered(sheet: Sheet) -> Sheet:
    """The same sheet with its lines numbered from 1, as one begins that nobody has referred to yet."""
    new = {line.id: number for number, line in enumerate(sheet.lines, start=1)}

    def numbered(line: CardLine) -> CardLine:
        return replace(line, id=new[line.id])

    return replace(
        sheet,
        ships=tuple(Ship(numbered(ship.line), tuple(map(numbered, ship.cards))) for ship in sheet.ships),
        resource=sheet.resource and numbered(sheet.resource),
        resource_at=new.get(sheet.resource_at, FLEET),
        other=tuple(map(numbered, sheet.other)),
        last_id=len(new),
    )
