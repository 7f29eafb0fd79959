"""The levels of rule 3.3 b to g, in their order, as data: each says what a table, or the bye, costs on it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tourney.domain.swiss.model import Contender
from tourney.domain.swiss.order import Field, Line

type Table = tuple[int, int]
"""Two positions of a line, the higher placed first."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to pair a field: who sits out, the line of the seated, and the tables from the top down."""

    bye: Contender | None
    line: Line
    tables: tuple[Table, ...]


def repeats(line: Line, high: int, low: int) -> int:
    """Rule 3.3 b: how often these two have met."""
    return line.meetings.get((line.seated[high].id, line.seated[low].id), 0)


def bye_turns(field: Field, bye: Contender) -> int:
    """Rules 3.3 c and 3.5: how many stand before this contender in line for the bye."""
    return field.bye_order.index(bye)


def squared_points(line: Line, high: int, low: int) -> int:
    """Rule 3.3 d: the square of the difference in Battle Points."""
    return (line.seated[high].battle_points - line.seated[low].battle_points) ** 2


def second_floats(line: Line, high: int, low: int) -> int:
    """Rule 3.3 e: 1 if the higher placed floats down again, else 0."""
    above, below = line.seated[high], line.seated[low]
    return int(above.floated_down and above.battle_points > below.battle_points)


def wishes(line: Line, high: int, low: int) -> int:
    """Rule 3.3 f: how many soft wishes this table goes against."""
    above, below = line.seated[high], line.seated[low]
    same_group = above.group != "" and above.group == below.group
    same_faction = line.keep_factions_apart and above.faction != "" and above.faction == below.faction
    return int(same_group) + int(same_faction)


def distance(line: Line, high: int, low: int) -> int:
    """Rule 3.3 g: how far the table is from the ideal of the style (rule 3.2), squared."""
    return CLOSENESS[line.style](line, high, low)


def next_to(line: Line, high: int, low: int) -> int:
    """Neighbours: 1-2, 3-4 ... is the one pairing with the least sum."""
    return (low - high) ** 2


def half_a_group_apart(line: Line, high: int, low: int) -> int:
    """Halves: inside a group half its size apart is ideal; across groups, next to each other."""
    above, below = line.seated[high].battle_points, line.seated[low].battle_points
    ideal = line.group_sizes[above] // 2 if above == below else 1
    return (low - high - ideal) ** 2


CLOSENESS: Mapping[str, Callable[[Line, int, int], int]] = {
    "neighbours": next_to,
    "halves": half_a_group_apart,
    "random": next_to,
}


@dataclass(frozen=True, slots=True)
class Level:
    """One level of rule 3.3; a level without `at_table` or `at_bye` costs nothing there."""

    letter: str
    at_table: Callable[[Line, int, int], int] | None = None
    at_bye: Callable[[Field, Contender], int] | None = None


LEVELS = (
    Level("b", at_table=repeats),
    Level("c", at_bye=bye_turns),
    Level("d", at_table=squared_points),
    Level("e", at_table=second_floats),
    Level("f", at_table=wishes),
    Level("g", at_table=distance),
)


def costs(field: Field, choice: Choice) -> tuple[int, ...]:
    """The totals of a pairing, one for each level; the smaller tuple is the better pairing (rule 3.3)."""
    return tuple(_total(level, field, choice) for level in LEVELS)


def table_costs(line: Line, high: int, low: int) -> tuple[int, ...]:
    """What one table costs on the levels that look at tables, in their order."""
    return tuple([cost(line, high, low) for cost in _AT_TABLE])


def _total(level: Level, field: Field, choice: Choice) -> int:
    total = 0
    if level.at_table:
        total += sum(level.at_table(choice.line, high, low) for high, low in choice.tables)
    if level.at_bye and choice.bye:
        total += level.at_bye(field, choice.bye)
    return total


_AT_TABLE: Sequence[Callable[[Line, int, int], int]] = tuple(level.at_table for level in LEVELS if level.at_table)
