"""The Fleet Build Sheet as it is printed and shown (rule 7.3): filled from a sheet, or empty to be written by hand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from fleets.domain.allowed import NO_RULINGS, Rulings
from fleets.domain.cards import CODES, FACTIONS, KIND_LABELS, CardKind
from fleets.domain.cost import LineCost, costs
from fleets.domain.sheet import FLEET, Sheet
from tourney.runtime.messages import Message, message

SHIPS_PER_PAGE = 4
BLANK_ROWS = 12
BLANK_OTHERS = 2
TYPES = tuple((code, KIND_LABELS[kind]) for kind, code in CODES.items() if code and kind is not CardKind.SHIP)


@dataclass(frozen=True, slots=True)
class CardRow:
    """One line of a grid. `factions` are codes, `cost` is in SP; an empty row has neither."""

    code: str = ""
    title: str = ""
    factions: tuple[str, ...] = ()
    cost: int | None = None
    by_hand: bool = False
    note: str | Message = ""
    allowed: str = ""
    not_checked: tuple[str | Message, ...] = ()


@dataclass(frozen=True, slots=True)
class ShipGrid:
    """The cards of one ship, itself first; `total` in SP is without the resource, None on an empty sheet."""

    number: int
    rows: tuple[CardRow, ...]
    total: int | None = None

    @property
    def title(self) -> str:
        """The ship's name, from the first row."""
        return self.rows[0].title


@dataclass(frozen=True, slots=True)
class Total:
    """One box of the totals, in SP."""

    label: Message
    points: int | None = None


@dataclass(frozen=True, slots=True)
class BeforeRow:
    """Before Battle Starts: whom the player meets, and that this opponent has seen the fleet."""

    round: int
    opponent: str = ""
    initials: str = ""


@dataclass(frozen=True, slots=True)
class AfterRow:
    """After Battle Ends: "W", "L" or "B" (a bye), the points of the round, Fleet Points so far, and who confirms it."""

    round: int
    result: str = ""
    battle_points: int | None = None
    fleet_points: int | None = None
    cumulative: int | None = None
    initials: str = ""


@dataclass(frozen=True, slots=True)
class BuildSheet:
    """Everything on the page. `resource_at` is the title of what the resource is assigned to, empty for the fleet."""

    date: date | None
    event: str
    faction: str
    name: str
    ships: tuple[ShipGrid, ...]
    resource: CardRow
    resource_at: str
    other: tuple[CardRow, ...]
    totals: tuple[Total, ...]
    notes: tuple[str | Message, ...]
    before: tuple[BeforeRow, ...]
    after: tuple[AfterRow, ...]
    is_blank: bool = False

    @property
    def pages(self) -> tuple[tuple[ShipGrid, ...], ...]:
        """The ships of the page, and of each page that continues it; at least one page."""
        starts = range(0, max(len(self.ships), 1), SHIPS_PER_PAGE)
        return tuple(self.ships[start : start + SHIPS_PER_PAGE] for start in starts)

    @property
    def is_short(self) -> bool:
        """Whether two ships stand on it at most, so that it can be set large."""
        return len(self.ships) <= SHIPS_PER_PAGE // 2

    @property
    def legend(self) -> tuple[tuple[tuple[str, str | Message], ...], ...]:
        """Codes with their meanings, of types (rule 7.3) and of factions (rule 7.4).

        On an empty sheet all of them, for who writes by hand; on a filled one those that stand on it.
        """
        all_codes: tuple[tuple[tuple[str, str | Message], ...], ...] = (TYPES, tuple(FACTIONS.items()))
        if self.is_blank:
            return all_codes
        rows = [row for ship in self.ships for row in ship.rows] + [self.resource, *self.other]
        used = {row.code for row in rows}.union(*(row.factions for row in rows))
        found = (tuple(line for line in codes if line[0] in used) for codes in all_codes)
        return tuple(codes for codes in found if codes)


def build_sheet(
    sheet: Sheet,
    *,
    date: date,
    event: str,
    faction: str,
    name: str,
    rulings: Rulings = NO_RULINGS,
    notes: str = "",
    rounds: int = 0,
    before: Iterable[BeforeRow] = (),
    after: Iterable[AfterRow] = (),
) -> BuildSheet:
    """The page of a fleet. `faction` is a display name; rounds without a row in `before` or `after` stay empty.

    Rulings (rule 7.15) stand at their line, those about the whole fleet among the notes.
    """
    found = costs(sheet)
    rows = {cost.line.id: _row(cost, _allowed(rulings, cost.line.id)) for cost in found.lines}
    of_all, side = _allowed(rulings, 0), sheet.side_in_play
    all_notes = (
        message("Side: {side}.", side=side) if side else "",
        sheet.notes,
        notes,
        message("Allowed: {reason}.", reason=of_all) if of_all else "",
    )
    seen, confirmed = {row.round: row for row in before}, {row.round: row for row in after}
    numbers = sorted({*range(1, rounds + 1), *seen, *confirmed})
    return BuildSheet(
        date=date,
        event=event,
        faction=faction,
        name=name,
        ships=tuple(
            ShipGrid(number, tuple(rows[line.id] for line in ship), total)
            for number, (ship, total) in enumerate(zip(sheet.ships, found.ships, strict=True), start=1)
        ),
        resource=rows[sheet.resource.id] if sheet.resource else CardRow(),
        resource_at=_assigned(sheet),
        other=tuple(rows[line.id] for line in sheet.other),
        totals=_totals(found.ships, found.resource, found.other, found.total),
        notes=tuple(note for note in all_notes if note),
        before=tuple(seen.get(number, BeforeRow(number)) for number in numbers),
        after=tuple(confirmed.get(number, AfterRow(number)) for number in numbers),
    )


def blank(*, date: date | None, event: str, rounds: int, faction: str = "", name: str = "") -> BuildSheet:
    """An empty page for that many rounds, to be written by hand; of somebody, if there is a name."""
    return BuildSheet(
        date=date,
        event=event,
        faction=faction,
        name=name,
        ships=tuple(ShipGrid(number, (CardRow(),) * BLANK_ROWS) for number in range(1, SHIPS_PER_PAGE + 1)),
        resource=CardRow(),
        resource_at="",
        other=(CardRow(),) * BLANK_OTHERS,
        totals=_totals([None] * SHIPS_PER_PAGE, None, None, None),
        notes=(),
        before=tuple(BeforeRow(number) for number in range(1, rounds + 1)),
        after=tuple(AfterRow(number) for number in range(1, rounds + 1)),
        is_blank=True,
    )


def _allowed(rulings: Rulings, line: int) -> str:
    return ", ".join(reason for (_, at, _), reason in rulings.items() if at == line)


def _row(cost: LineCost, allowed: str) -> CardRow:
    line = cost.line
    return CardRow(
        code=CODES[line.card.kind],
        title=line.card.title,
        factions=line.card.factions,
        cost=cost.total,
        by_hand=line.by_hand,
        note=line.note_said,
        allowed=allowed,
        not_checked=line.not_checked,
    )


def _assigned(sheet: Sheet) -> str:
    if sheet.resource is None or sheet.resource_at == FLEET:
        return ""
    return next((line.card.title for line in sheet.lines if line.id == sheet.resource_at), "")


def _totals(
    ships: Sequence[int | None], resource: int | None, other: int | None, total: int | None
) -> tuple[Total, ...]:
    of_ships = (Total(message("Ship {number}", number=number), points) for number, points in enumerate(ships, start=1))
    return (
        *of_ships,
        Total(message("Resource"), resource),
        Total(message("Other"), other),
        Total(message("Total"), total),
    )
