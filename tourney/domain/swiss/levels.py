"""The levels of rule 3.3 b to g, in their order, as data: each says what a table, or the bye, costs on it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tourney.domain.swiss.model import Contender, Options
from tourney.domain.swiss.order import Field, Line

type Table = tuple[int, int]
"""Two positions of a line, the higher placed first."""


@dataclass(frozen=True)
class Choice:
    """One way to pair a field: who sits out, the line of the seated, and the tables from the top down."""

    bye: Contender | None
    line: Line
    tables: tuple[Table, ...]

    @cached_property
    def floats_down(self) -> Counter[int]:
        """By Battle Points, how many who have them meet somebody with fewer."""
        return Counter(self.line.points[high] for high, _ in self._across)

    @cached_property
    def floats_up(self) -> Counter[int]:
        """By Battle Points, how many who have them meet somebody with more."""
        return Counter(self.line.points[low] for _, low in self._across)

    @cached_property
    def _across(self) -> list[Table]:
        points = self.line.points
        return [(high, low) for high, low in self.tables if points[high] != points[low]]


def repeats(line: Line, high: int, low: int) -> int:
    """Rule 3.3 b: how often these two have met."""
    return line.seated[high].met.count(line.seated[low].id)


def recency(line: Line, high: int, low: int) -> int:
    """Rule 3.7: as the how manieth opponent of either these two met last, from 1; 0 if they never did."""
    above, below = line.seated[high], line.seated[low]
    return max(_last(above.met, below.id), _last(below.met, above.id))


def second_byes(field: Field, bye: Contender) -> int:
    """Rule 3.7: how many more byes than the fewest this contender has had."""
    return bye.byes - field.fewest_byes


def bye_turns(field: Field, bye: Contender) -> int:
    """Rules 3.3 c and 3.5: how many stand before this contender in line for the bye."""
    return 0 if bye is field.first_for_bye else field.bye_order.index(bye)


def same_side(line: Line, high: int, low: int) -> int:
    """Rule 3.10: 1 if both play the same side, else 0."""
    above, below = line.seated[high], line.seated[low]
    return int(above.side != "" and above.side == below.side)


def squared_points(line: Line, high: int, low: int) -> int:
    """Rule 3.3 d: the square of the difference in Battle Points."""
    return (line.points[high] - line.points[low]) ** 2


def second_floats(line: Line, high: int, low: int) -> int:
    """Rule 3.3 e: 1 if the higher placed floats down again, else 0."""
    return int(line.seated[high].floated_down and line.points[high] > line.points[low])


def wishes(line: Line, high: int, low: int) -> int:
    """Rule 3.3 f: how many soft wishes this table goes against."""
    above, below = line.seated[high], line.seated[low]
    same_group = above.group != "" and above.group == below.group
    same_faction = line.options.keep_factions_apart and above.faction != "" and above.faction == below.faction
    return int(same_group) + int(same_faction)


def distance(line: Line, high: int, low: int) -> int:
    """Rule 3.3 g: how far the table is from the ideal of the style (rule 3.2), squared."""
    return CLOSENESS[line.options.style](line, high, low)


def next_to(line: Line, high: int, low: int) -> int:
    """Neighbours: 1-2, 3-4 ... is the one pairing with the least sum."""
    return (low - high) ** 2


def half_a_group_apart(line: Line, high: int, low: int) -> int:
    """Halves: inside a group half its size apart is ideal; across groups, next to each other."""
    above, below = line.points[high], line.points[low]
    ideal = line.group_sizes[above] // 2 if above == below else 1
    return (low - high - ideal) ** 2


CLOSENESS: Mapping[str, Callable[[Line, int, int], int]] = {
    "neighbours": next_to,
    "halves": half_a_group_apart,
    "random": next_to,
}


@dataclass(frozen=True, slots=True)
class Level:
    """One level of the order of importance; `holds` says with which options it is asked at all."""

    letter: str
    at_table: Callable[[Line, int, int], int] | None = None
    at_bye: Callable[[Field, Contender], int] | None = None
    holds: Callable[[Options], bool] = lambda options: True


LEVELS = (
    Level("3.7 bye", at_bye=second_byes, holds=lambda options: options.no_second_bye),
    Level("b", at_table=repeats),
    Level("c", at_bye=bye_turns),
    Level("3.7 oldest", at_table=recency, holds=lambda options: options.no_second_bye),
    Level("3.10", at_table=same_side, holds=lambda options: options.opposite_sides),
    Level("d", at_table=squared_points),
    Level("e", at_table=second_floats),
    Level("f", at_table=wishes),
    Level("g", at_table=distance),
)


def costs(field: Field, choice: Choice) -> tuple[int, ...]:
    """The totals of a pairing, one for each level that holds; the smaller tuple is the better pairing."""
    return tuple(_total(level, field, choice) for level in LEVELS if level.holds(field.options))


def at_tables(options: Options) -> Sequence[Callable[[Line, int, int], int]]:
    """The levels that look at tables, in their order."""
    return [level.at_table for level in LEVELS if level.at_table and level.holds(options)]


def _total(level: Level, field: Field, choice: Choice) -> int:
    total = 0
    if level.at_table:
        total += sum([level.at_table(choice.line, high, low) for high, low in choice.tables])
    if level.at_bye and choice.bye:
        total += level.at_bye(field, choice.bye)
    return total


def _last(met: Sequence[int], opponent: int) -> int:
    """The number, from 1, of the last meeting with that opponent; 0 without one."""
    return len(met) - met[::-1].index(opponent) if opponent in met else 0
