"""How many rounds a small graph of tables still has: perfect matchings without a common edge, exactly.

A graph is one integer with a bit for each edge, and so is a matching.
"""

from collections.abc import Iterator, Sequence
from functools import cache, reduce
from itertools import combinations
from operator import or_

from tourney.domain.swiss.matching import always_pairable

type Graph = int

TRIES = 12
MANY_ROUNDS = 5
"""From here on it pays to ask a necessary condition and some luck before everything is searched."""


def edge(size: int, one: int, two: int) -> Graph:
    """The graph with the one edge between two of `size` vertices."""
    return 1 << (min(one, two) * size + max(one, two))


class Rounds:
    """Questions about one graph and the graphs within it; what was found out is remembered.

    `matchings` are all perfect matchings of the graph, each one possible round.
    """

    def __init__(self, size: int, graph: Graph) -> None:
        self._size = size
        self.matchings = tuple(_matchings(size, graph, (1 << size) - 1))
        self._known: dict[tuple[Graph, int], bool] = {}

    def most(self, graph: Graph, wanted: int) -> int:
        """The greatest number of rounds up to `wanted` that can be played in `graph`."""
        return next(rounds for rounds in range(wanted, -1, -1) if self.can_play(graph, rounds))

    def can_play(self, graph: Graph, rounds: int) -> bool:
        """Whether `rounds` rounds can be played in `graph`, no table twice."""
        return self._can_play([one for one in self.matchings if one & graph == one], rounds)

    def _can_play(self, live: Sequence[Graph], rounds: int) -> bool:
        if rounds <= 1 or not live:
            return rounds == 0 or bool(live)
        graph = reduce(or_, live)
        least = min((graph & star).bit_count() for star in stars(self._size))
        if always_pairable(least - rounds + 1, self._size):
            return True
        if least < rounds:
            return False
        key = (graph, rounds)
        if key not in self._known:
            self._known[key] = self._find_out(live, graph, rounds)
        return self._known[key]

    def _find_out(self, live: Sequence[Graph], graph: Graph, rounds: int) -> bool:
        if rounds < MANY_ROUNDS:
            return self._search(live, graph, rounds)
        if not _has_room(self._size, graph, rounds):
            return False
        lucky = any(_works_out(live, rounds, attempt) for attempt in range(TRIES))
        return lucky or self._search(live, graph, rounds)

    def _search(self, live: Sequence[Graph], graph: Graph, rounds: int) -> bool:
        """Take the rarest table of the vertices with the fewest: it is played in some round, or never."""
        at_vertices = [graph & star for star in stars(self._size)]
        least = min(map(int.bit_count, at_vertices))
        candidates = reduce(or_, (tables for tables in at_vertices if tables.bit_count() == least))
        rarest = min(_bits(candidates), key=lambda table: sum(1 for one in live if one & table))
        for one in live:
            if one & rarest and self._can_play([other for other in live if not other & one], rounds - 1):
                return True
        return least > rounds and self._can_play([one for one in live if not one & rarest], rounds)


@cache
def stars(size: int) -> tuple[Graph, ...]:
    """All edges that each vertex could have."""
    return tuple(sum(edge(size, one, two) for two in range(size) if two != one) for one in range(size))


@cache
def _within(size: int) -> tuple[tuple[int, Graph], ...]:
    """For each set of more than half of the vertices: how many a round must pair inside, and the edges there."""
    return tuple(
        (2 * count - size, sum(edge(size, one, two) for one, two in combinations(members, 2)))
        for count in range(size // 2 + 1, size + 1)
        for members in combinations(range(size), count)
    )


def _has_room(size: int, graph: Graph, rounds: int) -> bool:
    """A condition without which it cannot be: edges for all who cannot be paired outside their set, in each round."""
    return all(2 * (graph & inside).bit_count() >= rounds * fewest for fewest, inside in _within(size))


def _works_out(live: Sequence[Graph], rounds: int, attempt: int) -> bool:
    """Whether taking the matching at the same fraction of the list, round after round, happens to work."""
    for _ in range(rounds):
        if not live:
            return False
        taken = live[len(live) * attempt // TRIES]
        live = [one for one in live if not one & taken]
    return True


def _matchings(size: int, graph: Graph, left: int) -> Iterator[Graph]:
    """Every perfect matching of the vertices in the bit mask `left`."""
    if not left:
        yield 0
        return
    one = (left & -left).bit_length() - 1
    left ^= 1 << one
    for two in range(one + 1, size):
        table = 1 << (one * size + two)
        if left >> two & 1 and graph & table:
            for rest in _matchings(size, graph, left ^ (1 << two)):
                yield rest | table


def _bits(mask: int) -> Iterator[int]:
    while mask:
        yield mask & -mask
        mask &= mask - 1
