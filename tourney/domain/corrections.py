"""What a corrected result changes: ranks side by side, tables of later rounds, and where those paired anew sit."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from tourney.domain.swiss.model import Seats


@dataclass(frozen=True, slots=True)
class StandingsPlace:
    """A player's line of the standings at one moment (rule 5.1); `is_shared` until the tie is rolled off."""

    id: int
    rank: int
    is_shared: bool
    battle_points: int
    fleet_points: int


@dataclass(frozen=True, slots=True)
class PlaceChange:
    """A player's place before and after; None where there is none."""

    id: int
    before: StandingsPlace | None
    after: StandingsPlace | None

    @property
    def is_changed(self) -> bool:
        """Whether the place before differs from that after."""
        return self.before != self.after

    @property
    def up(self) -> int:
        """The number of ranks that the player went up; negative: down."""
        return self.before.rank - self.after.rank if self.before and self.after else 0


def side_by_side(before: Sequence[StandingsPlace], after: Sequence[StandingsPlace]) -> tuple[PlaceChange, ...]:
    """Everybody in the order after the correction; who is not there any more, at the end."""
    was, now = ({place.id: place for place in places} for places in (before, after))
    return tuple(PlaceChange(id, was.get(id), now.get(id)) for id in dict.fromkeys((*now, *was)))


def what_to_read(lines: Sequence[PlaceChange]) -> tuple[tuple[PlaceChange, ...], ...]:
    """The lines that change with those right above and below, in blocks that follow one another."""
    changed = [place for place, line in enumerate(lines) if line.is_changed]
    shown = sorted({near for place in changed for near in (place - 1, place, place + 1) if 0 <= near < len(lines)})
    blocks = groupby(enumerate(shown), key=lambda item: item[1] - item[0])
    return tuple(tuple(lines[place] for _, place in block) for _, block in blocks)


def otherwise(before: Iterable[Seats], after: Iterable[Seats], played: Iterable[Seats]) -> tuple[Seats, ...]:
    """Those of the `played` seats that the engine would have made otherwise after the correction.

    Nothing where it pairs the same `before` and `after`: then the correction makes no difference, whoever sat by hand.
    """
    was, now = ({frozenset(seats) for seats in pairing} for pairing in (before, after))
    return () if was == now else tuple(seats for seats in played if frozenset(seats) not in now)


def seated_again(
    tables: Mapping[int, Seats], pairs: Collection[Seats], lacks: Callable[[int, Seats], int] = lambda table, pair: 0
) -> dict[int, Seats]:
    """Who sits at which of these tables from now on: everywhere one of the two sits there already.

    `tables` are two ids each, `pairs` are as many. Who has the bye sat, or will sit, at no table. Where there is a
    choice, as little as can be is lacking: `lacks` says what it costs to put a pair at a table.
    """
    at = {id: table for table, seats in tables.items() for id in seats}
    ways = {pair: sorted({at[id] for id in pair if id in at}) for pair in pairs}
    could_sit: dict[int, list[Seats]] = {table: [] for table in tables}
    for pair in pairs:
        for table in ways[pair]:
            could_sit[table].append(pair)
    found: dict[int, Seats] = {}
    seated: set[Seats] = set()
    for first in sorted(pairs, key=lambda pair: (len(ways[pair]), ways[pair])):
        if first not in seated:
            chains = [_all_that_follows(table, first, ways, could_sit) for table in ways[first]]
            best = min(chains, key=lambda chain: sum(lacks(table, pair) for table, pair in chain.items()))
            found |= best
            seated |= {*best.values()}
    return dict(sorted(found.items()))


def _all_that_follows(
    table: int, first: Seats, ways: Mapping[Seats, Sequence[int]], could_sit: Mapping[int, Sequence[Seats]]
) -> dict[int, Seats]:
    """With the other pair that could sit at the table, which has only one table left then, and so on."""
    found = {table: first}
    placed = {first}
    while pair := next((one for one in could_sit[table] if one not in placed), None):
        (table,) = {*ways[pair]} - {table}
        found[table] = pair
        placed.add(pair)
    return found
