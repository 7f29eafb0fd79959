"""The poster drawn: the night sky with the title, the months, the announcement at the foot."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tourney.printing.domain.poster import ink
from tourney.printing.domain.poster.content import Poster, PosterMonth, PosterName
from tourney.printing.domain.poster.drawing import Drawing, FactionEmblem, Logo, Rectangle, Room, Rule, Text
from tourney.printing.domain.poster.paper import EDGE, Paper
from tourney.printing.domain.poster.plan import (
    GUTTER,
    NAME_GUTTER,
    SEASON,
    TIER_GUTTER,
    MonthHead,
    PosterLayout,
    places_for_name,
    plan,
    title_height,
)
from tourney.printing.domain.poster.text import LINE, fit
from tourney.runtime.messages import Message, message, nmessage

MOST_VICTORIES = 4
LEAST_VICTORIES = 320
"""The width that their heading has at least: one victory alone would leave too little for a longer word."""
MOST_OF_LOGO = 320
LOW_BANNER = 80
LOW_SKY = 520


@dataclass(slots=True)
class Canvas:
    """What is drawn so far."""

    has_factions: bool
    boxes: list[Rectangle] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    marks: list[FactionEmblem] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)
    logos: list[Logo] = field(default_factory=list)

    def write(
        self,
        words: str | Message,
        room: Room,
        size: int,
        colour: str,
        *,
        anchor: str = "start",
        is_bold: bool = False,
        spacing: int = 0,
    ) -> None:
        """The words in the middle of the room's height, smaller or on two lines where they must be.

        `anchor` is start, middle or end; `spacing` percent of the size stand after each letter.
        """
        fitted = fit(str(words), room.width, room.height, size, spacing)
        self.write_lines(fitted.lines, room, fitted.size, colour, anchor=anchor, is_bold=is_bold, spacing=spacing)

    def write_lines(
        self,
        lines: Sequence[str],
        room: Room,
        size: int,
        colour: str,
        *,
        anchor: str = "start",
        is_bold: bool = False,
        spacing: int = 0,
    ) -> None:
        """Write lines of text one below the other, centred in the height of the room."""
        x = {"start": room.x, "middle": room.x + room.width // 2, "end": room.right}[anchor]
        line_height = size * LINE // 100
        first = room.y + (room.height - line_height * (len(lines) - 1) + size * 72 // 100) // 2
        for place, line in enumerate(lines):
            y = first + place * line_height
            self.texts.append(Text(line, x, y, size, colour, room, anchor, is_bold, spacing))


def draw(poster: Poster, papers: Sequence[Paper]) -> Drawing:
    """The poster on the one of these papers that suits it best."""
    chosen = plan(poster, papers)
    paper, sheet = chosen.paper, Canvas(poster.has_factions)
    height = chosen.foot
    foot = Room(EDGE, paper.height - EDGE - height, paper.inner_width, height)
    sky = Room(EDGE, EDGE, paper.inner_width, chosen.sky if poster.months else foot.y - EDGE)
    _title(sheet, poster, sky)
    for place, room in enumerate(_rooms(chosen, sky.bottom + TIER_GUTTER)):
        _month(sheet, place, room, chosen)
    _foot(sheet, poster, foot)
    return Drawing(
        width=paper.width,
        height=paper.height,
        is_landscape=paper.is_landscape,
        sky=sky,
        star=_star(sky),
        planet=_planet(sky),
        boxes=tuple(sheet.boxes),
        rules=tuple(sheet.rules),
        marks=tuple(sheet.marks),
        texts=tuple(sheet.texts),
        hidden=chosen.all_hidden,
        logos=tuple(sheet.logos),
    )


def _rooms(chosen: PosterLayout, top: int) -> Iterator[Room]:
    """Where each month goes."""
    for place in range(len(chosen.months)):
        tier, column = divmod(place, chosen.columns)
        above = sum(one.height + TIER_GUTTER for one in chosen.tiers[:tier])
        x = EDGE + column * (chosen.width + GUTTER)
        yield Room(x, top + above, chosen.width, chosen.tiers[tier].height)


def _title(sheet: Canvas, poster: Poster, sky: Room) -> None:
    """On the left of the sky, and the command star on the right; below the star where the sky fills the sheet."""
    is_alone = not poster.months
    x, width = sky.x + 80, sky.width - 160 if is_alone else sky.width * 58 // 100
    air = 60 if sky.height > LOW_SKY else 34
    store = Room(x, sky.y + air, width, 70)
    beside = 0
    if poster.brand.logo:
        logo = poster.brand.logo_at(x, store.y - 12, store.height + 24, MOST_OF_LOGO)
        sheet.logos.append(logo)
        beside = logo.ground.width + 28
    name = Room(x + beside, store.y, width - beside, store.height)
    sheet.write(poster.store.upper(), name, 40, poster.brand.color, is_bold=True, spacing=17)
    span = Room(x, sky.bottom - air - 66, width, 66)
    sheet.write(poster.span, span, 42, ink.ON_HULL_MUTED)
    bar = Room(x, span.y - air // 2, 190, 10)
    sheet.boxes.append(Rectangle(bar, poster.brand.color))
    top = sky.y + sky.height * 70 // 100 if is_alone else store.bottom + air // 4
    room = Room(x, top, width, bar.y - air * 2 // 5 - top)
    title = fit(poster.title.upper(), width, room.height, 250)
    height = len(title.lines) * title.size * LINE // 100
    bottom = Room(x, room.bottom - height, width, height)
    sheet.write_lines(title.lines, bottom, title.size, ink.ON_HULL, is_bold=True)


def _star(sky: Room) -> Room:
    """On the right of a sky that is wider than high; in the middle of one that fills the sheet."""
    if sky.height * 3 > sky.width * 2:
        size = min(sky.width * 86, sky.height * 58) // 100
        return Room(sky.x + (sky.width - size) // 2, sky.y + sky.height * 10 // 100, size, size)
    size = min(sky.height * 118 // 100, sky.width * 44 // 100)
    return Room(sky.x + sky.width * 81 // 100 - size // 2, sky.y + sky.height * 46 // 100 - size // 2, size, size)


def _planet(sky: Room) -> Room:
    size = sky.width * 130 // 100
    rise = min(sky.height * 24 // 100, size * 12 // 100)
    return Room(sky.x + sky.width * 28 // 100, sky.bottom - rise, size, size)


# months


def _month(sheet: Canvas, place: int, room: Room, chosen: PosterLayout) -> None:
    month, head = chosen.months[place], chosen.head
    sheet.boxes.append(Rectangle(Room(room.x, room.y, room.width, 9), ink.HULL))
    eyebrow = Room(room.x, room.y + 9, room.width, head.eyebrow_height - 9)
    sheet.write(month.eyebrow.upper(), eyebrow, head.eyebrow, ink.MUTED, is_bold=True, spacing=10)
    _month_name(sheet, month.name, Room(room.x, eyebrow.bottom, room.width, head.name_height), head)
    y = eyebrow.bottom + head.name_height + head.air
    if head.banner:
        _banner(sheet, month, Room(room.x, y, room.width, head.banner), head)
        y += head.banner + head.air
    for rank, titled in enumerate(month.titled):
        height = title_height(chosen.row, rank)
        _titled(sheet, titled, Room(room.x, y, room.width, height), is_first=rank == 0)
        y += height
    _others(sheet, place, Room(room.x, y, room.width, room.bottom - y), chosen)


def _month_name(sheet: Canvas, name: str, room: Room, head: MonthHead) -> None:
    """At the top of its room, in the size of all of them."""
    fitted = fit(name, room.width, room.height, head.size)
    top = Room(room.x, room.y, room.width, room.height * len(fitted.lines) // head.lines)
    sheet.write_lines(fitted.lines, top, fitted.size, ink.INK, is_bold=True)


def _banner(sheet: Canvas, month: PosterMonth, room: Room, head: MonthHead) -> None:
    """The victorious faction with its mark large; or what the ranks are, where they are not final."""
    if not month.victor:
        words = month.state or message("No factions this month")
        sheet.boxes.append(Rectangle(room, ink.PAPER, ink.LINE_STRONG, is_dashed=True))
        inside = Room(room.x + head.air, room.y, room.width - 2 * head.air, room.height)
        sheet.write(words, inside, head.eyebrow * 12 // 10, ink.MUTED, anchor="middle")
        return
    sheet.boxes.append(Rectangle(room, ink.of_faction(month.victor_mark)))
    size = room.height * 76 // 100
    space = (room.height - size) // 2
    sheet.marks.append(FactionEmblem(room.x + space, room.y + space, size, month.victor_mark, ink.PAPER))
    x, air = room.x + space * 2 + size, room.height * 18 // 100
    inner = Room(x, room.y + air, room.right - x - space, room.height - 2 * air)
    above = Room(x, inner.y, inner.width, inner.height * 40 // 100 if room.height > LOW_BANNER else 0)
    below = Room(x, above.bottom, inner.width, inner.bottom - above.bottom)
    if above.height:
        sheet.write(str(message("Victorious")).upper(), above, above.height * 62 // 100, ink.PAPER, spacing=10)
    sheet.write(month.victor, below, below.height * 84 // 100, ink.PAPER, is_bold=True)


def _titled(sheet: Canvas, place: PosterName, room: Room, *, is_first: bool) -> None:
    """A row with its title above the name; the Admiral's stands out."""
    if is_first:
        sheet.boxes.append(Rectangle(room, ink.BRASS_SOFT))
        sheet.boxes.append(Rectangle(Room(room.x, room.y, 12, room.height), ink.SIGNAL))
    else:
        sheet.rules.append(Rule(room.x, room.bottom, room.right, room.bottom, ink.LINE))
    pad = room.height * 14 // 100
    width = room.width - 12 - (2 if is_first else 1) * pad
    inner = Room(room.x + 12 + pad, room.y + pad, width, room.height - 2 * pad)
    x, code = inner.x, 0
    line = inner.height * 36 // 100
    if place.mark:
        size = min(inner.height * 66 // 100, inner.width * 15 // 100)
        sheet.marks.append(
            FactionEmblem(x, inner.y + (inner.height - size) // 2, size, place.mark, ink.of_faction(place.mark))
        )
        x += size + pad
        code = line * 2
        where = Room(inner.right - code, inner.y, code, line)
        colour = ink.of_faction(place.mark)
        sheet.write(place.code, where, line * 78 // 100, colour, anchor="end", is_bold=True)
    title = Room(x, inner.y, inner.right - code - x, line)
    name = Room(x, title.bottom, inner.right - x, inner.bottom - title.bottom)
    sheet.write(place.title.upper(), title, line * 84 // 100, ink.BRASS, is_bold=True, spacing=11)
    sheet.write(place.name, name, name.height * (84 if is_first else 80) // 100, ink.INK, is_bold=True)


def _others(sheet: Canvas, place: int, room: Room, chosen: PosterLayout) -> None:
    """The names below the titled ranks, down one column and on in the next."""
    shown, hidden = chosen.shown(place), chosen.hidden(place)
    rows = min(chosen.rows(place), -(-(len(shown) + bool(hidden)) // chosen.name_columns)) or 1
    for index in range(len(shown) + bool(hidden)):
        column, row = divmod(index, rows)
        x = room.x + column * (chosen.name_width + NAME_GUTTER)
        cell = Room(x, room.y + row * chosen.row, chosen.name_width, chosen.row)
        if row < rows - 1:
            sheet.rules.append(Rule(cell.x, cell.bottom, cell.right, cell.bottom, ink.LINE))
        if index < len(shown):
            _name(sheet, shown[index], cell, chosen.size)
        else:
            sheet.write(
                nmessage("and {count} more", "and {count} more", hidden), cell, chosen.size, ink.MUTED, anchor="middle"
            )


def _name(sheet: Canvas, place: PosterName, cell: Room, size: int) -> None:
    rank, mark, code = places_for_name(size, sheet.has_factions)
    number = Room(cell.x, cell.y, rank - size * 35 // 100, cell.height)
    shared = "=" if place.shared else ""
    sheet.write(f"{shared}{place.rank}", number, size * 85 // 100, ink.MUTED, anchor="end")
    x = cell.x + rank
    if place.mark:
        side = size * 95 // 100
        y = cell.y + (cell.height - side) // 2
        sheet.marks.append(FactionEmblem(x, y, side, place.mark, ink.of_faction(place.mark)))
        where = Room(cell.right - code, cell.y, code, cell.height)
        small = size * 58 // 100
        sheet.write(place.code, where, small, ink.of_faction(place.mark), anchor="end", is_bold=True)
    name = Room(x + mark, cell.y, cell.right - code - x - mark, cell.height)
    sheet.write(place.name, name, size, ink.INK)


# foot


def _foot(sheet: Canvas, poster: Poster, foot: Room) -> None:
    """The next month, and who has won how many; below them the rules of the season."""
    sheet.boxes.append(Rectangle(foot, ink.HULL))
    sheet.boxes.append(Rectangle(Room(foot.x, foot.y, 22, foot.height), poster.brand.color))
    if poster.season:
        foot = Room(foot.x, foot.y, foot.width, foot.height - SEASON)
        _season(sheet, poster, Room(foot.x + 80, foot.bottom, foot.width - 150, SEASON - 34))
    won = poster.victories[:MOST_VICTORIES]
    each = 190
    all_won = max(each * len(won), LEAST_VICTORIES)
    wide = all_won + 60 if won else 0
    x, width = foot.x + 80, foot.width - 80 - 70 - wide
    following = poster.next
    top = foot.y + foot.height // 2 - 101
    eyebrow = Room(x, top, width, 50)
    name = Room(x, eyebrow.bottom, width, 96)
    sheet.write(following.eyebrow.upper(), eyebrow, 30, poster.brand.color, is_bold=True, spacing=17)
    sheet.write(following.name, name, 78, ink.ON_HULL, is_bold=True)
    if following.facts:
        sheet.write(following.facts, Room(x, name.bottom, width, 56), 40, ink.ON_HULL_MUTED)
    left = foot.right - 50 - all_won
    if won:
        heading = Room(left, eyebrow.y, all_won, eyebrow.height)
        sheet.write(str(message("Victories")).upper(), heading, 30, poster.brand.color, is_bold=True, spacing=17)
    for place, one in enumerate(won):
        at = left + place * each
        sheet.marks.append(FactionEmblem(at, name.y + 15, 90, one.mark, ink.ON_HULL))
        number = Room(at + 102, name.y + 10, each - 110, 100)
        sheet.write(str(one.months), number, 80, ink.ON_HULL, is_bold=True)


def _season(sheet: Canvas, poster: Poster, room: Room) -> None:
    """What counts in the season, below a line."""
    sheet.rules.append(Rule(room.x, room.y, room.right, room.y, ink.ON_HULL_MUTED))
    heading = Room(room.x, room.y + 14, room.width, 36)
    words = Room(room.x, heading.bottom, room.width, room.bottom - heading.bottom)
    sheet.write(str(message("Season rules")).upper(), heading, 26, poster.brand.color, is_bold=True, spacing=17)
    sheet.write(poster.season, words, 40, ink.ON_HULL_MUTED)
