"""What a corrected result changes, and where those paired anew sit."""

from random import Random

import pytest

from tourney.domain.corrections import PlaceChange, StandingsPlace, otherwise, seated_again, side_by_side, what_to_read


def place(id: int, rank: int, points: int = 0) -> StandingsPlace:
    return StandingsPlace(id, rank, False, points, 0)


BEFORE = (place(1, 1, 8), place(2, 2, 6), place(3, 3, 4), place(4, 4, 2), place(5, 5, 1), place(6, 6, 0))
AFTER = (place(1, 1, 8), place(3, 2, 6), place(2, 3, 4), place(4, 4, 2), place(5, 5, 1), place(6, 6, 0))


def test_both_standings_stand_in_the_order_after_the_correction():
    lines = side_by_side(BEFORE, AFTER)

    assert [line.id for line in lines] == [1, 3, 2, 4, 5, 6]
    assert [line.up for line in lines] == [0, 1, -1, 0, 0, 0]
    assert lines[1] == PlaceChange(3, place(3, 3, 4), place(3, 2, 6))


def test_who_is_only_in_one_of_them_is_shown_too():
    assert side_by_side((place(1, 1),), (place(2, 1),)) == (
        PlaceChange(2, None, place(2, 1)),
        PlaceChange(1, place(1, 1), None),
    )


def test_only_the_lines_that_change_are_read_with_those_next_to_them():
    assert [[line.id for line in block] for block in what_to_read(side_by_side(BEFORE, AFTER))] == [[1, 3, 2, 4]]
    assert what_to_read(side_by_side(BEFORE, BEFORE)) == ()


def test_changes_far_apart_are_blocks_of_their_own():
    after = (place(1, 1, 9), *BEFORE[1:5], place(6, 6, -1))

    assert [[line.id for line in block] for block in what_to_read(side_by_side(BEFORE, after))] == [[1, 2], [5, 6]]


@pytest.mark.parametrize(
    ("before", "after", "played", "expected"),
    [
        ([(1, 2), (3, 4)], [(2, 1), (4, 3)], [(1, 2), (3, 4)], ()),
        ([(1, 2), (3, 4)], [(1, 3), (2, 4)], [(1, 2), (3, 4)], ((1, 2), (3, 4))),
        ([(1, 2), (3,)], [(1, 3), (2,)], [(3, 1), (2,)], ()),
        ([(1, 2), (3, 4)], [(1, 2), (3, 4)], [(1, 4), (2, 3)], ()),
    ],
    ids=["the same", "otherwise", "by hand, as it should be now", "by hand, and no difference"],
)
def test_a_later_round_would_have_been_paired_otherwise_where_the_engine_says_so(before, after, played, expected):
    assert otherwise(before, after, played) == expected


@pytest.mark.parametrize(
    ("tables", "pairs", "expected"),
    [
        ({1: (1, 2), 2: (3, 4)}, [(3, 4), (2, 1)], {1: (2, 1), 2: (3, 4)}),
        ({1: (1, 2), 2: (3, 4)}, [(1, 3), (2, 4)], {1: (1, 3), 2: (2, 4)}),
        ({4: (1, 2), 7: (3, 4), 9: (5, 6)}, [(6, 1), (2, 3), (4, 5)], {4: (2, 3), 7: (4, 5), 9: (6, 1)}),
        ({1: (1, 2), 2: (3, 4)}, [(5, 3), (1, 2)], {1: (1, 2), 2: (5, 3)}),
        ({1: (1, 2), 2: (3, 4)}, [(5, 2), (1, 3)], {1: (5, 2), 2: (1, 3)}),
    ],
    ids=["as they sit", "two tables", "three in a ring", "the bye comes to a table", "the bye moves two tables"],
)
def test_everywhere_one_of_the_two_sits_there_already(tables, pairs, expected):
    assert seated_again(tables, pairs) == expected


def test_whoever_meets_somebody_keeps_one_chair_at_every_table():
    for seed in range(200):
        dice = Random(seed)
        size, bye = dice.randint(1, 9), dice.randrange(2)
        ids = dice.sample(range(1, 2 * size + bye + 1), 2 * size + bye)
        tables = {number: (ids[2 * number - 2], ids[2 * number - 1]) for number in range(1, size + 1)}
        dice.shuffle(ids)
        pairs = [(ids[2 * number], ids[2 * number + 1]) for number in range(size)]

        found = seated_again(tables, pairs)

        assert sorted(found.values()) == sorted(pairs)
        assert all(set(found[table]) & set(tables[table]) for table in tables)
        assert all(found[table] == pair for pair in pairs for table in tables if set(pair) == set(tables[table]))


def test_3_11_where_a_ring_can_turn_either_way_it_turns_to_what_is_needed():
    tables, pairs = {4: (1, 2), 7: (3, 4), 9: (5, 6)}, [(6, 1), (2, 3), (4, 5)]

    at_their_tables = [
        seated_again(tables, pairs, lambda table, pair, who=who, fixed=fixed: int(who in pair and table != fixed))
        for who, fixed in ((1, 4), (1, 9), (4, 9))
    ]

    turned = {4: (6, 1), 7: (2, 3), 9: (4, 5)}
    assert at_their_tables == [turned, {4: (2, 3), 7: (4, 5), 9: (6, 1)}, turned]
