"""The levels of rule 3.3 b to g, in their order, as data: each says what a table, or the bye, costs on it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import add

from tourney.domain.swiss.model import Contender, Options
from tourney.domain.swiss.order import Field, SeatingOrder

type PositionPair = tuple[int, int]
"""Two positions of a line, the higher placed first."""

type Tables = Sequence[PositionPair]


@dataclass(frozen=True)
class PairingCandidate:
    """One way to pair a field: who sits out, the line of the seated, and the tables from the top down."""

    bye: Contender | None
    line: SeatingOrder
    tables: tuple[PositionPair, ...]

    @cached_property
    def floats_down(self) -> Counter[int]:
        """How many meet somebody with fewer Battle Points, by what they have."""
        return Counter(self.line.points[high] for high, _ in self._across)

    @cached_property
    def floats_up(self) -> Counter[int]:
        """How many meet somebody with more Battle Points, by what they have."""
        return Counter(self.line.points[low] for _, low in self._across)

    @cached_property
    def _across(self) -> list[PositionPair]:
        points = self.line.points
        return [(high, low) for high, low in self.tables if points[high] != points[low]]


# What each of some tables costs on a level. All at once, because there are thousands of them.


def repeats(line: SeatingOrder, tables: Tables) -> list[int]:
    """Rule 3.3 b: how often these two have met."""
    ids, met = line.ids, line.met
    return [met[high].count(ids[low]) for high, low in tables]


def recency(line: SeatingOrder, tables: Tables) -> list[int]:
    """Rule 3.7: the 1-based position of their latest meeting among the opponents of either; 0 if they never did."""
    seated = line.seated
    pairs = [(seated[high], seated[low]) for high, low in tables]
    return [max(_last(above.met, below.id), _last(below.met, above.id)) for above, below in pairs]


def same_side(line: SeatingOrder, tables: Tables) -> list[int]:
    """Rule 3.10: 1 if both play the same side, else 0."""
    sides = [one.side for one in line.seated]
    return [int(sides[high] == sides[low] != "") for high, low in tables]


def squared_points(line: SeatingOrder, tables: Tables) -> list[int]:
    """Rule 3.3 d: the square of the difference in Battle Points."""
    points = line.points
    return [(points[high] - points[low]) ** 2 for high, low in tables]


def second_floats(line: SeatingOrder, tables: Tables) -> list[int]:
    """Rule 3.3 e: 1 if the higher placed floats down again, else 0."""
    points, floaters = line.points, line.floaters
    if not floaters:
        return [0] * len(tables)
    return [1 if high in floaters and points[high] > points[low] else 0 for high, low in tables]


def wishes(line: SeatingOrder, tables: Tables) -> list[int]:
    """Rule 3.3 f: how many soft wishes this table goes against."""
    groups = _alike(line.households, tables)
    if not line.options.keep_factions_apart:
        return groups
    return list(map(add, groups, _alike(line.factions, tables)))


def _alike(words: Sequence[str], tables: Tables) -> list[int]:
    """1 where both have the same word, else 0; none is the same as none."""
    if not words:
        return [0] * len(tables)
    return [int(words[high] == words[low] != "") for high, low in tables]


def quarrels(line: SeatingOrder, tables: Tables) -> list[PositionPair]:
    """The tables that cost something on b, e or f, and so are not the best for being the closest."""
    costs = map(add, map(add, repeats(line, tables), second_floats(line, tables)), wishes(line, tables))
    return [table for table, cost in zip(tables, costs, strict=True) if cost]


def is_quarrel(line: SeatingOrder, high: int, low: int) -> bool:
    """Whether this is one of the `quarrels`: for one table in a fifth of the time."""
    if line.ids[low] in line.met[high] or (high in line.floaters and line.points[high] > line.points[low]):
        return True
    groups, factions = line.households, line.options.keep_factions_apart and line.factions
    return bool((groups and groups[high] == groups[low] != "") or (factions and factions[high] == factions[low] != ""))


def distance(line: SeatingOrder, tables: Tables) -> list[int]:
    """Rule 3.3 g: how far the table is from the ideal of the style (rule 3.2), squared."""
    return CLOSENESS[line.options.style](line, tables)


def next_to(line: SeatingOrder, tables: Tables) -> list[int]:
    """Neighbours: 1-2, 3-4 ... is the one pairing with the least sum."""
    return [(low - high) ** 2 for high, low in tables]


def half_a_group_apart(line: SeatingOrder, tables: Tables) -> list[int]:
    """Halves: inside a group half its size apart is ideal; across groups, next to each other."""
    points = line.points
    half = {points: size // 2 for points, size in line.group_sizes.items()}
    return [(low - high - (half[points[high]] if points[high] == points[low] else 1)) ** 2 for high, low in tables]


CLOSENESS: Mapping[str, Callable[[SeatingOrder, Tables], list[int]]] = {
    "neighbours": next_to,
    "halves": half_a_group_apart,
    "random": next_to,
}


# What a bye costs.


def second_byes(field: Field, bye: Contender) -> int:
    """Rule 3.7: how many more byes than the fewest this contender has had."""
    return bye.byes - field.fewest_byes


def bye_turns(field: Field, bye: Contender) -> int:
    """Rules 3.3 c and 3.5: how many stand before this contender in line for the bye."""
    return 0 if bye is field.first_for_bye else field.bye_order.index(bye)


@dataclass(frozen=True, slots=True)
class Level:
    """One level of the order of importance; `holds` says with which options it is asked at all."""

    letter: str
    at_tables: Callable[[SeatingOrder, Tables], list[int]] | None = None
    at_bye: Callable[[Field, Contender], int] | None = None
    holds: Callable[[Options], bool] = lambda options: True


LEVELS = (
    Level("3.7 bye", at_bye=second_byes, holds=lambda options: options.no_second_bye),
    Level("b", at_tables=repeats),
    Level("c", at_bye=bye_turns),
    Level("3.7 oldest", at_tables=recency, holds=lambda options: options.no_second_bye),
    Level("3.10", at_tables=same_side, holds=lambda options: options.opposite_sides),
    Level("d", at_tables=squared_points),
    Level("e", at_tables=second_floats),
    Level("f", at_tables=wishes),
    Level("g", at_tables=distance),
)


def costs(field: Field, choice: PairingCandidate) -> tuple[int, ...]:
    """The totals of a pairing, one for each level that holds; the smaller tuple is the better pairing."""
    return tuple(_total(level, field, choice) for level in LEVELS if level.holds(field.options))


def costs_at(line: SeatingOrder, tables: Tables) -> list[tuple[int, ...]]:
    """What each of these tables costs, most important level first."""
    return list(zip(*costs_by_level(line, tables), strict=True))


def costs_by_level(line: SeatingOrder, tables: Tables) -> list[list[int]]:
    """What these tables cost on each level, most important level first."""
    return [level.at_tables(line, tables) for level in LEVELS if level.at_tables and level.holds(line.options)]


def _total(level: Level, field: Field, choice: PairingCandidate) -> int:
    total = sum(level.at_tables(choice.line, choice.tables)) if level.at_tables else 0
    if level.at_bye and choice.bye:
        total += level.at_bye(field, choice.bye)
    return total


def _last(met: Sequence[int], opponent: int) -> int:
    """The number, from 1, of the last meeting with that opponent; 0 without one."""
    return len(met) - met[::-1].index(opponent) if opponent in met else 0
