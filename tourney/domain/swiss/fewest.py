"""A best pairing that keeps the most of the tables there are, without weighing every table there could be.

What the best pairing costs on the levels b to f is known (`matching.best_choice`). Sought is a pairing that costs the
same there, has the fewest new tables, and of those is the closest. This holds for every style: it asks nothing of g.

*What a table costs beyond what is due.* Over a gap of the line with an odd number above it at least one table leads,
and squares of differences add up to no more than the square of their sum. So on level d a pairing costs at least the
sum over all odd gaps of the squared difference right there: that is due. A table costs what is due on its way, its
excess on d, and what it costs on the other levels. The excesses of a pairing add up to at most what the pairing costs
beyond what is due, d and the other levels each by itself. So no table of a best pairing has a greater excess than
that, which gives the lowest placed whom each may meet, and the gaps that no table crosses.

*Sound tables* are those of the tables there are that have no excess and do not share their odd gap between two groups
with another such table; the others who sit are *loose*. Lay a best pairing with the fewest new tables over the sound
ones: the tables that only one of the two has form paths between two loose each, and rings. There is no ring: with its
sound tables instead of the others the pairing would be as good on b to f, and have fewer new tables. For on the
other levels sound tables cost nothing, and on d only what is due over odd gaps that the others of the ring cross as
well, because a ring crosses each gap with as many of the ones as of the others, or with two more or fewer, and the
sound ones are one at most. A path that breaks k sound tables has k + 1 others, all of them new but for one between
two loose that was there before. So a pairing that breaks k has at least loose / 2 + k new tables, less those of the
unsound tables that a best pairing can have.

So what breaks no sound table is tried first: only the loose are paired. Then what breaks none but between two loose:
each table of a path has a loose end. A pairing found like that whose new tables are fewer than those of any that
breaks more is the one sought. Otherwise all tables are weighed that a best pairing can have, between two cuts with
somebody loose between them.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, pairwise

from tourney.domain.swiss.levels import PairingCandidate, PositionPair, Tables, squared_points
from tourney.domain.swiss.lookahead import Weigh
from tourney.domain.swiss.matching import cheapest


def with_fewest_new(best: PairingCandidate, kept: Iterable[Collection[int]], weigh: Weigh) -> PairingCandidate:
    """Of the pairings that are as good as `best` on b to f the closest of those with the most of the tables `kept`.

    `kept` are ids, two at a table (others are passed over), and nobody sits at two of them. `weigh` says what tables
    cost on b to f, whether they are new, and what they cost on g.
    """
    at = {one.id: position for position, one in enumerate(best.line.seated)}
    places = (sorted(at[id] for id in seats if id in at) for seats in kept)
    tables = sorted((seats[0], seats[1]) for seats in places if len(seats) == 2)
    return replace(best, tables=tuple(sorted(_Search(best, tables, weigh).found())))


class _Search:
    """What is known of the line of the best pairing, and of the tables there that are kept if they can be."""

    def __init__(self, best: PairingCandidate, kept: Tables, weigh: Weigh) -> None:
        self._line, self._weigh = best.line, weigh
        self._due = list(_due(best.line.points))
        apart = sum(squared_points(best.line, best.tables))
        self._least = self._totals(best.tables)[:-2]
        self._most_apart, self._most_beside = apart - self._due[-1], sum(self._least) - apart
        self._stop = list(self._stops())
        self._sound, self._may_stay = self._judged(kept)
        sitting = {position for table in self._sound for position in table}
        self._loose = [position for position in range(len(self._due)) if position not in sitting]

    def found(self) -> Tables:
        """The tables of the pairing that is sought."""
        among = [(high, low) for high, low in combinations(self._loose, 2) if low < self._stop[high]]
        if self._is_proven(tables := self._paired(self._loose, among), broken=0):
            return tables
        near = [position for part in self._parts() for position in part]
        if self._is_proven(tables := self._paired(near, self._with_a_loose_end(near)), broken=1):
            return tables
        return self._paired(near, [(high, low) for high in near for low in range(high + 1, self._stop[high])])

    def _is_proven(self, tables: Tables, *, broken: int) -> bool:
        """Whether this is a pairing, and none that breaks more sound tables than so many can be better."""
        if 2 * len(tables) < len(self._due):
            return False
        *costs, new, _ = self._totals(tables)
        return costs == self._least and new <= len(self._loose) // 2 + broken - self._may_stay

    def _paired(self, seats: Sequence[int], tables: Tables) -> Tables:
        """The best pairing of these in those tables, as far as there is one, and the sound tables of the others."""
        number = {position: index for index, position in enumerate(seats)}
        stay = [table for table in self._sound if table[0] not in number]
        if not tables:
            return stay
        weighed = zip(tables, self._weigh(self._line, tables), strict=True)
        chosen = cheapest(len(seats), [(number[high], number[low], costs) for (high, low), costs in weighed])
        return [*stay, *((seats[high], seats[low]) for high, low in chosen)]

    def _totals(self, tables: Tables) -> list[int]:
        return [sum(level) for level in zip(*self._weigh(self._line, tables), strict=True)]

    # what a table costs beyond what is due, and which tables a best pairing can have

    def _excess(self, high: int, low: int) -> int:
        """On level d; it grows with the distance."""
        points = self._line.points
        return (points[high] - points[low]) ** 2 - (self._due[low] - self._due[high])

    def _stops(self) -> Iterator[int]:
        """By position the first below whom it cannot meet any more."""
        low = 0
        for high in range(len(self._due)):
            low = max(low, high + 1)
            while low < len(self._due) and self._excess(high, low) <= self._most_apart:
                low += 1
            yield low

    def _judged(self, kept: Tables) -> tuple[Tables, int]:
        """The sound tables, and how many of the others a best pairing can have at most."""
        costs = zip(kept, self._weigh(self._line, kept), squared_points(self._line, kept), strict=True)
        excess = {table: (self._excess(*table), sum(levels[:-2]) - square) for table, levels, square in costs}
        over = Counter(self._way(table) for table in kept if excess[table] == (0, 0))
        sound = [table for table in kept if excess[table] == (0, 0) and over[self._way(table)] == 1]
        crowded = [1 if not self._most_apart else tables for tables in over.values() if tables > 1]
        others = [both for both in excess.values() if both != (0, 0)]
        possible = sum(apart <= self._most_apart and beside <= self._most_beside for apart, beside in others)
        return sound, sum(crowded) + possible

    def _way(self, table: PositionPair) -> PositionPair | int:
        """What no two sound tables share: the gap between two groups, or else the table itself."""
        points = self._line.points
        return table if points[table[0]] == points[table[1]] else self._due[table[1]]

    def _with_a_loose_end(self, near: Collection[int]) -> list[PositionPair]:
        down = {(high, low) for high in self._loose for low in range(high + 1, self._stop[high])}
        up = {(high, low) for low in self._loose for high in range(bisect_right(self._stop, low), low)}
        here = {*near}
        return sorted(down | up | {table for table in self._sound if table[0] in here})

    def _parts(self) -> Iterator[range]:
        """Between two cuts, with somebody loose."""
        cuts = [0, *(gap for gap, stop in enumerate(self._stop, start=1) if gap == stop)]
        yield from (range(*part) for part in pairwise(cuts) if not {*self._loose}.isdisjoint(range(*part)))


def _due(points: Sequence[int]) -> Iterator[int]:
    """By position what is due on level d over all odd gaps above it."""
    due = 0
    for position, (above, below) in enumerate(pairwise([points[0], *points])):
        due += (above - below) ** 2 if position % 2 else 0
        yield due
