"""Which way the sheet is turned, how many months stand beside each other, and how large their names are."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from tourney.domain.poster.content import Month, Place, Poster
from tourney.domain.poster.paper import Paper
from tourney.domain.poster.text import LINE, fit

GUTTER = 64
TIER_GUTTER = 60
NAME_GUTTER = 36
HIGHER_SKY = 22
"""Percent of the height: what the sky may gain where there is little below it."""
LOWEST_SKY = 400
LEAST_WIDTH = 280
LEAST_ROOM = 4
"""Times the type size: what a name must have."""
GOOD_WIDTH = 1000
SMALLEST_NAME = 21
LARGEST_NAME = 84
LEGIBLE = 14
GOOD_NAME = 46

ROW = 150
"""Percent of the type size: the height of a row that is not loose."""
LOOSE_ROW = 210
FIRST_TITLED = 210
NEXT_TITLED = 165
"""Percent of a row: the heights of the rows with titles."""


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
class Head:
    """Above the names of each month: the lines of its name at `size`, and a banner of `banner` (0: none)."""

    eyebrow: int
    size: int
    lines: int
    banner: int
    air: int

    @property
    def name_height(self) -> int:
        return self.lines * self.size * LINE // 100

    @property
    def eyebrow_height(self) -> int:
        return self.eyebrow * 24 // 10

    @property
    def height(self) -> int:
        return self.eyebrow_height + self.name_height + self.air + (self.banner + self.air if self.banner else 0)


@dataclass(frozen=True, slots=True)
class Plan:
    """A way to fill the sheet: months in `columns` × `tiers`, the names of each in `name_columns`, all in one size."""

    paper: Paper
    measure: Measure
    sky: int
    columns: int
    tiers: int
    width: int
    height: int
    name_columns: int
    head: Head
    row: int
    size: int
    rows: int

    @property
    def name_width(self) -> int:
        """Of one column of names."""
        return (self.width - NAME_GUTTER * (self.name_columns - 1)) // self.name_columns

    def shown(self, month: Month) -> tuple[Place, ...]:
        """Those below the titled ranks who have room; one room is kept to say how many more there are."""
        room = self.rows * self.name_columns
        return month.others if len(month.others) <= room else month.others[: max(0, room - 1)]

    def hidden(self, month: Month) -> int:
        return len(month.others) - len(self.shown(month))


def plan(poster: Poster, papers: Sequence[Paper]) -> Plan:
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


def _way(poster: Poster, paper: Paper, measure: Measure, columns: int, name_columns: int) -> Plan:
    tiers = -(-max(1, len(poster.months)) // columns)
    width = _width(paper, columns)
    head = _head(poster, width, measure)
    sky = max(LOWEST_SKY, paper.inner_height * measure.sky // 100)
    free = paper.inner_height - sky - measure.foot - 2 * TIER_GUTTER - TIER_GUTTER * (tiers - 1)
    height = free // tiers
    titled = max((len(month.titled) for month in poster.months), default=0)
    others = max((len(month.others) for month in poster.months), default=0)
    name_width = (width - NAME_GUTTER * (name_columns - 1)) // name_columns
    rows, row = _rows(height - head.height, titled, -(-others // name_columns), min(LARGEST_NAME, name_width // 11))
    used = head.height + _titled_height(row, titled) + rows * row
    higher_sky = min((height - used) * tiers, paper.inner_height * HIGHER_SKY // 100)
    return Plan(
        paper=paper,
        measure=measure,
        sky=sky + higher_sky,
        columns=columns,
        tiers=tiers,
        width=width,
        height=height - -(-higher_sky // tiers),
        name_columns=name_columns,
        head=head,
        row=row,
        size=max(SMALLEST_NAME, min(LARGEST_NAME, name_width // 11, row * 100 // ROW)),
        rows=rows,
    )


def _width(paper: Paper, columns: int) -> int:
    return (paper.inner_width - GUTTER * (columns - 1)) // columns


def _head(poster: Poster, width: int, measure: Measure) -> Head:
    """In proportion to the width of a month; all names of months in one size."""
    scale = max(56, min(135, width * 100 // 620)) * measure.head // 100
    largest = 62 * scale // 100
    names = [fit(month.name, width, measure.lines * largest * LINE // 100, largest) for month in poster.months]
    has_banner = any(month.victor or month.state for month in poster.months)
    return Head(
        eyebrow=30 * scale // 100,
        size=min((name.size for name in names), default=62),
        lines=max((len(name.lines) for name in names), default=1),
        banner=160 * scale * measure.banner // 10_000 if has_banner else 0,
        air=26 * scale // 100,
    )


def _rows(height: int, titled: int, others: int, largest: int) -> tuple[int, int]:
    """How many rows below the titled ones have room, and the height of each."""
    shares = _titled_height(100, titled) + others * 100
    smallest = SMALLEST_NAME * ROW // 100
    row = min(height * 100 // max(100, shares), largest * LOOSE_ROW // 100)
    if row >= smallest:
        return others, row
    return max(0, (height - _titled_height(smallest, titled)) // smallest), smallest


def _titled_height(row: int, titled: int) -> int:
    return sum(title_height(row, place) for place in range(titled))


def _cost(poster: Poster, way: Plan) -> tuple[int, int, int]:
    """Lower is better: names that are left out, then those that nobody can read, then what is not beautiful."""
    hidden = sum(way.hidden(month) for month in poster.months)
    illegible = sum(size < LEGIBLE for month in poster.months for size in _sizes(poster, way, month))
    return hidden, illegible, _ugliness(poster, way)


def _ugliness(poster: Poster, way: Plan) -> int:
    """What larger names are weighed against."""
    empty = way.columns * way.tiers - len(poster.months)
    wide = max(0, way.name_width - GOOD_WIDTH) // 40
    turns = 4 * (way.name_columns - 1) + 5 * way.paper.is_landscape + 12 * (way.measure is TIGHT)
    return turns + 3 * empty + wide - min(way.size, GOOD_NAME)


def _sizes(poster: Poster, way: Plan, month: Month) -> Iterator[int]:
    """The type of each name below the titled ranks."""
    room = _room_for_name(poster, way)
    return (fit(place.name, room, way.row, way.size).size for place in way.shown(month))


def _room_for_name(poster: Poster, way: Plan) -> int:
    return way.name_width - sum(places_for_name(way.size, poster.has_factions))
