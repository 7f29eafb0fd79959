"""The best pairing of a field: one exact minimum-cost perfect matching for each part of the line.

The levels are folded into one integer for each table so that no sum of lower levels can reach one unit of a
higher one. Those integers go to a blossom solver with 128-bit arithmetic; `cheapest` proves by a bound
computed beforehand that they fit, and refuses otherwise.

Which tables are worth a look? Where costs grow with the distance in the line, 1-2, 3-4 ... is the best pairing if
none of these tables costs anything but points and closeness: no other is as close, and none has a smaller sum
of squared points. If some do, `exchanges` says which of them are settled by an exchange with the table above or
below: after eight rounds of a large field nearly always all of them. Of the others `cuts` says which parts of the line
they are in that are problems of their own, and which tables a best pairing can have there. Where costs do not grow
with the distance (top half against bottom half, factions kept apart), the tables near the ideal of the style are tried
first. Whatever comes before closeness is known: half against half it is that of the best neighbours, in round 1 it is
what no pairing can avoid. If the pairing found is as good as that, a better one is only closer, so that none of its
tables is further from the ideal than the sum over the pairing found: the tables within that radius hold the
best pairing. If it is not, the radius grows.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, islice
from math import isqrt

import rustworkx

from tourney.domain.swiss.cuts import Neighbourhood
from tourney.domain.swiss.exchanges import MOST_NEARBY, exchanges, nearby
from tourney.domain.swiss.levels import (
    PairingCandidate,
    PositionPair,
    costs_at,
    costs_by_level,
    distance,
    quarrels,
    squared_points,
)
from tourney.domain.swiss.model import Contender
from tourney.domain.swiss.order import Field, SeatingOrder

SAFE_WEIGHT = 2**125
"""The solver's numbers stay within four times the greatest weight, which must be less than 2**127.

It starts every dual at the greatest weight w; a single vertex only loses from it and never falls below 0, so
all steps together are at most w. Duals stay within 0 and 2w, blossoms within 2w, slacks within -2w and 4w.
"""

FIRST_RADIUS = 12

LONG = 200
"""From so many seated on, what cannot be settled by exchanges is tried with who is nearby.

In a shorter line that is mostly at its top, where somebody has to meet another group, and it would be in vain.
"""

MOST_TABLES = 24
"""So many are weighed together nearby; more are not worth it."""

type Edge = tuple[int, int, tuple[int, ...]]
"""Two vertices and the costs of joining them, most important first."""


def best_choice(field: Field) -> PairingCandidate:
    """The best pairing by rule 3.3 b to g, without look-ahead."""
    bye = bye_of(field) if field.has_bye else None
    line = field.line(bye)
    return PairingCandidate(bye, line, tuple(_best_tables(line)))


def bye_of(field: Field) -> Contender:
    """Rule 3.3 b and c: first in line among those whose bye leaves the fewest repeated opponents."""
    size = len(field.drawn)
    most_met = max([len(contender.met) for contender in field.drawn])
    if always_pairable(size - 2 - most_met, size - 1):
        return field.first_for_bye
    line, dummy = field.order, size
    first = [bye for bye in field.bye_order if not field.options.no_second_bye or bye.byes == field.fewest_byes]
    tables = [(one, two, (line[one].met.count(line[two].id), 0)) for one, two in combinations(range(dummy), 2)]
    byes = [(line.index(contender), dummy, (0, turn)) for turn, contender in enumerate(first)]
    matching = {two: one for one, two in cheapest(dummy + 1, [*tables, *byes])}
    return line[matching[dummy]]


def cheapest(size: int, edges: Sequence[Edge]) -> tuple[PositionPair, ...]:
    """The perfect matching of `size` vertices whose summed costs are the least, level by level; sorted.

    The edges must allow a perfect matching. Raises OverflowError if the costs do not fit the solver.
    """
    weights = folded(size, [costs for _, _, costs in edges])
    return tuple(_lightest(size, [(one, two) for one, two, _ in edges], weights))


def folded(size: int, costs: Sequence[tuple[int, ...]]) -> list[int]:
    """One integer for each tuple; sums over `size // 2` of them compare like the sums of the tuples."""
    return _folded(size, list(zip(*costs, strict=True))) if costs else []


def always_pairable(degree: int, size: int) -> bool:
    """Dirac: an even field can be paired when everybody has at least size / 2 partners left (rule 3.4)."""
    return 2 * degree >= size


def _best_tables(line: SeatingOrder) -> Sequence[PositionPair]:
    options = line.options
    if options.opposite_sides:
        return _best_of(line, list(combinations(range(len(line.seated)), 2)))
    if options.style == "halves":
        neighbours = replace(line, options=replace(options, style="neighbours"))
        best = _best_tables(neighbours)
        return _best_in_radius(line, best, floor=_totals(line, best)[:-1])
    if options.keep_factions_apart:
        return _best_in_radius(line, (), floor=_unavoidable_in_round_1(line))
    return _best_of_parts(line)


def _best_of_parts(line: SeatingOrder) -> Sequence[PositionPair]:
    """The best pairing: that of neighbors, but for exchanges and the parts of the line where these are not enough.

    What the tables of those parts cost is asked of all at once.
    """
    best = [(high, high + 1) for high in range(0, len(line.seated), 2)]
    unwanted = [high for high, _ in quarrels(line, best)]
    if not unwanted:
        return best
    settled = exchanges(line, unwanted)
    for exchange in settled.values():
        best[exchange.start // 2 : exchange.start // 2 + 2] = exchange.tables
    if len(settled) == len(unwanted):
        return best
    if len(line.seated) >= LONG and (found := _paired_nearby(line, nearby(unwanted, settled, len(line.seated)))):
        for tables in found:
            start = tables[0][0] // 2
            best[start : start + len(tables)] = tables
        return best
    near = Neighbourhood(line)
    is_open = [high for high in unwanted if high not in settled]
    blocks = near.blocks(is_open)
    parts = [near.tables(start, stop) for start, stop in blocks]
    levels = [iter(level) for level in costs_by_level(line, [table for part in parts for table in part])]
    for (start, stop), part in zip(blocks, parts, strict=True):
        best[start // 2 : stop // 2] = _best_matching(part, [list(islice(level, len(part))) for level in levels])
    return best


def _paired_nearby(line: SeatingOrder, parts: Sequence[tuple[int, int]]) -> list[Sequence[PositionPair]]:
    """The best tables of each of these parts; none at all if in one of them the best may need somebody from outside."""
    found: list[Sequence[PositionPair]] = []
    for start, stop in parts:
        neighbors = [(high, high + 1) for high in range(start, stop, 2)]
        if len(neighbors) > MOST_TABLES:
            return []
        tables = _best_of(line, list(combinations(range(start, stop), 2)))
        *before, closeness = _totals(line, tables)
        if sum(before) > sum(squared_points(line, neighbors)) or closeness - len(neighbors) > MOST_NEARBY:
            return []
        found.append(tables)
    return found


def _best_of(line: SeatingOrder, tables: Sequence[PositionPair]) -> Sequence[PositionPair]:
    """The best pairing of all positions in these tables, which are those of one part of the line."""
    return tables if len(tables) == 1 else _best_matching(tables, costs_by_level(line, tables))


def _best_matching(tables: Sequence[PositionPair], levels: Sequence[Sequence[int]]) -> Sequence[PositionPair]:
    start, size = tables[0][0], max([low for _, low in tables]) - tables[0][0] + 1
    edges = [(high - start, low - start) for high, low in tables]
    return [(start + high, start + low) for high, low in _lightest(size, edges, _folded(size, levels))]


def _lightest(size: int, edges: Sequence[PositionPair], weights: Sequence[int]) -> list[PositionPair]:
    """`cheapest`, for costs that are folded."""
    # One table more is worth more than all costs together: a matching of greatest weight is a perfect one.
    full = max(weights) * (size // 2) + 1
    if full >= SAFE_WEIGHT:
        raise OverflowError("points or places lie too far apart to be paired exactly")
    graph = rustworkx.PyGraph()
    graph.extend_from_weighted_edge_list(
        [(one, two, full - weight) for (one, two), weight in zip(edges, weights, strict=True)]
    )
    found = rustworkx.max_weight_matching(graph, weight_fn=int)
    return sorted([(one, two) if one < two else (two, one) for one, two in found])


def _folded(size: int, levels: Iterable[Sequence[int]]) -> list[int]:
    """The levels of what some tables cost, most important first, as one integer for each table."""
    first, *others = levels
    weights = list(first)
    for level in others:
        if most := max(level):
            room = most * (size // 2) + 1
            weights = [weight * room + cost for weight, cost in zip(weights, level, strict=True)]
    return weights


def _best_in_radius(line: SeatingOrder, known: Sequence[PositionPair], floor: Sequence[int]) -> Sequence[PositionPair]:
    """The best pairing by trying the tables near the ideal first, and those `known`, as far as is needed.

    `floor` is what no pairing can go below on the levels before closeness.
    """
    size, radius = len(line.seated), FIRST_RADIUS
    least = 1 if line.options.style == "neighbours" else 0
    while True:
        tables = _best_of(line, sorted({*known, *_near_ideal(line, radius)}))
        *before, closeness = _totals(line, tables)
        others = least * (size // 2 - 1)
        enough = isqrt(closeness - others) if before == list(floor) else 4 * radius
        if radius >= min(enough, size):
            return tables
        radius = enough


def _near_ideal(line: SeatingOrder, radius: int) -> Iterator[PositionPair]:
    """The tables that are not further than `radius` from the ideal of the style (rule 3.2)."""
    size = len(line.seated)
    for high, points in enumerate(line.points):
        half = line.group_sizes[points] // 2 if line.options.style == "halves" else 0
        lows = {*range(high + 1, high + radius + 2), *range(high + half - radius, high + half + radius + 1)}
        tables = [(high, low) for low in lows if high < low < size]
        yield from (table for table, far in zip(tables, distance(line, tables), strict=True) if far <= radius**2)


def _unavoidable_in_round_1(line: SeatingOrder) -> Sequence[int]:
    """Who are more than half of a faction meet among themselves, however they are paired (rule 3.3 f)."""
    factions = Counter([one.faction for one in line.seated if one.faction])
    most = max(factions.values(), default=0)
    *before, _, _ = _totals(line, [(0, 1)])
    return [*[0] * len(before), max(0, most - len(line.seated) // 2)]


def _totals(line: SeatingOrder, tables: Sequence[PositionPair]) -> list[int]:
    return [sum(level) for level in zip(*costs_at(line, tables), strict=True)]
