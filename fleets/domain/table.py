"""A fleet as a table in CSV: a row per card, as the grids of the Fleet Build Sheet have them (rule 7.3).

`texts.read_text` reads it again. A cell that a spreadsheet would take for a formula begins with an apostrophe there.
"""

from collections.abc import Iterator

from fleets.domain.cards import CODES
from fleets.domain.cost import costs
from fleets.domain.sheet import CardLine, Sheet
from tourney.runtime.spreadsheets import in_csv

HEADS = ("Type", "Card Title", "Faction", "Cost (SP)", "Place", "Note")


def as_csv(sheet: Sheet, name: str) -> bytes:
    """The table. The name of the fleet is not in it."""
    return in_csv(rows_of(sheet))


def rows_of(sheet: Sheet) -> Iterator[tuple[str, ...]]:
    """The rows with the first one and the total."""
    found = costs(sheet)

    def row(line: CardLine, place: str) -> tuple[str, ...]:
        card, total = line.card, found.of(line.id).total
        return CODES[card.kind], card.title, "/".join(card.factions), str(total), place, line.note

    yield HEADS
    for number, ship in enumerate(sheet.ships, start=1):
        yield from (row(line, f"Ship {number}") for line in ship)
    if sheet.resource:
        yield row(sheet.resource, _resource_place(sheet))
    yield from (row(line, "Other") for line in sheet.other)
    yield "Total", "", "", str(found.total), "", ""


def _resource_place(sheet: Sheet) -> str:
    for number, ship in enumerate(sheet.ships, start=1):
        for place, line in enumerate(ship):
            if line.id == sheet.resource_at:
                return f"Resource on ship {number}, card {place}"
    return "Resource"
