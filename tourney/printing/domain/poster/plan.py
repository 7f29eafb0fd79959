"""Which way the sheet is turned, how many months stand beside each other, and how large their names are."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import batched, product

from tourney.printing.domain.poster.content import Poster, PosterMonth, PosterName
from tourney.printing.domain.poster.paper import Paper
from tourney.printing.domain.poster.text import LINE, fit

GUTTER = 64
TIER_GUTTER = 60
NAME_GUTTER = 36
SEASON = 150
"""The height that the rules of the season have at the foot."""
HIGHER_SKY = 22
"""Percent of the height: what the sky may gain where there is little below it."""
LOWEST_SKY = 400
LEAST_WIDTH = 280
LEAST_ROOM = 4
"""Times the type size: what a name must have."""
GOOD_WIDTH = 1000
SMALLEST_NAME = 21
LARGEST_NAME = 84
LEGIBLE = 20
GOOD_NAME = 46

ROW = 150
"""Percent of the type size: the height of a row that is not loose."""
LOOSE_ROW = 210
FIRST_TITLED = 250
NEXT_TITLED = 215
"""Percent of a row: the heights of the rows with titles."""


type Shape = tuple[tuple[int, int], ...]
"""Of months beside each other: how many have a title, and how many rows the others need."""


@dataclass(frozen=True, slots=True)
class Measure:
    """How much room everything but the names takes: `sky` in percent of the height, `foot` as a height.

    `head` and `banner` are percent of their usual sizes, `lines` what a month's name may have.
    """

    sky: int
    foot: int
    head: int
    banner: int
    lines: int


GENEROUS = Measure(sky=20, foot=270, head=100, banner=100, lines=2)
TIGHT = Measure(sky=13, foot=232, head=84, banner=70, lines=1)


@dataclass(frozen=True, slots=True)
class MonthHead:
    """Above the names of each month: the lines of its name at `size`, and a banner of `banner` (0: none)."""

    eyebrow: int
    size: int
    lines: int
    banner: int
    air: int

    @property
    def name_height(self) -> int:
        """The height of the month's name, in tenths of a millimetre."""
        return self.lines * self.size * LINE // 100

    @property
    def eyebrow_height(self) -> int:
        """The height of the line above the name, in tenths of a millimetre."""
        return self.eyebrow * 24 // 10

    @property
    def height(self) -> int:
        """The height of all above the names, in tenths of a millimetre."""
        return self.eyebrow_height + self.name_height + self.air + (self.banner + self.air if self.banner else 0)


@dataclass(frozen=True, slots=True)
class Tier:
    """Months beside each other: how many rows of names below the titled ones have room, and the height of it all."""

    rows: int
    height: int


@dataclass(frozen=True, slots=True)
class PosterLayout:
    """A way to fill the sheet: so many months in a tier, the names of each in `name_columns`, all in one size."""

    paper: Paper
    measure: Measure
    months: tuple[PosterMonth, ...]
    foot: int
    sky: int
    columns: int
    tiers: tuple[Tier, ...]
    width: int
    name_columns: int
    head: MonthHead
    row: int
    size: int

    @property
    def name_width(self) -> int:
        """Of one column of names."""
        return (self.width - NAME_GUTTER * (self.name_columns - 1)) // self.name_columns

    def shown(self, place: int) -> tuple[PosterName, ...]:
        """Those below the titled ranks of the month at that place who have room; a room is kept to count the others."""
        others, room = self.months[place].others, self.rows(place) * self.name_columns
        return others if len(others) <= room else others[: max(0, room - 1)]

    def hidden(self, place: int) -> int:
        """The number of names of that month that have no room."""
        return len(self.months[place].others) - len(self.shown(place))

    @property
    def all_hidden(self) -> int:
        """The number of names of all months that have no room."""
        return sum(map(self.hidden, range(len(self.months))))

    def rows(self, place: int) -> int:
        """Of each column of names of the month at that place."""
        return self.tiers[place // self.columns].rows


def plan(poster: Poster, papers: Sequence[Paper]) -> PosterLayout:
    """The best way on one of these papers: everybody shown, then every name legible, then the largest type."""
    most = max(1, len(poster.months))
    ways = [
        _way(poster, paper, measure, columns, name_columns)
        for paper, measure, columns, name_columns in product(papers, (GENEROUS, TIGHT), range(1, most + 1), (1, 2, 3))
        if _width(paper, columns) >= LEAST_WIDTH
    ]
    ways = [way for way in ways if way.name_columns == 1 or _room_for_name(poster, way) >= LEAST_ROOM * way.size]
    return min(ways, key=lambda way: _cost(poster, way))


def title_height(row: int, place: int) -> int:
    """The height of the titled row at that place, 0 for the first."""
    return row * (NEXT_TITLED if place else FIRST_TITLED) // 100


def places_for_name(size: int, has_factions: bool) -> tuple[int, int, int]:
    """Of a row of names in that size: the widths of its rank, of the mark and of the code, with the air after them."""
    return size * 150 // 100, (size * 125 // 100 if has_factions else 0), (size * 150 // 100 if has_factions else 0)


def _way(poster: Poster, paper: Paper, measure: Measure, columns: int, name_columns: int) -> PosterLayout:
    wanted = [
        tuple((len(month.titled), -(-len(month.others) // name_columns)) for month in months)
        for months in batched(poster.months, columns)
    ]
    width = _width(paper, columns)
    largest = min(LARGEST_NAME, (width - NAME_GUTTER * (name_columns - 1)) // name_columns // 11)
    head = _head(poster, width, measure)
    sky = max(LOWEST_SKY, paper.inner_height * measure.sky // 100)
    foot = measure.foot + (SEASON if poster.season else 0)
    free = paper.inner_height - sky - foot - TIER_GUTTER - (TIER_GUTTER + head.height) * len(wanted)
    row, rows = _rows(free, wanted, largest)
    used = [_high(row, months, most) for months, most in zip(wanted, rows, strict=True)]
    higher_sky = min(free - sum(used), paper.inner_height * HIGHER_SKY // 100)
    spare = (free - sum(used) - higher_sky) // max(1, len(wanted))
    return PosterLayout(
        paper=paper,
        measure=measure,
        months=poster.months,
        foot=foot,
        sky=sky + higher_sky,
        columns=columns,
        tiers=tuple(Tier(tier, head.height + high + spare) for tier, high in zip(rows, used, strict=True)),
        width=width,
        name_columns=name_columns,
        head=head,
        row=row,
        size=max(SMALLEST_NAME, min(largest, row * 100 // ROW)),
    )


def _width(paper: Paper, columns: int) -> int:
    return (paper.inner_width - GUTTER * (columns - 1)) // columns


def _head(poster: Poster, width: int, measure: Measure) -> MonthHead:
    """In proportion to the width of a month; all names of months in one size."""
    scale = max(56, min(135, width * 100 // 620)) * measure.head // 100
    largest = 62 * scale // 100
    names = [fit(month.name, width, measure.lines * largest * LINE // 100, largest) for month in poster.months]
    has_banner = any(month.victor or month.state for month in poster.months)
    return MonthHead(
        eyebrow=30 * scale // 100,
        size=min((name.size for name in names), default=62),
        lines=max((len(name.lines) for name in names), default=1),
        banner=160 * scale * measure.banner // 10_000 if has_banner else 0,
        air=26 * scale // 100,
    )


def _rows(free: int, wanted: Sequence[Shape], largest: int) -> tuple[int, list[int]]:
    """The height of a row, and how many rows below its titled ones each tier has at most."""
    all_rows = [max(others for _, others in months) for months in wanted]
    shares = sum(_high(100, months, rows) for months, rows in zip(wanted, all_rows, strict=True))
    smallest = SMALLEST_NAME * ROW // 100
    row = min(free * 100 // max(100, shares), largest * LOOSE_ROW // 100)
    if row >= smallest:
        return row, all_rows
    each = free // len(wanted)
    titled = (max(_titled_height(smallest, titled) for titled, _ in months) for months in wanted)
    fitting = (max(0, (each - height) // smallest) for height in titled)
    return smallest, [min(rows, most) for rows, most in zip(fitting, all_rows, strict=True)]


def _high(row: int, months: Shape, most: int) -> int:
    """The height of the highest of months beside each other, with so many rows below the titled ones at most."""
    return max(_titled_height(row, titled) + row * min(others, most) for titled, others in months)


def _titled_height(row: int, titled: int) -> int:
    return sum(title_height(row, place) for place in range(titled))


def _cost(poster: Poster, way: PosterLayout) -> tuple[int, int, int]:
    """Lower is better: names that are left out, then those that nobody can read, then what is not beautiful."""
    sizes = [size for place in range(len(poster.months)) for size in _sizes(poster, way, place)]
    illegible = sum(size < LEGIBLE for size in sizes)
    return way.all_hidden, illegible, _ugliness(way) - 2 * min([GOOD_NAME, *sizes])


def _ugliness(way: PosterLayout) -> int:
    """What larger names are weighed against."""
    empty = way.columns * len(way.tiers) - len(way.months)
    wide = max(0, way.name_width - GOOD_WIDTH) // 40
    turns = 4 * (way.name_columns - 1) + 5 * way.paper.is_landscape + 12 * (way.measure is TIGHT)
    return turns + 3 * empty + wide - min(way.size, GOOD_NAME)


def _sizes(poster: Poster, way: PosterLayout, place: int) -> Iterator[int]:
    """The type of each name below the titled ranks."""
    room = _room_for_name(poster, way)
    return (fit(one.name, room, way.row, way.size).size for one in way.shown(place))


def _room_for_name(poster: Poster, way: PosterLayout) -> int:
    return way.name_width - sum(places_for_name(way.size, poster.has_factions))
