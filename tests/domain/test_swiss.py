"""Who meets whom and who has the bye: cases for rules 3.1 to 3.7, each with its number."""

from dataclasses import replace

import pytest

from tourney.domain.swiss import Contender, NoPairing, Options, Reason, flags, pair
from tourney.domain.swiss.order import field_of


def tables(pairing) -> list[tuple[int, int]]:
    return [(seat.a, seat.b) for seat in pairing.tables]


def standing(*battle_points: int, **changed) -> list[Contender]:
    """Contenders 1, 2, 3 ... in this order, with these Battle Points; `_2={...}` changes contender 2."""
    return [
        replace(Contender(id, points, 0, id), **changed.get(f"_{id}", {}))
        for id, points in enumerate(battle_points, start=1)
    ]


def have_met(contenders: list[Contender], *pairs: tuple[int, int]) -> list[Contender]:
    """The same contenders after these meetings, oldest first."""
    return [
        replace(one, met=one.met + tuple(b if a == one.id else a for a, b in pairs if one.id in (a, b)))
        for one in contenders
    ]


@pytest.mark.parametrize("count", [0, 1])
def test_fewer_than_two_cannot_be_paired(count):
    with pytest.raises(NoPairing):
        pair(standing(*[0] * count), seed=1)


def test_nobody_can_be_in_the_field_twice():
    with pytest.raises(ValueError, match="an id comes twice"):
        pair([Contender(1), Contender(1), Contender(2)], seed=1)


def test_points_that_no_exact_sum_can_hold_are_refused():
    with pytest.raises(OverflowError):
        pair(standing(10**20, 10**20, 0, 0), seed=1, options=Options("halves"))


def test_neighbours_who_may_meet_do_however_large_their_points_are():
    assert tables(pair(have_met(standing(10**20, 10**20, 0, 0), (1, 3)), seed=1)) == [(1, 2), (3, 4)]


@pytest.mark.parametrize("count", range(2, 14))
def test_3_3a_everybody_is_seated_once_and_a_bye_exists_only_with_an_odd_number(count):
    pairing = pair(standing(*[0] * count), seed=1)
    seated = [id for table in tables(pairing) for id in table]

    assert sorted(seated + [pairing.bye] * (count % 2)) == list(range(1, count + 1))
    assert (pairing.bye is None) == (count % 2 == 0)


def test_3_1_round_1_is_drawn_so_that_every_pairing_and_every_bye_can_come_out():
    drawn = [pair(standing(0, 0, 0), seed=seed, first_round=True) for seed in range(60)]

    assert {pairing.bye for pairing in drawn} == {1, 2, 3}
    drawn = [pair(standing(0, 0, 0, 0), seed=seed, first_round=True) for seed in range(60)]
    opponents_of_1 = {sum(table) - 1 for pairing in drawn for table in tables(pairing) if 1 in table}
    assert opponents_of_1 == {2, 3, 4}


def test_3_1_places_and_points_say_nothing_in_round_1():
    fresh = pair(standing(*[0] * 9), seed=7, first_round=True)

    assert pair(standing(9, 8, 7, 6, 5, 4, 3, 2, 1), seed=7, first_round=True) == fresh
    assert fresh.seed == 7


@pytest.mark.parametrize(
    ("rule", "options", "contenders", "expected"),
    [
        ("neighbours meet", Options(), standing(4, 4, 4, 4, 2, 2), [(1, 2), (3, 4), (5, 6)]),
        (
            "Fleet Points come before the place",
            Options(),
            [Contender(1, 4, 50, 1), Contender(2, 4, 90, 2), Contender(3, 4, 70, 3), Contender(4, 4, 20, 4)],
            [(2, 3), (1, 4)],
        ),
        (
            "the place holds the roll-off",
            Options(),
            [Contender(1, 4, 50, 4), Contender(2, 4, 50, 3), Contender(3, 4, 50, 2), Contender(4, 4, 50, 1)],
            [(4, 3), (2, 1)],
        ),
        (
            "halves: top against bottom of each group",
            Options("halves"),
            standing(4, 4, 4, 4, 2, 2, 2, 2),
            [(1, 3), (2, 4), (5, 7), (6, 8)],
        ),
        (
            "halves: of an odd group the last meets the first of the next",
            Options("halves"),
            standing(4, 4, 4, 4, 4, 2, 2, 2, 2, 2),
            [(1, 3), (2, 4), (5, 6), (7, 9), (8, 10)],
        ),
        ("neighbours across groups", Options(), standing(6, 4, 4, 2), [(1, 2), (3, 4)]),
    ],
)
def test_3_2_order_and_style(rule, options, contenders, expected):
    assert tables(pair(contenders, seed=1, options=options)) == expected


def test_3_2_random_stays_inside_the_group_and_hangs_on_the_seed():
    contenders = standing(4, 4, 4, 4, 2, 2, 2, 2)
    drawn = [tables(pair(contenders, seed=seed, options=Options("random"))) for seed in range(40)]

    assert {max(a, b) <= 4 or min(a, b) > 4 for round in drawn for a, b in round} == {True}
    opponents_of_1 = {a + b - 1 for round in drawn for a, b in round if 1 in (a, b)}
    assert opponents_of_1 == {2, 3, 4}


def test_3_2_what_is_still_tied_is_drawn():
    tied = [Contender(id, 4, 50, 1) for id in range(1, 5)]

    opponents_of_1 = {sum(table) - 1 for seed in range(40) for table in tables(pair(tied, seed=seed)) if 1 in table}
    assert opponents_of_1 == {2, 3, 4}


@pytest.mark.parametrize(
    ("rule", "contenders", "expected", "costs"),
    [
        (
            "b before d: no rematch, even across groups",
            have_met(standing(4, 4, 2, 2), (1, 2)),
            [(1, 3), (2, 4)],
            (0, 0, 8, 0, 0, 8),
        ),
        (
            "b: one rematch less beats everything below it",
            have_met(standing(9, 9, 0, 0), (1, 2), (1, 3)),
            [(1, 4), (2, 3)],
            (0, 0, 162, 0, 0, 10),
        ),
        (
            "b: a third meeting counts more than a second",
            have_met(standing(4, 4, 2, 2), (1, 2), (1, 2), (3, 4), (1, 3), (2, 4), (1, 4), (2, 3)),
            [(1, 3), (2, 4)],
            (2, 0, 8, 0, 0, 8),
        ),
        (
            "the best as a whole: a greedy 1-2 would force 3-4 to meet again",
            have_met(standing(3, 3, 3, 3), (3, 4)),
            [(1, 3), (2, 4)],
            (0, 0, 0, 0, 0, 8),
        ),
        (
            "d is a sum of squares: two small differences beat one large one",
            standing(4, 3, 3, 2),
            [(1, 2), (3, 4)],
            (0, 0, 2, 0, 0, 2),
        ),
        (
            "d before g: the group stays together",
            have_met(standing(4, 4, 4, 4, 2, 2), (3, 4)),
            [(1, 3), (2, 4), (5, 6)],
            (0, 0, 0, 0, 0, 9),
        ),
        (
            "e: who floated down last time stays in the group",
            standing(4, 4, 4, 3, _3={"floated_down": True}),
            [(1, 3), (2, 4)],
            (0, 0, 1, 0, 0, 8),
        ),
        (
            "d before e: floated twice where the points want it",
            standing(6, 4, 2, 2, _1={"floated_down": True}),
            [(1, 2), (3, 4)],
            (0, 0, 4, 1, 0, 2),
        ),
        (
            "f: the same household is kept apart inside the group",
            standing(4, 4, 4, 4, _1={"group": "north"}, _2={"group": "north"}),
            [(1, 3), (2, 4)],
            (0, 0, 0, 0, 0, 8),
        ),
        (
            "e before f: a household meets before somebody floats down twice",
            standing(4, 4, 4, 3, _1={"group": "n"}, _2={"group": "n", "floated_down": True}, _3={"floated_down": True}),
            [(1, 4), (2, 3)],
            (0, 0, 1, 0, 0, 10),
        ),
        (
            "d before f: a household meets before the points differ",
            standing(4, 4, 2, 2, _1={"group": "north"}, _2={"group": "north"}),
            [(1, 2), (3, 4)],
            (0, 0, 0, 0, 1, 2),
        ),
        (
            "f: the faction is no wish after round 1",
            standing(4, 4, 4, 4, _1={"faction": "Klingon"}, _2={"faction": "Klingon"}),
            [(1, 2), (3, 4)],
            (0, 0, 0, 0, 0, 2),
        ),
        (
            "g: the least sum of squared distances",
            have_met(standing(2, 2, 2, 2, 2, 2), (1, 2)),
            [(1, 3), (2, 4), (5, 6)],
            (0, 0, 0, 0, 0, 9),
        ),
    ],
)
def test_3_3_levels(rule, contenders, expected, costs):
    pairing = pair(contenders, seed=1, options=Options(keep_factions_apart=True))

    assert (tables(pairing), pairing.costs) == (expected, costs)


def test_3_3f_factions_are_kept_apart_in_round_1_when_the_option_says_so():
    two_factions = [Contender(id, faction="Klingon" if id <= 4 else "Romulan") for id in range(1, 9)]

    apart = [
        pair(two_factions, seed=seed, first_round=True, options=Options(keep_factions_apart=True)).costs[4]
        for seed in range(20)
    ]
    plain = [tables(pair(two_factions, seed=seed, first_round=True)) for seed in range(20)]
    assert apart == [0] * 20
    assert {(a <= 4) == (b <= 4) for round in plain for a, b in round} == {True, False}


def test_3_3f_factions_are_kept_apart_however_far_the_draw_has_put_them_from_each_other():
    """The first twenty drawn are of one faction and the last twenty of another: closest are 1-21, 2-22 and so on."""
    options = Options(keep_factions_apart=True)
    drawn = [one.id for one in field_of(map(Contender, range(1, 41)), 1, options, first_round=True).drawn]
    players = [Contender(id, faction="Klingon" if id in drawn[:20] else "Romulan") for id in drawn]

    found = pair(players, seed=1, first_round=True, options=options)

    assert {*tables(found)} == {*zip(drawn[:20], drawn[20:], strict=True)}


@pytest.mark.parametrize(
    ("rule", "contenders", "bye"),
    [
        ("least Battle Points", standing(6, 3, 0), 3),
        ("the next least who has not had one", standing(6, 3, 0, _3={"byes": 1}), 2),
        ("ties: fewer Fleet Points", [Contender(1, 2, 90, 1), Contender(2, 2, 40, 2), Contender(3, 4, 10, 3)], 2),
        ("ties: then the roll-off", [Contender(1, 2, 40, 3), Contender(2, 2, 40, 2), Contender(3, 4, 10, 1)], 1),
        ("all have had one: the least", standing(6, 3, 0, _1={"byes": 1}, _2={"byes": 1}, _3={"byes": 1}), 3),
        ("fewest byes first", standing(6, 3, 0, _1={"byes": 1}, _2={"byes": 2}, _3={"byes": 2}), 1),
        ("a round missed by arriving late was no bye (3.6)", [Contender(1, 4), Contender(2, 2), Contender(3)], 3),
        (
            "nor was a win over somebody who did not come, who counts as not met (3.6)",
            [Contender(1, 2, 90, 1, byes=1), Contender(2, 2, 80, 2), Contender(3, 0, 0, 3, byes=1)],
            2,
        ),
        ("no rematch before the right bye (3.3 b)", have_met(standing(6, 3, 0), (1, 2)), 2),
        ("a second bye before a rematch (3.3 b)", have_met(standing(6, 3, 0, _1={"byes": 1}), (1, 2), (1, 3)), 1),
        (
            "the bye before Battle Points (3.3 c)",
            [Contender(1, 9, 0, 1), Contender(2, 5, 0, 2), Contender(3, 4, 0, 3)],
            3,
        ),
        ("points only, as in the house example", [Contender(1, 6), Contender(2, 3), Contender(3, 0, byes=1)], 2),
    ],
)
def test_3_5_bye(rule, contenders, bye):
    assert pair(contenders, seed=1).bye == bye


def test_3_5_a_bye_still_tied_is_drawn():
    assert {pair([Contender(id, 2, 40, 1) for id in (1, 2, 3)], seed=seed).bye for seed in range(40)} == {1, 2, 3}


def test_3_4_a_pairing_that_spoils_the_next_round_is_not_taken():
    """Six players after two rounds: after 1-2, 3-4, 5-6 only two triangles are left, and no round 4."""
    contenders = have_met(standing(5, 4, 3, 3, 2, 2), (1, 4), (2, 5), (3, 6), (1, 6), (2, 3), (4, 5))
    alone = pair(contenders, seed=1)
    ahead = pair(contenders, seed=1, rounds_left=1)

    assert (tables(alone), alone.costs) == ([(1, 2), (3, 4), (5, 6)], (0, 0, 1, 0, 0, 3))
    assert (tables(ahead), ahead.costs) == ([(1, 2), (3, 5), (4, 6)], (0, 0, 3, 0, 0, 9))


def test_3_4_the_bye_gives_way_to_a_later_round_too():
    """Five players: with the bye for 5, players 1, 2 and 3 would all need a bye in the two rounds after it."""
    contenders = have_met(standing(5, 4, 3, 3, 1, _4={"byes": 1}), (1, 3), (2, 5), (1, 4), (2, 3))

    byes = [pair(contenders, seed=1, rounds_left=rounds_left).bye for rounds_left in (0, 1, 2, 3)]
    assert byes == [5, 5, 3, 3]


@pytest.mark.parametrize(
    ("rule", "contenders", "relaxed"),
    [
        ("nothing to relax", standing(2, 1), ()),
        ("two players again", have_met(standing(2, 1), (1, 2)), (Reason("rematch", (1, 2), (1,)),)),
        (
            "three players after three rounds: a rematch and a second bye",
            have_met(standing(6, 5, 4, _1={"byes": 1}, _2={"byes": 1}, _3={"byes": 1}), (1, 2), (1, 3), (2, 3)),
            (Reason("rematch", (1, 2), (1,)), Reason("second_bye_all", (3,), (1,))),
        ),
        (
            "a second bye, because every other would mean a rematch",
            have_met(standing(6, 3, 0, _1={"byes": 1}), (1, 2), (1, 3)),
            (Reason("second_bye_rematch", (1,), (1,)),),
        ),
        (
            "four players in round 4",
            have_met(standing(6, 5, 4, 3), (1, 2), (3, 4), (1, 3), (2, 4), (1, 4), (2, 3)),
            (Reason("rematch", (1, 2), (1,)), Reason("rematch", (3, 4), (1,))),
        ),
    ],
)
def test_3_7_what_could_not_be_avoided_is_listed(rule, contenders, relaxed):
    assert pair(contenders, seed=1).relaxed == relaxed


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (Contender(1), Contender(2), ()),
        (Contender(1, met=(2,)), Contender(2, met=(1,)), ("rematch",)),
        (Contender(1), Contender(2, met=(3, 1)), ("rematch",)),
        (Contender(1, faction="Klingon"), Contender(2, faction="Klingon"), ("same faction",)),
        (Contender(1, met=(2,), faction="Borg"), Contender(2, faction="Borg"), ("rematch", "same faction")),
        (Contender(1, faction="Klingon"), Contender(2, faction="Romulan"), ()),
        (Contender(1, faction="Romulan"), Contender(2, faction="Klingon"), ()),
    ],
)
def test_3_9_a_table_made_by_hand_is_flagged(a, b, expected):
    assert flags(a, b) == expected
