"""Pictures of a finished event, to be shared: one player's result, and the podium with the standings.

The night sky of the poster above a sheet that is light or dark, upright as phones show it, in pixels; every text is
fitted by the same measured widths (`poster/text.py`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tourney.printing.domain.poster import PLAIN, Brand, Drawing, FactionEmblem, PosterName, Rectangle, Room, Rule, ink
from tourney.printing.domain.poster.paint import Canvas
from tourney.runtime.messages import Message, message, nmessage

WIDTH, HEIGHT = 1080, 1350
EDGE = 72
INNER = WIDTH - 2 * EDGE
BANNER = 132
PLAYER_SKY = 770
EVENT_SKY = 430
FIRST_ROW, ROW = 164, 118
NAME_ROW = 58
COLUMNS = 2


@dataclass(frozen=True, slots=True)
class Inks:
    """The colours of a sheet, by day or by night: those of `tokens.css`, for places where no stylesheet reaches."""

    paper: str
    ink: str
    muted: str
    line: str
    brass: str
    brass_soft: str
    factions: Mapping[str, str] = field(default_factory=dict)

    def of_faction(self, mark: str) -> str:
        """The colour of the faction with that mark."""
        return self.factions.get(mark, self.muted)


THEMES = {
    "light": Inks(ink.PAPER, ink.INK, ink.MUTED, ink.LINE, ink.BRASS, ink.BRASS_SOFT, ink.FACTIONS),
    "dark": Inks(
        paper="#121d2a",
        ink="#e9eff5",
        muted="#a5b5c6",
        line="#2a3a4c",
        brass="#f3c95c",
        brass_soft="#2b2715",
        factions={
            "federation": "#7fb6f3",
            "klingon": "#f58a80",
            "romulan": "#6fcb92",
            "dominion": "#bd9eee",
            "borg": "#5fc7c2",
            "species-8472": "#e892c6",
            "kazon": "#df9f70",
            "xindi": "#62c1dd",
            "bajoran": "#f2a465",
            "ferengi": "#e3b54c",
            "vulcan": "#d6a896",
            "independent": "#acbbcb",
            "mirror-universe": "#cfbd5d",
            "q-continuum": "#db99e8",
        },
    ),
}


@dataclass(frozen=True, slots=True)
class Occasion:
    """Whose event it was; `victor` and `victor_mark` are empty where no faction is victorious (rule 5.3)."""

    store: str
    event: str
    date: str
    victor: str = ""
    victor_mark: str = ""
    brand: Brand = PLAIN


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """One player's result, with the name that everybody may read, and `points` in words."""

    occasion: Occasion
    place: PosterName
    players: int
    faction: str
    points: str


@dataclass(frozen=True, slots=True)
class EventResult:
    """The final ranks of an event, best first."""

    occasion: Occasion
    places: tuple[PosterName, ...]


def draw_player(result: PlayerResult, theme: str) -> Drawing:
    """The picture of one player's result."""
    sheet, inks, place = Canvas(has_factions=True), THEMES[theme], result.place
    sky = Room(0, 0, WIDTH, PLAYER_SKY)
    _occasion(sheet, result.occasion, Room(EDGE, 84, 560, 300))
    top = place.rank == 1
    number = Room(EDGE - 12, 394, 470, 376)
    sheet.write(str(place.rank), number, 400, ink.SIGNAL if top else ink.ON_HULL, is_bold=True)
    sheet.boxes.append(Rectangle(Room(0, PLAYER_SKY, WIDTH, 12), result.occasion.brand.color))
    bottom = _banner(sheet, result.occasion)
    y = PLAYER_SKY + 12 + (40 if result.occasion.victor else 84)
    rank = _rank(place, result.players)
    heading = place.title or str(rank)
    sheet.write(heading.upper(), Room(EDGE, y, INNER, 60), 50, inks.brass, is_bold=True, spacing=12)
    sheet.write(place.name, Room(EDGE, y + 64, INNER, 128), 112, inks.ink, is_bold=True)
    y = _faction(sheet, inks, result, y + 204)
    facts = f"{rank} · {result.points}" if place.title else result.points
    sheet.write(facts, Room(EDGE, y, INNER, min(60, bottom - y)), 38, inks.muted)
    return _drawing(sheet, inks, sky, star=Room(476, 70, 700, 700))


def _rank(place: PosterName, players: int) -> Message:
    if place.shared:
        return message("Rank {rank} of {players}, shared", rank=place.rank, players=players)
    return message("Rank {rank} of {players}", rank=place.rank, players=players)


def _faction(sheet: Canvas, inks: Inks, result: PlayerResult, y: int) -> int:
    """The player's faction with its emblem; returns where the room below it begins."""
    x, mark = EDGE, result.place.mark
    if mark:
        sheet.marks.append(FactionEmblem(x, y + 6, 48, mark, inks.of_faction(mark)))
        x += 64
    if not result.faction:
        return y
    sheet.write(result.faction, Room(x, y, EDGE + INNER - x, 60), 44, inks.of_faction(mark), is_bold=True)
    return y + 66


def draw_event(result: EventResult, theme: str) -> Drawing:
    """The picture of the podium, with as many of the standings as there is room for."""
    sheet, inks = Canvas(has_factions=any(place.mark for place in result.places)), THEMES[theme]
    sky = Room(0, 0, WIDTH, EVENT_SKY)
    _occasion(sheet, result.occasion, Room(EDGE, 70, 600, 300))
    sheet.boxes.append(Rectangle(Room(0, EVENT_SKY, WIDTH, 12), result.occasion.brand.color))
    bottom = _banner(sheet, result.occasion)
    titled = [place for place in result.places if place.title] or list(result.places[:1])
    y = EVENT_SKY + 12
    for place in titled[:3]:
        height = FIRST_ROW if place is titled[0] else ROW
        _podium(sheet, inks, place, Room(0, y, WIDTH, height), is_first=place is titled[0])
        y += height
    others = [place for place in result.places if place not in titled[:3]]
    hidden = _names(sheet, inks, others, Room(EDGE, y + 24, INNER, bottom - y - 48))
    return _drawing(sheet, inks, sky, star=Room(640, 20, 400, 400), hidden=hidden)


def _drawing(sheet: Canvas, inks: Inks, sky: Room, star: Room, hidden: int = 0) -> Drawing:
    planet = Room(WIDTH * 18 // 100, sky.bottom - min(190, sky.height * 26 // 100), WIDTH * 14 // 10, WIDTH * 14 // 10)
    paper = Rectangle(Room(0, sky.bottom, WIDTH, HEIGHT - sky.bottom), inks.paper)
    return Drawing(
        width=WIDTH,
        height=HEIGHT,
        is_landscape=False,
        sky=sky,
        star=star,
        planet=planet,
        boxes=(paper, *sheet.boxes),
        rules=tuple(sheet.rules),
        marks=tuple(sheet.marks),
        texts=tuple(sheet.texts),
        hidden=hidden,
    )


def _occasion(sheet: Canvas, occasion: Occasion, room: Room) -> None:
    """Store, event and date on the sky."""
    color = occasion.brand.color
    sheet.write(occasion.store.upper(), Room(room.x, room.y, room.width, 48), 34, color, is_bold=True, spacing=14)
    name = Room(room.x, room.y + 58, room.width, 160)
    sheet.write(occasion.event, name, 68, ink.ON_HULL, is_bold=True)
    sheet.write(occasion.date, Room(room.x, name.bottom + 10, room.width, 48), 36, ink.ON_HULL_MUTED)


def _banner(sheet: Canvas, occasion: Occasion) -> int:
    """The victorious faction at the foot, in its colour; returns where the room above it ends."""
    if not occasion.victor:
        return HEIGHT - 24
    room = Room(0, HEIGHT - BANNER, WIDTH, BANNER)
    sheet.boxes.append(Rectangle(room, ink.of_faction(occasion.victor_mark)))
    sheet.marks.append(FactionEmblem(EDGE, room.y + 26, 80, occasion.victor_mark, ink.PAPER))
    x = EDGE + 108
    words = Room(x, room.y + 22, WIDTH - EDGE - x, 34)
    sheet.write(str(message("Victorious faction")).upper(), words, 26, ink.PAPER, spacing=12)
    sheet.write(occasion.victor, Room(x, words.bottom, words.width, 62), 54, ink.PAPER, is_bold=True)
    return room.y


def _podium(sheet: Canvas, inks: Inks, place: PosterName, room: Room, *, is_first: bool) -> None:
    """A titled rank in a row of its own; the first stands out."""
    if is_first:
        sheet.boxes.append(Rectangle(room, inks.brass_soft))
    else:
        sheet.rules.append(Rule(EDGE, room.bottom, WIDTH - EDGE, room.bottom, inks.line, 2))
    number = Room(EDGE, room.y, 104, room.height)
    sheet.write(str(place.rank), number, 104 if is_first else 76, inks.brass, is_bold=True)
    x = number.right + 16
    size = 76 if is_first else 60
    right = WIDTH - EDGE
    if place.mark:
        right -= size + 24
        where = room.y + (room.height - size) // 2
        sheet.marks.append(FactionEmblem(WIDTH - EDGE - size, where, size, place.mark, inks.of_faction(place.mark)))
    middle = room.y + room.height * (36 if is_first else 40) // 100
    above = Room(x, room.y + 14, right - x, middle - room.y - 14)
    sheet.write(place.title.upper(), above, 32 if is_first else 26, inks.brass, is_bold=True, spacing=12)
    name = Room(x, middle, right - x, room.bottom - middle - 16)
    sheet.write(place.name, name, 76 if is_first else 52, inks.ink, is_bold=True)


def _names(sheet: Canvas, inks: Inks, places: Sequence[PosterName], room: Room) -> int:
    """The other ranks, down one column and on in the next; returns how many had no room."""
    rows = room.height // NAME_ROW
    shown = list(places) if len(places) <= rows * COLUMNS else list(places[: rows * COLUMNS - 1])
    hidden = len(places) - len(shown)
    in_column = -(-(len(shown) + bool(hidden)) // COLUMNS)
    width = (room.width - EDGE // 2) // COLUMNS
    for index in range(len(shown) + bool(hidden)):
        column, row = divmod(index, in_column)
        cell = Room(room.x + column * (width + EDGE // 2), room.y + row * NAME_ROW, width, NAME_ROW)
        if row:
            sheet.rules.append(Rule(cell.x, cell.y, cell.right, cell.y, inks.line, 2))
        if index < len(shown):
            _name(sheet, inks, shown[index], cell)
        else:
            more = nmessage("and {count} more", "and {count} more", hidden)
            sheet.write(more, cell, 30, inks.muted, anchor="middle")
    return hidden


def _name(sheet: Canvas, inks: Inks, place: PosterName, cell: Room) -> None:
    sheet.write(f"{'=' if place.shared else ''}{place.rank}", Room(cell.x, cell.y, 64, cell.height), 32, inks.muted)
    x = cell.x + 72
    if place.mark:
        sheet.marks.append(FactionEmblem(x, cell.y + 13, 32, place.mark, inks.of_faction(place.mark)))
    x += 46 if sheet.has_factions else 0
    sheet.write(place.name, Room(x, cell.y, cell.right - x, cell.height), 34, inks.ink)
