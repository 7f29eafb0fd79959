"""Tables paired anew while others stay (rules 3.3 to 3.5), against every way to seat small fields."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from tests.domain.pairing_oracle import all_pairings, clean_rounds, cost, edges, rounds_among
from tests.domain.test_swiss import have_met, standing
from tests.support.fields import fields
from tourney.domain.swiss import Contender, NoPairing, Options, Pairing, Reason, pair, pair_again

AS_USUAL = Options()
FIELDS = 60


def seats(pairing: Pairing) -> set[frozenset[int]]:
    byes = {frozenset({pairing.bye})} if pairing.bye is not None else set()
    return {frozenset({table.a, table.b}) for table in pairing.tables} | byes


def ids(tables, bye) -> set[frozenset[int]]:
    return {frozenset(one.id for one in table) for table in tables} | ({frozenset({bye.id})} if bye else set())


def fields_by_dice() -> Iterator[tuple[list[Contender], list[tuple[int, ...]], list[tuple[int, ...]], int]]:
    """Contenders whose places all differ, those who stay, the other tables as they sit now, rounds left."""
    for seed in range(FIELDS):
        dice = Random(seed)
        players, rounds = dice.randint(4, 9), dice.randint(1, 3)
        *_, field = fields(rounds, players, seed=seed)
        order = sorted(field, key=lambda one: (-one.battle_points, -one.fleet_points, one.id))
        field = [
            Contender(one.id, one.battle_points, one.fleet_points, place, one.met, one.byes, one.floated_down)
            for place, one in enumerate(order)
        ]
        sitting = [tuple(one) for one in seats(pair(dice.sample(field, len(field)), seed=seed, first_round=True))]
        dice.shuffle(sitting)
        stay = sitting[: dice.randrange(len(sitting))]
        yield field, stay, sitting[len(stay) :], dice.randrange(3)


def best_by_trying(field, stay, rounds_left) -> list[tuple[tuple[int, ...], set[frozenset[int]]]]:
    """Every pairing of those free that keeps as many later rounds clean as can be: its cost, and who sits together."""
    staying = {id for one in stay for id in one}
    by_id = {one.id: one for one in field}
    fixed = tuple(tuple(by_id[id] for id in one) for one in stay if len(one) == 2)
    fixed_bye = next((by_id[one[0]] for one in stay if len(one) == 1), None)
    free = [one for one in field if one.id not in staying]
    clean = set(clean_rounds(free)) if rounds_left else set()
    later = {}
    for tables, bye in all_pairings(free):
        if not clean or edges(free, tables, bye) in clean:
            whole = edges(field, (*fixed, *tables), bye or fixed_bye)
            left = [one for one in clean_rounds(field) if not one & whole] if clean else []
            most = rounds_among(left, rounds_left) if clean else 0
            later.setdefault(most, []).append((cost(free, tables, bye), ids(tables, bye)))
    return later[max(later)]


@pytest.mark.many
@pytest.mark.parametrize("case", list(fields_by_dice()))
def test_3_3_and_3_4_nobody_could_be_better_paired_and_none_as_good_changes_fewer_tables(case):
    field, stay, sitting, rounds_left = case
    staying = {id for one in stay for id in one}
    if len(field) - len(staying) < 2:
        with pytest.raises(NoPairing):
            pair_again(field, stay, sitting, seed=1, rounds_left=rounds_left, options=AS_USUAL)
        return
    found = best_by_trying(field, stay, rounds_left)
    best = min(costs for costs, _ in found)
    now = {frozenset(one) for one in sitting}
    as_good = [together for costs, together in found if costs[:-1] == best[:-1]]
    fewest = min(sum(len(one) == 2 for one in together - now) for together in as_good)

    anew = pair_again(field, stay, seed=1, rounds_left=rounds_left, options=AS_USUAL)
    few = pair_again(field, stay, sitting, seed=1, rounds_left=rounds_left, options=AS_USUAL)

    assert anew.costs == best
    assert few.costs[:-1] == best[:-1]
    assert sum(len(one) == 2 for one in seats(few) - now) == fewest


def test_where_nothing_stays_and_nothing_is_kept_it_is_the_pairing_of_the_engine():
    for number, field in enumerate(fields(3, 24, seed=5)):
        usual = pair(field, seed=7, rounds_left=1, first_round=number == 0)
        again = pair_again(field, (), seed=7, rounds_left=1, first_round=number == 0, options=AS_USUAL)
        assert (seats(again), again.costs) == (seats(usual), usual.costs)


EIGHT = have_met(standing(4, 4, 4, 4, 2, 2, 2, 2), (1, 5), (2, 6), (3, 7), (4, 8))


def test_a_table_that_is_as_good_stays_though_a_closer_pairing_exists():
    """All in a group may meet: (1, 3) and (2, 4) are as good by b to f as (1, 2) and (3, 4)."""
    sitting = [(1, 3), (2, 4), (5, 6), (7, 8)]

    assert seats(pair_again(EIGHT, (), sitting, seed=1, options=AS_USUAL)) == {frozenset(one) for one in sitting}
    assert seats(pair_again(EIGHT, (), seed=1, options=AS_USUAL)) == {
        frozenset(one) for one in [(1, 2), (3, 4), (5, 6), (7, 8)]
    }


def test_only_the_tables_that_are_wrong_change():
    sitting = [(1, 2), (3, 5), (4, 6), (7, 8)]

    found = pair_again(EIGHT, (), sitting, seed=1, options=AS_USUAL)

    assert seats(found) == {frozenset(one) for one in [(1, 2), (3, 4), (5, 6), (7, 8)]}
    assert {table.reason for table in found.tables if table.a in (3, 5)} == {
        Reason("paired_again_fewest", (3, 4), (4, 4)),
        Reason("paired_again_fewest", (5, 6), (2, 2)),
    }


def test_3_5_the_bye_goes_to_the_right_one_of_those_who_had_not_begun():
    nine = [*EIGHT, Contender(9, 0, 10, 9)]

    found = pair_again(nine, [(7, 9)], [(1, 2), (3, 4), (5, 6), (8,)], seed=1, options=AS_USUAL)

    assert (found.bye, found.bye_reason) == (8, Reason("bye_again", (8,)))


def test_a_bye_that_stays_stays():
    nine = [*EIGHT, Contender(9, 0, 10, 9)]

    found = pair_again(nine, [(1,)], seed=1, options=AS_USUAL)

    assert (found.bye, found.bye_reason) == (None, None)


def test_3_7_what_cannot_be_kept_among_them_is_told():
    four = have_met(standing(4, 4, 2, 2), (1, 2), (3, 4), (1, 3))

    found = pair_again(four, [(3, 4)], seed=1, options=AS_USUAL)

    assert found.relaxed == (Reason("rematch_again", (1, 2), (1,)),)


SIX = standing(4, 4, 4, 4, 2, 2)
ONE_ROUND_MORE = ((1, 4), (1, 5), (1, 6), (2, 3), (2, 5), (2, 6), (3, 6), (4, 5))
"""While 1 and 2 sit together, the last round can be 1-3, 2-4 and 5-6 alone."""


@pytest.mark.parametrize(
    ("met", "expected"),
    [
        (ONE_ROUND_MORE, [(3, 5), (4, 6)]),
        ((*ONE_ROUND_MORE, (3, 5)), [(3, 4), (5, 6)]),
    ],
    ids=["a round more with other tables", "none whoever sits together"],
)
def test_3_4_a_later_round_comes_before_equal_points_among_those_who_can_be_moved(met, expected):
    found = pair_again(have_met(SIX, *met), [(1, 2)], seed=1, rounds_left=1, options=AS_USUAL)

    assert seats(found) == {frozenset(one) for one in expected}
    assert found.relaxed == ()


def test_3_4_a_later_round_comes_before_the_turn_for_the_bye():
    """As above with the bye for 6: with it for 5, whose turn it is, 1-3, 2-4 and the bye for 5 are gone."""
    met = [two for two in ONE_ROUND_MORE if 6 not in two]
    five = [replace(one, byes=int(one.id < 4)) for one in have_met(standing(4, 4, 4, 4, 2), *met)]

    found = pair_again(five, [(1, 2)], seed=1, rounds_left=1, options=AS_USUAL)

    assert (seats(found), found.bye_reason) == ({frozenset({3, 5}), frozenset({4})}, Reason("bye_again_later", (4,)))
    assert pair_again(five, [(1, 2)], seed=1, options=AS_USUAL).bye == 5


def test_3_7_a_second_bye_is_told_where_everybody_else_has_had_one_too():
    five = [replace(one, byes=int(one.id > 2)) for one in standing(4, 4, 4, 4, 2)]

    found = pair_again(five, [(1, 2)], seed=1, options=AS_USUAL)

    assert (found.bye, found.relaxed) == (5, (Reason("second_bye_again", (5,), (1,)),))


def test_half_against_half_and_rounds_that_are_drawn_are_paired_anew_by_their_own_order():
    halves = Options(style="halves")
    assert seats(pair_again(standing(4, 4, 4, 4), (), seed=1, options=halves)) == {frozenset({1, 3}), frozenset({2, 4})}
    first = pair(EIGHT, seed=3, first_round=True)
    assert seats(pair_again(EIGHT, (), seed=3, options=AS_USUAL, first_round=True)) == seats(first)


def test_a_hundred_players_keep_all_tables_but_those_of_two_who_changed_places():
    *_, field = fields(2, 100, seed=9)
    now = [tuple(one) for one in seats(pair(field, seed=1, rounds_left=1))]
    points = {one.id: one.battle_points for one in field}
    level = [one for one in now if points[one[0]] == points[one[1]]]
    first, second = level[0], next(one for one in level if points[one[0]] != points[level[0][0]])
    swapped = [(first[0], second[0]), (first[1], second[1]), *(one for one in now if one not in (first, second))]

    found = seats(pair_again(field, (), swapped, seed=1, rounds_left=1, options=AS_USUAL))

    assert found == {frozenset(one) for one in now}
