"""A fleet as a picture in SVG: its ships with their cards and costs, the resource, the total and the notes."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from textwrap import wrap

from fleets.domain.cards import CODES
from fleets.domain.cost import Costs, costs
from fleets.domain.sheet import CardLine, Sheet
from tourney.runtime.messages import message

WIDTH, MARGIN, LINE = 800, 32, 28
CODE, TITLE, FACTIONS, COST = MARGIN, MARGIN + 56, 620, WIDTH - MARGIN
ROOM = FACTIONS - TITLE - 12
SIZE, NAME_SIZE = 18, 28
LETTERS, LETTERS_OF_NOTES = 56, 76
WIDE, NARROW = 0.95, 0.62
INK, PALE, RULE, PAPER = "#16202c", "#4a5968", "#c3ccd6", "#ffffff"


@dataclass(frozen=True, slots=True)
class PictureLine:
    """A line of the picture: what stands in its columns, and how."""

    title: str
    code: str = ""
    factions: str = ""
    cost: str = ""
    is_head: bool = False
    size: int = SIZE
    room: int = ROOM


def as_svg(sheet: Sheet, name: str) -> bytes:
    """The picture."""
    rows = list(_rows(sheet, costs(sheet), name))
    height = 2 * MARGIN + LINE * len(rows)
    drawn = "".join(_drawn(row, MARGIN + LINE * number) for number, row in enumerate(rows, start=1))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
        f' font-family="system-ui, Helvetica, Arial, sans-serif" fill="{INK}"><title>{escape(name)}</title>'
        f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>{drawn}</svg>'
    ).encode()


def _rows(sheet: Sheet, found: Costs, name: str) -> Iterator[PictureLine]:
    for part in wrap(name, LETTERS // 2) or [name]:
        yield PictureLine(part, size=NAME_SIZE, room=WIDTH - 2 * MARGIN)
    for number, (ship, total) in enumerate(zip(sheet.ships, found.ships, strict=True), start=1):
        yield PictureLine("")
        yield PictureLine(str(message("Ship {number}", number=number)), cost=f"{total} SP", is_head=True)
        for line in ship:
            yield from _card(line, found)
    if sheet.resource or sheet.other:
        yield PictureLine("")
        yield PictureLine(
            str(message("Resource and other cards")), cost=f"{found.resource + found.other} SP", is_head=True
        )
        for line in (*((sheet.resource,) if sheet.resource else ()), *sheet.other):
            yield from _card(line, found)
    yield PictureLine("")
    yield PictureLine(str(message("Total")), cost=f"{found.total} SP", is_head=True)
    for part in wrap(sheet.notes, LETTERS_OF_NOTES):
        yield PictureLine(part, room=WIDTH - 2 * MARGIN)


def _card(line: CardLine, found: Costs) -> Iterator[PictureLine]:
    """A card, whose title may need several lines; what stands by hand says so (rule 7.15)."""
    title = str(message("{card} (by hand)", card=line.card.title)) if line.by_hand else line.card.title
    first, *more = wrap(title, LETTERS) or [""]
    yield PictureLine(first, CODES[line.card.kind], " ".join(line.card.factions[:2]), str(found.of(line.id).total))
    yield from (PictureLine(part) for part in more)


def _drawn(row: PictureLine, y: int) -> str:
    is_wide = row.room > ROOM
    x = MARGIN if row.is_head or is_wide else TITLE
    weight = ' font-weight="700"' if row.is_head or row.size != SIZE else ""
    width = sum(WIDE if one.isupper() or ord(one) > 0x2FF else NARROW for one in row.title) * row.size
    squeezed = f' textLength="{row.room}" lengthAdjust="spacingAndGlyphs"' if width > row.room else ""
    said = f'<text x="{x}" y="{y}" font-size="{row.size}"{weight}{squeezed}>{escape(row.title)}</text>'
    rule = f'<path d="M{MARGIN} {y + 8}H{COST}" stroke="{RULE}"/>' if row.is_head else ""
    code = f'<text x="{CODE}" y="{y}" font-size="15" fill="{PALE}">{row.code}</text>' if row.code else ""
    factions = f'<text x="{FACTIONS}" y="{y}" font-size="15" fill="{PALE}">{row.factions}</text>'
    cost = f'<text x="{COST}" y="{y}" font-size="{SIZE}"{weight} text-anchor="end">{row.cost}</text>'
    return rule + code + said + (factions if row.factions else "") + (cost if row.cost else "")
