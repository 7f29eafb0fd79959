"""Rule 3.11: which match gets which table."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.domain.tables import Needs, Party, Table, _costs, seat, unmet

ANYBODY = Party()
DOOR, QUIET = Party((Needs(near_door=True),)), Party((Needs(quiet=True),))


def at(number: int) -> Party:
    """A match with a player who always sits at that table."""
    return Party((Needs(), Needs(fixed=number)))


def room(count: int, **marks: int) -> tuple[Table, ...]:
    """So many tables; each mark stands at the table of that number."""
    return tuple(Table(n, **{mark: True for mark, there in marks.items() if there == n}) for n in range(1, count + 1))


@pytest.mark.parametrize(
    ("parties", "tables", "kept_free", "expected"),
    [
        ([], (), (), ()),
        ([ANYBODY] * 3, (), (), (1, 2, 3)),
        ([ANYBODY] * 3, room(5), (), (1, 2, 3)),
        # more matches than tables
        ([ANYBODY] * 3, room(2), (), (1, 2, 3)),
        # closed tables are not used, whatever is needed
        ([ANYBODY] * 3, room(4, closed=2), (), (1, 3, 4)),
        ([ANYBODY] * 2, room(2, closed=1), (), (2, 3)),
        ([at(1), ANYBODY], room(3, closed=1), (), (2, 3)),
        # a fixed table, and two who want the same
        ([ANYBODY, ANYBODY, at(1)], (), (), (2, 3, 1)),
        ([ANYBODY, at(7)], (), (), (1, 7)),
        ([at(9)], room(3), (), (9,)),
        ([at(2), at(2)], (), (), (1, 2)),
        # needs: near the door, quiet; a fixed table comes first
        ([ANYBODY, DOOR, ANYBODY], room(3, near_door=3), (), (1, 3, 2)),
        ([DOOR, QUIET], room(4, near_door=4, quiet=3), (), (4, 3)),
        ([DOOR, DOOR], room(3, near_door=2), (), (1, 2)),
        ([DOOR, at(3)], room(3, near_door=3), (), (1, 3)),
        ([DOOR, ANYBODY], (), (), (1, 2)),
        # the fixed table of somebody who is not there stays free, unless it is needed
        ([ANYBODY] * 2, (), {1}, (2, 3)),
        ([ANYBODY] * 2, room(3), {2}, (1, 3)),
        ([ANYBODY] * 3, room(3), {2}, (1, 2, 3)),
        ([DOOR, ANYBODY], room(3, near_door=2), {2}, (2, 1)),
        # nobody twice at the same table: first of all the others, then as few times as can be
        ([Party(sat=(1,)), Party(sat=(2,))], (), (), (2, 1)),
        ([Party(sat=(1, 2)), Party(sat=(1,))], (), (), (1, 2)),
        ([Party(sat=(1, 2)), Party(sat=(1, 2))], room(4), (), (3, 4)),
        ([Party(sat=(1,))], room(3), {2}, (3,)),
    ],
)
def test_3_11_each_match_gets_the_table_it_should(parties, tables, kept_free, expected):
    assert seat(parties, tables, kept_free=kept_free) == expected


def test_3_11_a_number_that_is_taken_is_not_given_again():
    assert seat([ANYBODY], taken={1, 3}) == (2,)
    assert seat([at(1)], taken={1}) == (2,)


def test_3_11_what_a_player_lacks_is_named():
    needs = Needs(fixed=3, near_door=True, quiet=True)

    assert [*unmet(needs, Table(1))] == ["fixed", "near the door", "quiet"]
    assert [*unmet(needs, Table(3, near_door=True, quiet=True))] == []


NUMBERS = st.integers(1, 6)
NEEDS = st.builds(Needs, fixed=st.none() | NUMBERS, near_door=st.booleans(), quiet=st.booleans())
PARTIES = st.lists(
    st.builds(Party, needs=st.tuples(NEEDS, NEEDS), sat=st.lists(NUMBERS, max_size=3).map(tuple)), max_size=4
)
MARKS = {"near_door": st.booleans(), "quiet": st.booleans(), "closed": st.booleans()}
ROOMS = st.integers(0, 5).flatmap(
    lambda count: st.tuples(*(st.builds(Table, number=st.just(n), **MARKS) for n in range(1, count + 1)))
)


@given(PARTIES, ROOMS, st.frozensets(NUMBERS, max_size=2))
def test_3_11_no_other_distribution_is_better(parties, tables, kept_free):
    """Held against every distribution over all numbers that could be meant."""
    own = {table.number: table for table in tables if not table.closed}
    shut = {table.number for table in tables if table.closed}

    def cost(numbers) -> list[int]:
        costs = [
            _costs(n, party, at, own, kept_free) for n, (party, at) in enumerate(zip(parties, numbers, strict=True))
        ]
        return [sum(level) for level in zip(*costs, strict=True)]

    found = seat(parties, tables, kept_free=kept_free)
    spare = [n for n in range(1, 30) if n not in shut | kept_free][: len(parties)]
    fixed = {needs.fixed for party in parties for needs in party.needs if needs.fixed}
    numbers = sorted({*own, *spare, *(fixed - shut)})

    assert len({*found}) == len(parties)
    assert cost(found) == min(map(cost, permutations(numbers, len(parties))))


@given(PARTIES, ROOMS)
def test_3_11_nobody_sits_at_a_closed_table(parties, tables):
    assert not {table.number for table in tables if table.closed} & {*seat(parties, tables)}
