"""Rule 3.4: the pairing of a round must not make a later planned round impossible.

A field is seen as a graph of who may still meet: a vertex for each contender in order, and with an odd number
one more for the bye, which everybody without a bye "may still meet". A round without a rematch and without a
second bye is a perfect matching of that graph; later rounds are matchings that share no edge with it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations

from tourney.domain.swiss.levels import PairingCandidate, PositionPair, Tables, costs_at
from tourney.domain.swiss.matching import always_pairable, folded
from tourney.domain.swiss.model import Contender
from tourney.domain.swiss.order import Field, SeatingOrder
from tourney.domain.swiss.rounds import Graph, Rounds, edge, stars

MOST_VERTICES = 12
"""Up to this many, the bye included, later rounds are searched; from 13 contenders on 7 are certain."""

type Weigh = Callable[[SeatingOrder, Tables], Sequence[tuple[int, ...]]]
"""What each of some tables costs, most important level first."""


def keep_later_rounds(field: Field, best: PairingCandidate, rounds_left: int) -> PairingCandidate:
    """The best pairing after which as many planned rounds as possible need no rematch and no second bye.

    `best` is the best pairing of this round alone, and the answer wherever it leaves as many as any, or where
    this round itself cannot do without a rematch or a second bye, or with more than MOST_VERTICES.
    """
    size = vertices(field)
    if not rounds_left or size > MOST_VERTICES:
        return best
    free = may_meet(field)
    if always_pairable(least_left(size, free) - rounds_left, size):
        return best
    rounds = Rounds(size, free)
    left = rounds.most(free, rounds_left + 1) - 1
    if left < 1 or rounds.can_play(free & ~taken(field, seats_of(best)), left):
        return best
    return next(
        choice
        for choice in in_cost_order(field, rounds.matchings)
        if rounds.can_play(free & ~taken(field, seats_of(choice)), left)
    )


def clean_rounds(field: Field, tables: Iterable[tuple[int, int]], bye: int | None, wanted: int) -> int | None:
    """How many of the `wanted` next rounds can do without a rematch and a second bye, these tables once played.

    `tables` and `bye` are ids; without any, the count begins now. None with more than MOST_VERTICES where it is not
    certain that all can.
    """
    size, seats = vertices(field), [*tables, *([(bye,)] if bye is not None else [])]
    if not wanted or always_pairable(fewest_left(field, seats) - wanted + 1, size):
        return wanted
    if size > MOST_VERTICES:
        return None
    free = may_meet(field) & ~taken(field, seats)
    return Rounds(size, free).most(free, wanted)


def fewest_left(field: Field, seats: Iterable[Sequence[int]]) -> int:
    """How many tables, and the bye, whoever has the fewest still has before them once these sat together.

    The same as `least_left` of the graph, without the graph, which grows with the square of a large field.
    """
    met, had = {one.id: set(one.met) for one in field.order}, {one.id for one in field.order if one.byes}
    for one, *other in seats:
        if other:
            met[one].add(other[0])
            met[other[0]].add(one)
        else:
            had.add(one)
    others, byes = len(met) - 1, field.has_bye
    left = [others - len(opponents & met.keys()) + (byes and one not in had) for one, opponents in met.items()]
    return min([*left, len(met) - len(had)] if byes else left)


def vertices(field: Field) -> int:
    """The number of vertices of the field's graph, the bye included."""
    return len(field.order) + field.has_bye


def may_meet(field: Field) -> Graph:
    """The tables that would be no rematch, and the byes that would be no second one."""
    size = vertices(field)
    numbered = list(enumerate(field.order))
    tables = sum(
        edge(size, one, two) for (one, first), (two, second) in combinations(numbered, 2) if second.id not in first.met
    )
    byes = sum(edge(size, one, size - 1) for one, contender in numbered if field.has_bye and not contender.byes)
    return tables + byes


def least_left(size: int, free: Graph) -> int:
    """The minimum degree of the graph of free edges, which has `size` vertices."""
    return min((free & star).bit_count() for star in stars(size))


def taken(field: Field, seats: Iterable[Sequence[int]]) -> Graph:
    """The edges that are used up when these sit together: ids, two at a table, one with the bye."""
    size, vertex = vertices(field), vertex_of(field)
    return sum(edge(size, vertex[one], vertex[other[0]] if other else size - 1) for one, *other in seats)


def seats_of(choice: PairingCandidate) -> list[tuple[int, ...]]:
    """The ids at each table, and with the bye."""
    seated = choice.line.seated
    byes = [(choice.bye.id,)] if choice.bye else []
    return [*((seated[high].id, seated[low].id) for high, low in choice.tables), *byes]


def in_cost_order(field: Field, matchings: Iterable[Graph], weigh: Weigh = costs_at) -> Iterator[PairingCandidate]:
    """The pairings that `matchings` stand for, the best by rule 3.3 c and what `weigh` says of tables first."""
    size, vertex = vertices(field), vertex_of(field)
    byes = field.bye_order if field.has_bye else (None,)
    for bye in byes:
        seat = edge(size, vertex[bye.id], size - 1) if bye else 0
        yield from _with_bye(field, bye, [one & ~seat for one in matchings if one & seat == seat], weigh)


def _with_bye(
    field: Field, bye: Contender | None, matchings: Iterable[Graph], weigh: Weigh
) -> Iterator[PairingCandidate]:
    line, size, vertex = field.line(bye), vertices(field), vertex_of(field)
    tables = list(combinations(range(len(line.seated)), 2))
    weights = folded(len(line.seated), weigh(line, tables))
    edges = [edge(size, *(vertex[line.seated[position].id] for position in table)) for table in tables]
    weighed = list(zip(edges, tables, weights, strict=True))

    def read(matching: Graph) -> tuple[int, tuple[PositionPair, ...]]:
        taken = [(table, weight) for bit, table, weight in weighed if bit & matching]
        return sum(weight for _, weight in taken), tuple(table for table, _ in taken)

    for _, chosen in sorted(map(read, matchings)):
        yield PairingCandidate(bye, line, chosen)


def vertex_of(field: Field) -> dict[int, int]:
    """The index of each contender's vertex, by the contender's id."""
    return {contender.id: index for index, contender in enumerate(field.order)}
