"""Rule 3.11: which match gets which table, by what players need and what the store has.

    seat([Party(), Party(needs=(Needs(fixed=4),))])    # (1, 4)

Every match gets a table; what gives way, if something must, gives way in the order of `_costs`, exactly: no other
distribution is better on an earlier line, whatever it saves on later ones.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import count, islice

import rustworkx

from tourney.domain.swiss.matching import folded


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the store; nobody is put at a `closed` one."""

    number: int
    name: str = ""
    near_door: bool = False
    quiet: bool = False
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Needs:
    """What one player needs: always the same table (None: any), one near the door, one where it is quiet."""

    fixed: int | None = None
    near_door: bool = False
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Party:
    """The players of a match: what each needs, and the tables not to sit at again, a table once for each time."""

    needs: tuple[Needs, ...] = ()
    sat: tuple[int, ...] = ()


def seat(
    parties: Sequence[Party],
    tables: Sequence[Table] = (),
    *,
    kept_free: Collection[int] = (),
    taken: Collection[int] = (),
) -> tuple[int, ...]:
    """The number of the table of each party; parties come in the order of the pairing, which gets 1, 2, 3 ….

    `tables` are those of the store, none if it has not said. `kept_free` are the fixed tables of players who do
    not play now, `taken` numbers that are not to be had at all.
    """
    shut = {table.number for table in tables if table.closed} | {*taken}
    own = {table.number: table for table in tables if table.number not in shut}
    numbers = sorted(_numbers(parties, own, shut, kept_free))
    if not any(party.sat or any(needs != Needs() for needs in party.needs) for party in parties):
        in_turn = sorted(numbers, key=lambda number: _costs(0, Party(), number, own, kept_free))
        return tuple(sorted(in_turn[: len(parties)]))
    return _cheapest(parties, own, numbers, kept_free)


def unmet(needs: Needs, table: Table) -> Iterator[str]:
    """What a player with these needs lacks at that table: "fixed", "near the door", "quiet"."""
    if needs.fixed not in (None, table.number):
        yield "fixed"
    if needs.near_door and not table.near_door:
        yield "near the door"
    if needs.quiet and not table.quiet:
        yield "quiet"


def _numbers(
    parties: Sequence[Party], own: Mapping[int, Table], shut: Set[int], kept_free: Collection[int]
) -> set[int]:
    """What there is to choose from: the store's tables, those that players need, and as many more as may be lacking."""
    fixed = {needs.fixed for party in parties for needs in party.needs if needs.fixed} - shut
    spare = (number for number in count(1) if number not in shut and number not in kept_free)
    return {*own, *fixed, *islice(spare, len(parties))}


def _cheapest(
    parties: Sequence[Party], own: Mapping[int, Table], numbers: Sequence[int], kept_free: Collection[int]
) -> tuple[int, ...]:
    """One exact matching of parties and numbers; the costs are folded into one integer for each."""
    edges = [(place, len(parties) + at) for place in range(len(parties)) for at in range(len(numbers))]
    costs = [_costs(place, party, number, own, kept_free) for place, party in enumerate(parties) for number in numbers]
    weights = folded(2 * len(parties), costs)
    full = max(weights) * len(parties) + 1  # one party more at a table is worth more than all costs together
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(len(parties) + len(numbers)))
    graph.add_edges_from([(*edge, full - weight) for edge, weight in zip(edges, weights, strict=True)])
    found = {min(pair): max(pair) for pair in rustworkx.max_weight_matching(graph, weight_fn=int)}
    return tuple(numbers[found[place] - len(parties)] for place in range(len(parties)))


def _costs(
    place: int, party: Party, number: int, own: Mapping[int, Table], kept_free: Collection[int]
) -> tuple[int, ...]:
    """What it costs to put the party, which is `place` in the order of the pairing, at that table."""
    table = own.get(number, Table(number))
    lacks = [lack for needs in party.needs for lack in unmet(needs, table)]
    is_fixed = any(needs.fixed == number for needs in party.needs)
    return (
        int(bool(own) and number not in own and not is_fixed),  # a table that the store has not
        lacks.count("fixed"),
        len(lacks) - lacks.count("fixed"),
        int(number in kept_free and not is_fixed),
        party.sat.count(number),
        number,  # low numbers
        (place + 1 - number) ** 2,  # the best table first
    )
