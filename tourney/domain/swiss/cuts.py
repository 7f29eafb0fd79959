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

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations
from operator import add

from tourney.domain.swiss.levels import PositionPair
from tourney.domain.swiss.order import SeatingOrder

type ConflictEdge = tuple[int, int]
"""Two positions, the higher placed first."""


class Neighbourhood:
    """Conflict edges between those who stand nearby in a line, and what follows for the tables of a best pairing.

    Two can meet if the lower placed stands no further down than `_near` of the higher placed, or `_far` in another
    group, or if it does once it is taken to stand `_up` there: a best pairing can have a table with no more than twice
    as many ends between its two as there are reasons for it.
    """

    def __init__(self, line: SeatingOrder) -> None:
        self._last = len(line.seated) - 1
        self._points = line.points
        self._floaters = sorted(line.floaters)
        self._floaters_below = _floaters_below(self._floaters, self._points)
        kept_apart = _kept_apart(line)
        most = max(map(len, line.met)) + max(map(len, kept_apart), default=0)
        reach = 1 + 2 * (2 * most + max(self._floaters_below) + self._over(most, most))
        self._settle([*_former_opponents(line, reach), *_pairs(kept_apart, reach)])

    def blocks(self, within: Iterable[int]) -> list[tuple[int, int]]:
        """Start and stop of the parts of the line that no table of a best pairing leaves and these positions are in.

        The positions are even and in order.
        """
        crossed = self._crossed()
        blocks: list[tuple[int, int]] = []
        for start in within:
            if blocks and start < blocks[-1][1]:
                continue
            stop = start + 2
            while crossed[start]:
                start -= 2
            while crossed[stop]:
                stop += 2
            blocks.append((start, stop))
        return blocks

    def tables(self, start: int, stop: int) -> list[PositionPair]:
        """All tables within a part of the line that a best pairing can have."""
        points, up = self._points, self._up
        found: list[PositionPair] = []
        for high in range(start, stop):
            near, far = self._near[high], self._far[high]
            lows = range(high + 1, min(stop, far + 2 * self._most_below + 1))
            if near == far:
                found += [(high, low) for low in lows if up[low] <= near]
            else:
                group = points[high]
                found += [(high, low) for low in lows if up[low] <= (near if points[low] == group else far)]
        return found

    def _settle(self, conflicts: Sequence[ConflictEdge]) -> None:
        """Count the conflict edges that can matter above and below a gap, again while that makes them fewer.

        Those do where the other end is not further away than whoever stands here may meet at most.
        """
        above = below = conflicts
        number_above = from_above = _number(conflicts, self._last + 1)
        number_below = number_above.copy()
        before = -1
        while len(above) + len(below) != before:
            before = len(above) + len(below)
            over = self._over(max(number_above), max(number_below))
            from_below = number_below.copy()
            for floater in self._floaters:
                from_below[floater] += over
            if self._floaters:
                from_above = list(map(add, number_above, self._floaters_below))
            self._most_above, self._most_below = max(from_above), max(from_below)
            above = _up_to(1 + 2 * self._most_below, from_above, 0, above, number_above)
            below = _up_to(1 + 2 * self._most_above, from_below, 1, below, number_below)
        self._conflicts_above, self._conflicts_below = above, below
        self._see_how_far(over)

    def _see_how_far(self, over: int) -> None:
        """How far down, and up, whoever stands here may meet somebody whom nothing keeps from that."""
        size, floaters_below = self._last + 1, self._floaters_below
        self._near, self._up = list(range(1, size + 1)), list(range(size))
        for position in chain.from_iterable(self._conflicts_above):
            self._near[position] += 2
        for position in chain.from_iterable(self._conflicts_below):
            self._up[position] -= 2
        for floater in self._floaters:
            self._up[floater] -= 2 * over
        self._far = list(map(add, self._near, map(add, floaters_below, floaters_below)))
        self._nears, self._fars = _greatest_so_far(self._near), _greatest_so_far(self._far)
        least = self._last
        self._ups = [least := up if up < least else least for up in reversed(self._up)][::-1]

    def _over(self, above: int, below: int) -> int:
        """How many tables can lead out of a group over a floater when nobody has more conflict edges than that."""
        return above + below + 1 if self._floaters else 0

    def _crossed(self) -> bytearray:
        """By the number above each gap whether a table of a best pairing may cross it; 0 for both ends of the line."""
        size = self._last + 1
        if 2 * self._longest > self._last:
            return bytearray(b"\0" + b"\1" * (size - 1) + b"\0")
        crossed = bytearray(size + 1)
        for start, stop in self._crossings():
            if start < stop:
                crossed[start:stop] = b"\1" * (stop - start)
        return crossed

    def _crossings(self) -> Iterator[tuple[int, int]]:
        """Start and stop of the gaps that tables may cross for the same reason."""
        for high, low in self._conflicts_above:
            if low < self._last and self._ups[low + 1] <= self._far[high]:
                yield low + 1, min(self._lowest(high), self._lowest(low)) + 1
        for high, low in self._conflicts_below:
            if high and self._up[low] <= self._fars[high - 1]:
                yield max(self._highest(high), self._highest(low)) + 1, high + 1
        for floater in self._floaters:
            yield self._passed(floater)

    def _lowest(self, high: int) -> int:
        """The lowest placed whom this one may meet; the position itself if there is nobody."""
        low = bisect_right(self._ups, self._far[high]) - 1
        return low if self._points[low] < self._points[high] else bisect_right(self._ups, self._near[high]) - 1

    def _highest(self, low: int) -> int:
        """The highest placed whom this one may meet; the position itself if there is nobody."""
        high = bisect_left(self._fars, self._up[low])
        return high if self._points[high] > self._points[low] else bisect_left(self._nears, self._up[low])

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
    """Of a long line a part is looked at after the other, because nearly all former opponents stand further away."""
    size = len(line.seated)
    step = 2 * reach if size > 20 * reach else size
    found: list[ConflictEdge] = []
    for start in range(0, size, step):
        here = line.seated[start : start + step + reach]
        position_of = {contender.id: position for position, contender in enumerate(here, start)}
        nobody_in, get = position_of.keys().isdisjoint, position_of.get
        for high, contender in enumerate(here[:step], start):
            if not nobody_in(contender.met):
                found += [(high, low) for id in contender.met if 0 < (low := get(id, -1)) - high < reach]
    return found


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


def _up_to(
    length: int, more: Sequence[int], end: int, conflicts: Iterable[ConflictEdge], number: list[int]
) -> list[ConflictEdge]:
    """The conflict edges of less than a length, and twice what one end has `more`; the others are counted no longer."""
    kept = []
    for edge in conflicts:
        high, low = edge
        if low - high < length + 2 * more[edge[end]]:
            kept.append(edge)
        else:
            number[high] -= 1
            number[low] -= 1
    return kept


def _greatest_so_far(numbers: Iterable[int]) -> list[int]:
    """Like `accumulate(numbers, max)`, in a third of the time."""
    greatest = 0
    return [greatest := number if number > greatest else greatest for number in numbers]


def _floaters_below(floaters: Iterable[int], points: Sequence[int]) -> list[int]:
    """By position how many floaters stand below it in the same group."""
    below = [0] * len(points)
    for floater in floaters:
        position = floater - 1
        while position >= 0 and points[position] == points[floater]:
            below[position] += 1
            position -= 1
    return below
