"""The best pairing of a field: one exact minimum-cost perfect matching for each part of the line.

The levels are folded into one integer for each table so that no sum of lower levels can reach one unit of a
higher one. Those integers go to a blossom solver with 128-bit arithmetic; `cheapest` proves by a bound
computed beforehand that they fit, and refuses otherwise. Where costs grow with the distance in the line,
`cuts` says which parts of it are problems of their own and which tables are worth a look; elsewhere all are.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import prod

import rustworkx

from tourney.domain.swiss.cuts import Neighbourhood
from tourney.domain.swiss.levels import Choice, Table, at_tables
from tourney.domain.swiss.model import Contender
from tourney.domain.swiss.order import Field, Line

SAFE_WEIGHT = 2**125
"""The solver's numbers stay within four times the greatest weight, which must be less than 2**127.

It starts every dual at the greatest weight w; a single vertex only loses from it and never falls below 0, so
all steps together are at most w. Duals stay within 0 and 2w, blossoms within 2w, slacks within -2w and 4w.
"""

type Edge = tuple[int, int, tuple[int, ...]]
"""Two vertices and the costs of joining them, most important first."""


def best_choice(field: Field) -> Choice:
    """The best pairing by rule 3.3 b to g, without look-ahead."""
    bye = _bye(field) if field.has_bye else None
    line = field.line(bye)
    return Choice(bye, line, tuple(_best_tables(line)))


def cheapest(size: int, edges: Sequence[Edge]) -> tuple[Table, ...]:
    """The perfect matching of `size` vertices whose summed costs are the least, level by level; sorted.

    The edges must allow a perfect matching. Raises OverflowError if the costs do not fit the solver.
    """
    weights = folded(size, [costs for _, _, costs in edges])
    # One table more is worth more than all costs together: a matching of greatest weight is a perfect one.
    full = max(weights) * (size // 2) + 1
    if full >= SAFE_WEIGHT:
        raise OverflowError("points or places lie too far apart to be paired exactly")
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from([(one, two, full - weight) for (one, two, _), weight in zip(edges, weights, strict=True)])
    found = rustworkx.max_weight_matching(graph, weight_fn=int)
    return tuple(sorted((min(pair), max(pair)) for pair in found))


def folded(size: int, costs: Sequence[tuple[int, ...]]) -> list[int]:
    """One integer for each tuple; sums over `size // 2` of them compare like the sums of the tuples."""
    room = [max(level) * (size // 2) + 1 for level in zip(*costs, strict=True)]
    units = [prod(room[level + 1 :]) for level in range(len(room))]
    return [sum(map(int.__mul__, one, units)) for one in costs]


def always_pairable(degree: int, size: int) -> bool:
    """Dirac: an even field can be paired when everybody has at least size / 2 partners left (rule 3.4)."""
    return 2 * degree >= size


def _best_tables(line: Line) -> Iterator[Table]:
    levels = at_tables(line.options)
    for start, tables in _parts(line):
        if len(tables) == 1:
            yield tables[0]
            continue
        edges = [(high - start, low - start, tuple([cost(line, high, low) for cost in levels])) for high, low in tables]
        size = max(low for _, low, _ in edges) + 1
        yield from ((start + high, start + low) for high, low in cheapest(size, edges))


def _parts(line: Line) -> Iterator[tuple[int, list[Table]]]:
    """The parts of the line that can be paired one by one, from the top down: start, and tables worth a look."""
    options = line.options
    if options.style == "halves" or options.keep_factions_apart or options.opposite_sides:
        yield 0, list(combinations(range(len(line.seated)), 2))
        return
    near = Neighbourhood(line)
    for start, stop in near.blocks():
        yield start, near.tables(start, stop)


def _bye(field: Field) -> Contender:
    """Rule 3.3 b and c: first in line among those whose bye leaves the fewest repeated opponents."""
    size = len(field.drawn)
    most_met = max(len(contender.met) for contender in field.drawn)
    if always_pairable(size - 2 - most_met, size - 1):
        return field.first_for_bye
    line, dummy = field.order, size
    first = [bye for bye in field.bye_order if not field.options.no_second_bye or bye.byes == field.fewest_byes]
    tables = [(one, two, (line[one].met.count(line[two].id), 0)) for one, two in combinations(range(dummy), 2)]
    byes = [(line.index(contender), dummy, (0, turn)) for turn, contender in enumerate(first)]
    matching = {two: one for one, two in cheapest(dummy + 1, [*tables, *byes])}
    return line[matching[dummy]]
