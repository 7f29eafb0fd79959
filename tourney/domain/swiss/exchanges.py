"""Neighbors who are not to meet exchange opponents with the table above or below, where nothing can be better.

This holds where `cuts` does: in the styles "neighbours" and "random". Of the tables of neighbors 1-2, 3-4 ... some are
*unwanted*: they cost something on b, e or f. Two tables in a row, 1-2 and 3-4, can become 1-3 and 2-4, which is 6 more
on g, or 1-4 and 2-3, which is 8 more. On d this costs nothing if 2 and 3 have as many points, and for 1-4 and 2-3 also
1 and 2, or 3 and 4. If the new tables cost nothing on b, e and f either, the exchange *settles* the unwanted of the two
tables. With everything settled no pairing is better on b to f, because neighbors have the least that there is on d.

*When no other pairing is closer.* Lay another pairing that is as good on b to f over the one of neighbors. The tables
that only one of the two has form rings, and each unwanted table is in a ring. Let a ring reach s tables further down
than its first one. Each of the s gaps between these tables is crossed by at least two of its new tables, and each of
the s + 1 gaps between two neighbors by at least one: together they are at least 3 s + 1 long. They are at most s + 1,
and their squares add up to the least if two are 2 long and the others 3. So a ring costs at least 9 s - 1 - (s + 1) =
8 s - 2 on g. With s = 1 it is an exchange.

Each settled table has a *share* of what its exchange costs: half if the exchange settles two, else all of it. No
pairing costs less than all shares together if no ring costs less than the shares of its tables. For this,

- with s = 1, a table is settled by the exchange that costs less, and an exchange of two that are settled with others is
  looked at by itself;
- with s = 2, three tables in a row may have no more than 14 together;
- with s = 3 and more, there is nothing to do: each further table has at most 8, and makes a ring cost 8 more.

What is not settled like this stays *open*. In a long line it is paired with what is *nearby*: with the unwanted tables
that follow each other within 8 tables, and 4 tables more above the first and below the last. If that costs nothing on
b to f and no more than 30 on g, it is the best. For a ring that takes a table from further away costs at least
8 * 5 - 2 = 38; and one that reaches the next unwanted table at least 8 * 9 - 2 = 70, and 8 more for each table further.
That is no less than all of these cost: at most 30 for what is nearby on either side, and 8 for each other table.

Otherwise `cuts` says which parts of the line the open ones are in, and these are paired as a whole. In a part where
nothing is open the first proof holds for itself. An exchange is never in two parts: undone, it would cost something on
b, e or f, so that `cuts` sees a reason for its tables.

Where above and below cost the same, it is the table above. That is a rule of its own, so that who meets whom does not
depend on what else is weighed.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from tourney.domain.swiss.levels import PositionPair, is_quarrel
from tourney.domain.swiss.order import SeatingOrder

CROSSED, NESTED = 6, 8
"""What an exchange adds to level g: 4 + 4, or 9 + 1, in place of 1 + 1."""

MOST_OF_THREE = 14
"""The least that a ring costs which reaches over three tables."""

SHORT = 40
"""With up to so many seated, the part around an open table is nearly everybody: what else is settled is of no use."""


NEARBY = 4
"""How many tables above and below those that are open are paired together with them."""

MOST_NEARBY = 8 * NEARBY - 2
"""What that may cost on level g at most."""


class Exchange(NamedTuple):
    """Four in a row, the first of them at `start`, at two tables that are not those of neighbors."""

    start: int
    cost: int
    tables: tuple[PositionPair, PositionPair]


def exchanges(line: SeatingOrder, unwanted: Sequence[int]) -> Mapping[int, Exchange]:
    """By the position of the higher placed the exchange that settles an unwanted table; without those that stay open.

    `unwanted` are the positions of the higher placed, from the top down. Of a short line it is all or nothing.
    """
    settled: dict[int, Exchange] = {}
    shares: dict[int, int] = {}
    not_to_be, free = {*unwanted}, 0
    for high in unwanted:
        if high in settled:
            continue
        both = _exchange(line, high) if high + 2 in not_to_be else None
        chosen, tables = (both, (high, high + 2)) if both else (_cheapest(line, high, free), (high,))
        shared = shares | dict.fromkeys(tables, chosen.cost // len(tables)) if chosen else shares
        if chosen and _can_be_no_less(line, tables, shared):
            settled |= dict.fromkeys(tables, chosen)
            shares, free = shared, chosen.start + 4
        elif len(line.seated) <= SHORT:
            return {}
    return settled


def _can_be_no_less(line: SeatingOrder, tables: Sequence[int], shares: Mapping[int, int]) -> bool:
    """Whether no ring of two or three tables that ends with one of these costs less than the shares."""
    first = tables[0]
    if first - 2 in shares:
        other = _exchange(line, first - 2)
        if other and other.cost < shares[first - 2] + shares[first]:
            return False
    return all(shares[last] + shares.get(last - 2, 0) + shares.get(last - 4, 0) <= MOST_OF_THREE for last in tables)


def _cheapest(line: SeatingOrder, high: int, free: int) -> Exchange | None:
    """Of the exchanges with the table above and below the one that costs less, above before below.

    None if that needs somebody who is placed before `free`.
    """
    above = _exchange(line, high - 2)
    if above and above.cost == CROSSED and above.start >= free:
        return above
    both = [one for one in (above, _exchange(line, high)) if one]
    least = min([one.cost for one in both], default=0)
    return next((one for one in both if one.cost == least and one.start >= free), None)


def _exchange(line: SeatingOrder, start: int) -> Exchange | None:
    """The closest exchange of four in a row that costs nothing on b to f."""
    points, one, two, three, four = line.points, start, start + 1, start + 2, start + 3
    if one < 0 or four >= len(points) or points[two] != points[three]:
        return None
    if not (is_quarrel(line, one, three) or is_quarrel(line, two, four)):
        return Exchange(start, CROSSED, ((one, three), (two, four)))
    if points[one] != points[two] and points[three] != points[four]:
        return None
    if is_quarrel(line, one, four) or is_quarrel(line, two, three):
        return None
    return Exchange(start, NESTED, ((one, four), (two, three)))


def nearby(unwanted: Iterable[int], settled: Mapping[int, Exchange], size: int) -> list[tuple[int, int]]:
    """Start and stop of what is nearby where something is open, from the top down, in a line of this size."""
    parts: list[tuple[int, int]] = []
    apart = 4 * NEARBY
    together: list[int] = []
    for high in (*unwanted, size + apart):
        if together and high - together[-1] > apart:
            if not settled.keys() >= {*together}:
                parts.append((max(0, together[0] - apart // 2), min(size, together[-1] + 2 + apart // 2)))
            together = []
        together.append(high)
    return parts
