"""The best pairing of a field: one exact minimum-cost perfect matching in a general graph.

The levels are folded into one integer for each edge so that no sum of lower levels can reach one unit of a
higher one. Those integers go to a blossom solver with 128-bit arithmetic; `cheapest` proves by a bound
computed beforehand that they fit, and refuses otherwise.

Which edges are needed. In the styles "neighbours" and "random" the levels d and g grow with the distance in
the line, at least additively. Take a table (a, b) of a best pairing, a before b, and another table with an
end between them; write it (c, d) with the end to the left first, so that c comes before b and d after a.
Exchanged for (a, c) and (b, d), the two are no worse on d and strictly better on g, so one of the new
tables must cost something on b, e or f: a quarrel of a, or one of b. A table has at most two ends between a
and b, so at most 2 * (quarrels(a) + quarrels(b)) contenders stand between them; longer edges are left out
of the graph.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import prod

import rustworkx

from tourney.domain.swiss.levels import Choice, Table, table_costs
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
    edges = [(high, low, table_costs(line, high, low)) for high, low in _worth_a_look(line)]
    return Choice(bye, line, cheapest(len(line.seated), edges))


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


def _bye(field: Field) -> Contender:
    """Rule 3.3 b and c: first in line among those whose bye leaves the fewest repeated opponents."""
    if always_pairable(_least_allowed(field) - 1, len(field.order) - 1):
        return field.bye_order[0]
    line, dummy = field.order, len(field.order)
    tables = (
        (one, two, (field.meetings.get((line[one].id, line[two].id), 0), 0))
        for one, two in combinations(range(dummy), 2)
    )
    byes = ((line.index(contender), dummy, (0, turn)) for turn, contender in enumerate(field.bye_order))
    matching = {two: one for one, two in cheapest(dummy + 1, [*tables, *byes])}
    return line[matching[dummy]]


def _least_allowed(field: Field) -> int:
    """The number of possible new opponents of whoever has the fewest."""
    active = {contender.id for contender in field.order}
    former = Counter(one for one, two in field.meetings if one in active and two in active)
    return len(active) - 1 - max(former.values(), default=0)


def _worth_a_look(line: Line) -> Iterator[Table]:
    """Every table that a best pairing can have; see the proof at the top of this file."""
    last = len(line.seated) - 1
    if line.style == "halves":
        yield from combinations(range(last + 1), 2)
        return
    quarrels = _quarrels(line)
    most = max(quarrels)
    for high in range(last):
        for low in range(high + 1, min(last, high + 1 + 2 * (quarrels[high] + most)) + 1):
            if low - high - 1 <= 2 * (quarrels[high] + quarrels[low]):
                yield high, low


def _quarrels(line: Line) -> list[int]:
    """For each position at least the number of others with whom a table would cost something on b, e or f."""
    seated = line.seated
    ids = {contender.id for contender in seated}
    former = Counter(one for one, two in line.meetings if one in ids and two in ids)
    groups = _sizes(contender.group for contender in seated)
    factions = _sizes(contender.faction for contender in seated if line.keep_factions_apart)
    floaters = [contender.battle_points for contender in seated if contender.floated_down]
    return [
        former[contender.id]
        + groups[contender.group]
        + factions[contender.faction]
        + sum(points > contender.battle_points for points in floaters)
        + _below(line, contender) * contender.floated_down
        for contender in seated
    ]


def _sizes(names: Iterable[str]) -> Counter[str]:
    sizes = Counter(names)
    del sizes[""]
    return sizes


def _below(line: Line, contender: Contender) -> int:
    points = contender.battle_points
    return len(line.seated) - line.group_starts[points] - line.group_sizes[points]
