"""The picture that a link to an event or a store shows where somebody shares it: wide, on the poster's night sky."""

from dataclasses import dataclass

from tourney.printing.domain.poster import PLAIN, Brand, Drawing, Rectangle, Room, ink
from tourney.printing.domain.poster.paint import Canvas

WIDTH, HEIGHT = 1200, 630
EDGE = 72
TEXT = 700
"""The width of the texts; the command star has the rest."""
LINE = 12
LOGO = 110


@dataclass(frozen=True, slots=True)
class Linked:
    """What the picture says: `eyebrow` above the name, `facts` below it; `state` only where plans changed."""

    store: str
    eyebrow: str
    name: str
    facts: tuple[str, ...]
    state: str = ""
    brand: Brand = PLAIN


def draw_link(linked: Linked) -> Drawing:
    """The picture of a link, in pixels."""
    sheet, sky = Canvas(has_factions=False), Room(0, 0, WIDTH, HEIGHT - LINE)
    sheet.write(linked.store.upper(), Room(EDGE, 64, TEXT, 52), 38, linked.brand.color, is_bold=True, spacing=12)
    sheet.write(linked.eyebrow, Room(EDGE, 124, TEXT, 46), 34, ink.ON_HULL_MUTED)
    name = Room(EDGE, 182, TEXT, 220)
    sheet.write(linked.name, name, 96, ink.ON_HULL, is_bold=True)
    y = name.bottom + 16
    if linked.state:
        sheet.write(linked.state, Room(EDGE, y, TEXT, 56), 44, ink.SIGNAL, is_bold=True)
        y += 60
    for fact in linked.facts:
        sheet.write(fact, Room(EDGE, y, TEXT, 52), 38, ink.ON_HULL)
        y += 56
    sheet.boxes.append(Rectangle(Room(0, sky.bottom, WIDTH, LINE), linked.brand.color))
    right = EDGE + TEXT + 60
    logos = (linked.brand.logo_at(right, 56, LOGO, WIDTH - EDGE - right),) if linked.brand.logo else ()
    return Drawing(
        width=WIDTH,
        height=HEIGHT,
        is_landscape=True,
        sky=sky,
        star=Room(780, 110, 400, 400),
        planet=Room(420, 470, 1400, 1400),
        boxes=tuple(sheet.boxes),
        texts=tuple(sheet.texts),
        rules=(),
        marks=(),
        hidden=0,
        logos=logos,
    )
