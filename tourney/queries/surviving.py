"""What is left of the fleets at a table: from the lines that were marked, or as a number that was typed (rule 2.3)."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from fleets.domain.cards import CODES
from fleets.domain.sheet import FLEET, CardLine
from fleets.domain.surviving import left, nearest
from tourney.models import Round
from tourney.queries.fleets import FleetState, fleets_of
from tourney.queries.matches import MatchState
from tourney.queries.slices import EventSlice
from tourney.runtime.messages import Message, message

type Fleets = tuple[FleetState | None, ...]
"""The fleet of each side of a match; None where nothing is known of it."""


@dataclass(frozen=True, slots=True)
class MarkedLine:
    """A line to tap, with its SP; `carries` is what falls with it (rule 2.4)."""

    id: int
    code: str
    title: str
    sp: int
    is_marked: bool
    carries: str | Message = ""


@dataclass(frozen=True, slots=True)
class MarkedShip:
    """A ship to tap, and the cards that go down with it."""

    line: MarkedLine
    cards: tuple[MarkedLine, ...]


@dataclass(frozen=True, slots=True)
class MarkedSheet:
    """A fleet as it lies on the table. `resource` is the one of the whole fleet, which nobody taps (rule 2.4)."""

    ships: tuple[MarkedShip, ...]
    resource: MarkedLine | None
    other: tuple[MarkedLine, ...]
    total: int
    sp_left: int
    is_marked: bool

    @property
    def is_eliminated(self) -> bool:
        """Whether nothing of the fleet is left."""
        return not self.sp_left


def fleets_at(state: EventSlice, match: MatchState) -> Fleets:
    """The fleets of a match, side by side, in one query; None for who brought none, or one without ships.

    Of a closed round they are those that played, whatever was changed since (one query more).
    """
    fleets = fleets_of(state, match.numbers)
    if match.round.state == Round.State.CLOSED:
        for number, data in match.row.seats.sheets("entrant__number"):
            if number in fleets:
                fleets[number].row.data = data
    return of_sides(match, fleets)


def of_sides(match: MatchState, fleets: Mapping[int, FleetState]) -> Fleets:
    """Those of these fleets, by entrant number, that meet in the match."""
    found = (fleets.get(number) for number in match.numbers)
    return tuple(fleet if fleet and fleet.sheet.ships else None for fleet in found)


def marked_sheet(fleet: FleetState, destroyed: Collection[int]) -> MarkedSheet:
    """Rules 2.3, 2.4: the fleet with what was marked, and what that leaves."""
    sheet = fleet.sheet
    spent = {cost.line.id: cost.total for cost in fleet.costs.lines}
    resource = sheet.resource

    def marked(line: CardLine) -> MarkedLine:
        carried = resource if resource and sheet.resource_at == line.id else None
        return MarkedLine(
            id=line.id,
            code=CODES[line.card.kind],
            title=line.card.title,
            sp=spent[line.id],
            is_marked=line.id in destroyed,
            carries=message("with {card}, {sp} SP", card=carried.card.title, sp=spent[carried.id]) if carried else "",
        )

    return MarkedSheet(
        ships=tuple(MarkedShip(marked(ship.line), tuple(map(marked, ship.cards))) for ship in sheet.ships),
        resource=marked(resource) if resource and sheet.resource_at == FLEET else None,
        other=tuple(map(marked, sheet.other)),
        total=fleet.total,
        sp_left=left(sheet, destroyed).sp,
        is_marked=not known_lines(fleet).isdisjoint(destroyed),
    )


def count_destroyed(state: EventSlice, matches: Iterable[MatchState]) -> None:
    """Count what the marks leave at the tables that are still playing, in one query; in none where nobody marked."""
    marked = [match for match in matches if match.state == "playing" and any(match.destroyed)]
    fleets = fleets_of(state, [number for match in marked for number in match.numbers]) if marked else {}
    for match in marked:
        sides = zip(of_sides(match, fleets), match.destroyed, strict=True)
        match.marked = tuple(left(fleet.sheet, lines).sp if fleet else None for fleet, lines in sides)


def known_lines(fleet: FleetState) -> frozenset[int]:
    """What can be marked: every line but the resource, which falls with something else (rule 2.4)."""
    resource = fleet.sheet.resource
    return frozenset(line.id for line in fleet.sheet.lines if line is not resource)


def why_not_left(fleet: FleetState | None, sp: int, name: str) -> Message | None:
    """Rule 2.3: why so much cannot be left of the fleet of `name` in play, empty for the reader's own.

    None if it can, or nobody knows.
    """
    if fleet is None or not fleet.is_seated:
        return None
    below, above = nearest(fleet.sheet, sp)
    if sp in (below, above):
        return None
    if below is None or above is None:
        possible = (above if below is None else below) or 0
        if not name:
            return message(
                "Your fleet can’t have {sp} SP left. Nearest possible: {possible}.", sp=sp, possible=possible
            )
        return message(
            "{player}’s fleet can’t have {sp} SP left. Nearest possible: {possible}.",
            player=name,
            sp=sp,
            possible=possible,
        )
    if not name:
        return message(
            "Your fleet can’t have {sp} SP left. Nearest possible: {below} or {above}.", sp=sp, below=below, above=above
        )
    return message(
        "{player}’s fleet can’t have {sp} SP left. Nearest possible: {below} or {above}.",
        player=name,
        sp=sp,
        below=below,
        above=above,
    )
