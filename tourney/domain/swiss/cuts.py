"""Where the line of the seated can be cut, and which tables a best pairing can have: rule 3.3 made local.

This holds where the levels d and g grow with the distance in the line: in the styles "neighbours" and
"random". Two tables cross a gap of the line when each has one of its two on either side: (a, b) and (c, d)
with a and c above the gap. Exchanged for (a, c) and (b, d) they are never worse on d and always better on g.
So a best pairing has two such tables only where the exchange would cost something on b, e or f:

- a and c, or b and d, *conflict*: they have met, or it is wished to keep them apart; or
- of b and d the higher placed, say b, has floated down, c stands in the group of b and d below it. Then (b, d)
  is a second float at the same sum of squares. If c had more points than b, the exchange would make d better.
  If a and c make a second float, so did the one of them who stood higher, before.

*How far apart two at a table can stand.* Let (p, q) be a table of a best pairing, p above q. Every other table
with an end between them crosses a gap together with it, so that there is a reason not to exchange them: a
conflict of p above the gap or of q below it, with somebody else for each of these tables; or a float, namely
of somebody below p in the group of p when q stands below that group; or that of q, when the table leads out
of the group of q over q. All tables of this last kind cross the lower border of the group, where they must
conflict in pairs; with at most a conflicts above and b below for everybody there are at most a + b + 1 of them.
A table has at most two ends between p and q: this is what `_limits` says. A conflict counts above a gap only where the
table of the higher placed can reach past the other, below a gap only where that of the lower placed can: so
counting again makes the tables shorter.

*Where to cut.* Over a gap with an even number above it an even number of tables must lead. If no two tables
that may be there can have one of the reasons above, then none leads over it, and the two parts of the line
are two problems.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, pairwise
from operator import add

from tourney.domain.swiss.levels import PositionPair
from tourney.domain.swiss.order import SeatingOrder

type ConflictEdge = tuple[int, int]
"""Two positions, the higher placed first."""


class Neighbourhood:
    """Conflict edges between those who stand nearby in a line, and what follows for the tables of a best pairing."""

    def __init__(self, line: SeatingOrder) -> None:
        self._last = len(line.seated) - 1
        self._points = line.points
        self._floaters = [position for position, one in enumerate(line.seated) if one.floated_down]
        self._floaters_below = _floaters_below(self._floaters, self._points)
        kept_apart = _kept_apart(line)
        most = max([len(one.met) for one in line.seated]) + max(map(len, kept_apart), default=0)
        reach = 1 + 2 * (2 * most + max(self._floaters_below) + self._over(most, most))
        self._settle([*_former_opponents(line, reach), *_pairs(kept_apart, reach)])

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Start and stop of the parts of the line that no table of a best pairing leaves."""
        return pairwise(self._cuts())

    def tables(self, start: int, stop: int) -> list[PositionPair]:
        """All tables within a part of the line that a best pairing can have."""
        points, below = self._points, self._from_below
        found = []
        for high in range(start, stop):
            near, far = self._limits(high)
            for low in range(high + 1, min(stop, far + 2 * self._most_below + 1)):
                if low - 2 * below[low] <= (near if points[low] == points[high] else far):
                    found.append((high, low))
        return found

    def _limits(self, high: int) -> tuple[int, int]:
        """How far down a table of this one may lead, within its group and out of it, if nothing keeps it from below.

        Whoever stands further down by no more than twice the reasons to keep a table from below can be met too: a best
        pairing can have a table with no more than twice as many ends between its two as there are reasons for it.
        """
        near = high + 1 + 2 * self._above[high]
        return near, near + 2 * self._floaters_below[high]

    def _settle(self, conflicts: Sequence[ConflictEdge]) -> None:
        """Count the conflict edges that can matter above and below a gap, again while that makes them fewer.

        Those do where the other end is not further away than whoever stands here may meet at most.
        """
        above = below = conflicts
        while True:
            self._count(above, below)
            self._conflicts_above, self._conflicts_below = above, below
            down, up = self._from_above, self._from_below
            most_down, most_up = 1 + 2 * self._most_below, 1 + 2 * self._most_above
            above = [(high, low) for high, low in above if low - high < most_down + 2 * down[high]]
            below = [(high, low) for high, low in below if low - high < most_up + 2 * up[low]]
            if len(above) == len(self._conflicts_above) and len(below) == len(self._conflicts_below):
                return

    def _count(self, above: Iterable[ConflictEdge], below: Iterable[ConflictEdge]) -> None:
        """By position how many reasons there are to keep a table that has its end above, or below, there."""
        size = self._last + 1
        self._above, self._from_below = _number(above, size), _number(below, size)
        self._from_above: list[int] = list(map(add, self._above, self._floaters_below))
        over = self._over(max(self._above), max(self._from_below))
        for floater in self._floaters:
            self._from_below[floater] += over
        self._most_above, self._most_below = max(self._from_above), max(self._from_below)

    def _over(self, above: int, below: int) -> int:
        """How many tables can lead out of a group over a floater when nobody has more conflict edges than that."""
        return above + below + 1 if self._floaters else 0

    def _cuts(self) -> list[int]:
        """The gaps that no table of a best pairing crosses, by the number above them, both ends included."""
        ends = [0, self._last + 1]
        if 2 * self._longest > self._last:
            return ends
        crossed = bytearray(self._last + 2)
        for start, stop in self._crossed():
            if start < stop:
                crossed[start:stop] = b"\1" * (stop - start)
        return [gap for gap in range(0, self._last + 2, 2) if not crossed[gap]]

    def _crossed(self) -> Iterator[tuple[int, int]]:
        """Start and stop of the gaps that tables may cross for the same reason."""
        lowest = {position: self._lowest(position) for position in set(chain(*self._conflicts_above))}
        highest = {position: self._highest(position) for position in set(chain(*self._conflicts_below))}
        for high, low in self._conflicts_above:
            yield low + 1, min(lowest[high], lowest[low]) + 1
        for high, low in self._conflicts_below:
            yield max(highest[high], highest[low]) + 1, high + 1
        for floater in self._floaters:
            yield self._passed(floater)

    def _lowest(self, high: int) -> int:
        """The lowest placed whom this one may meet; the position itself if there is nobody."""
        points, below = self._points, self._from_below
        near, far = self._limits(high)
        for low in range(min(self._last, far + 2 * self._most_below), high, -1):
            if low - 2 * below[low] <= (near if points[low] == points[high] else far):
                return low
        return high

    def _highest(self, low: int) -> int:
        """The highest placed whom this one may meet; the position itself if there is nobody."""
        points, above, floaters_below = self._points, self._above, self._floaters_below
        start = low - 1 - 2 * self._from_below[low]
        for high in range(max(0, start - 2 * self._most_above), low):
            limit = high + 2 * above[high]
            if start <= limit or (points[high] > points[low] and start <= limit + 2 * floaters_below[high]):
                return high
        return low

    @property
    def _longest(self) -> int:
        """At least as far as any two who may meet."""
        return 1 + 2 * (self._most_above + self._most_below)

    def _passed(self, floater: int) -> tuple[int, int]:
        """The gaps above a floater where a table of somebody in the group may lead out of the group."""
        points = self._points
        for high in range(max(0, floater - self._longest), floater):
            if points[high] == points[floater] > points[self._lowest(high)]:
                return high + 1, floater + 1
        return 0, 0


def _former_opponents(line: SeatingOrder, reach: int) -> list[ConflictEdge]:
    position_of = {contender.id: position for position, contender in enumerate(line.seated)}.get
    return [
        (high, low)
        for high, contender in enumerate(line.seated)
        for opponent in contender.met
        if 0 < (low := position_of(opponent, -1)) - high < reach
    ]


def _kept_apart(line: SeatingOrder) -> Sequence[Sequence[int]]:
    """The positions of each household or travel group."""
    groups = defaultdict(list)
    for position, contender in enumerate(line.seated):
        if contender.group:
            groups[contender.group].append(position)
    return list(groups.values())


def _pairs(groups: Iterable[Sequence[int]], reach: int) -> Iterator[ConflictEdge]:
    for group in groups:
        yield from (pair for pair in combinations(group, 2) if pair[1] - pair[0] < reach)


def _number(conflicts: Iterable[ConflictEdge], size: int) -> list[int]:
    """By position of how many conflict edges it is an end."""
    number = [0] * size
    for high, low in conflicts:
        number[high] += 1
        number[low] += 1
    return number


def _floaters_below(floaters: Iterable[int], points: Sequence[int]) -> list[int]:
    """By position how many floaters stand below it in the same group."""
    below = [0] * len(points)
    for floater in floaters:
        position = floater - 1
        while position >= 0 and points[position] == points[floater]:
            below[position] += 1
            position -= 1
    return below
