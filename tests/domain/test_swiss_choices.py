"""Rules 3.7 and 3.10: what is asked for by options beside the order of rule 3.3."""

from tourney.domain.swiss import Contender, Options, pair

AFTER_A_ROUND_ROBIN = [
    Contender(1, 15, 300, 1, met=(4, 3, 2)),
    Contender(2, 11, 200, 2, met=(3, 4, 1)),
    Contender(3, 7, 100, 3, met=(2, 1, 4)),
    Contender(4, 3, 50, 4, met=(1, 2, 3)),
]
ALL_MET_AND_ONE_BYE_LEFT_OUT = [
    Contender(1, 11, 300, 1, met=(2, 3)),
    Contender(2, 11, 200, 2, met=(1,), byes=1),
    Contender(3, 7, 100, 3, met=(1,), byes=1),
]


def test_3_7_the_rematch_of_the_oldest_meeting_can_be_asked_for():
    usual = pair(AFTER_A_ROUND_ROBIN, seed=1)
    oldest = pair(AFTER_A_ROUND_ROBIN, seed=1, options=Options(no_second_bye=True))

    assert [(seat.a, seat.b) for seat in usual.tables] == [(1, 2), (3, 4)]
    assert [(seat.a, seat.b) for seat in oldest.tables] == [(1, 4), (2, 3)]
    assert oldest.costs == (0, 2, 0, 2, 12**2 + 4**2, 0, 0, 9 + 1)


def test_3_7_a_rematch_can_be_asked_for_in_place_of_a_second_bye():
    """Two and three have not met; with either of them sitting out, one meets a former opponent."""
    three = [*ALL_MET_AND_ONE_BYE_LEFT_OUT]
    usual, rematch = pair(three, seed=1), pair(three, seed=1, options=Options(no_second_bye=True))

    assert (usual.bye, [(seat.a, seat.b) for seat in usual.tables]) == (1, [(2, 3)])
    assert (rematch.bye, rematch.costs[:2]) == (1, (0, 0))

    one_had_a_bye_too = [Contender(1, 11, 300, 1, met=(2, 3), byes=2), *three[1:]]
    usual, rematch = (
        pair(one_had_a_bye_too, seed=1),
        pair(one_had_a_bye_too, seed=1, options=Options(no_second_bye=True)),
    )

    assert (usual.bye, usual.costs[0]) == (1, 0)
    assert (rematch.bye, rematch.costs[:2], [(seat.a, seat.b) for seat in rematch.tables]) == (3, (0, 1), [(1, 2)])


def test_3_7_a_round_that_can_keep_everything_costs_nothing_for_it():
    contenders = [Contender(id, 8 - id, 100, id) for id in range(1, 5)]
    found = pair(contenders, seed=1, options=Options(no_second_bye=True))

    assert found.costs == (0, 0, 0, 0, 1 + 1, 0, 0, 1 + 1)


def test_3_10_two_sides_meet_when_that_is_asked_for_before_points_are_looked_at():
    sides = ("attack", "attack", "attack", "defense", "defense", "defense")
    contenders = [Contender(id, 12 - 2 * id, 0, id, side=side) for id, side in enumerate(sides, start=1)]
    usual = pair(contenders, seed=1)
    opposed = pair(contenders, seed=1, options=Options(opposite_sides=True))

    assert [(seat.a, seat.b) for seat in usual.tables] == [(1, 2), (3, 4), (5, 6)]
    assert [(seat.a, seat.b) for seat in opposed.tables] == [(1, 4), (2, 5), (3, 6)]
    assert opposed.costs == (0, 0, 0, 3 * 36, 0, 0, 3 * 9)


def test_3_10_whichever_side_stands_higher():
    contenders = [Contender(id, 9, 0, id, side=side) for id, side in enumerate(("defense", "attack") * 2, start=1)]

    assert pair(contenders, seed=1, options=Options(opposite_sides=True)).costs == (0, 0, 0, 0, 0, 0, 2)
