"""What a drawing is made of. Coordinates grow to the right and downwards; a text stands on its baseline `y`."""

from dataclasses import dataclass

from tourney.printing.domain.poster.text import width_of


@dataclass(frozen=True, slots=True)
class Room:
    """A rectangle."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The x of the right edge, in tenths of a millimetre."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The y of the lower edge, in tenths of a millimetre."""
        return self.y + self.height


@dataclass(frozen=True, slots=True)
class Rectangle:
    room: Room
    fill: str
    line: str = ""
    is_dashed: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight line from one point to another."""

    x1: int
    y1: int
    x2: int
    y2: int
    ink: str
    weight: int = 3


@dataclass(frozen=True, slots=True)
class FactionEmblem:
    """A faction's own mark, a square."""

    x: int
    y: int
    size: int
    slug: str
    ink: str


@dataclass(frozen=True, slots=True)
class Text:
    """Words that start, end or have their middle at `x`, and stay inside `room`; `spacing` is percent of the size."""

    words: str
    x: int
    y: int
    size: int
    ink: str
    room: Room
    anchor: str = "start"
    is_bold: bool = False
    spacing: int = 0

    @property
    def letter_spacing(self) -> int:
        """The space between letters, in tenths of a millimetre."""
        return self.size * self.spacing // 100

    @property
    def width(self) -> int:
        """The measured width of the text, in tenths of a millimetre."""
        return width_of(self.words, self.size, self.spacing)

    @property
    def left(self) -> int:
        """The x of the text's left end, in tenths of a millimetre."""
        before = {"start": 0, "middle": -(-self.width // 2), "end": self.width}[self.anchor]
        return self.x - before


@dataclass(frozen=True, slots=True)
class Logo:
    """A picture, as an address with its content, in the middle of a white ground with a margin."""

    ground: Room
    address: str
    margin: int

    @property
    def room(self) -> Room:
        """Where the picture itself is."""
        x, y, all_round = self.ground.x + self.margin, self.ground.y + self.margin, 2 * self.margin
        return Room(x, y, self.ground.width - all_round, self.ground.height - all_round)


@dataclass(frozen=True, slots=True)
class Drawing:
    """A whole sheet. `sky` is night with `star`, the command star on its chart, and `planet`, the globe on the horizon;
    both may reach beyond it and are cut off. `hidden` counts the names that had no room."""

    width: int
    height: int
    is_landscape: bool
    sky: Room
    star: Room
    planet: Room
    boxes: tuple[Rectangle, ...]
    rules: tuple[Rule, ...]
    marks: tuple[FactionEmblem, ...]
    texts: tuple[Text, ...]
    hidden: int = 0
    logos: tuple[Logo, ...] = ()
