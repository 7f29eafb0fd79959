"""Roll-offs: dice, rolls and the order they make (rules 4.1–4.3)."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.domain.roll_offs import (
    ATTACK_DIE,
    DEFENSE_DIE,
    DiceRoll,
    RollDoesNotFit,
    RollOffRolls,
    battle_stations,
    levels,
    roll_faces,
    rolls_after,
    still_tied,
)
from tests.support.software_rolls import software_roll


def roll(**counts):
    return DiceRoll(tuple((int(entrant[1:]), count) for entrant, count in counts.items()))


def test_the_dice_have_the_faces_of_the_game():
    """Rule 4.2."""
    assert Counter(ATTACK_DIE) == {"hit": 3, "critical": 1, "battle stations": 2, "blank": 2}
    assert Counter(DEFENSE_DIE) == {"evade": 3, "battle stations": 2, "blank": 3}


def test_two_players_are_tied_again_in_304300_of_1048576_rolls():
    """Rule 4.1: counted over the faces of all dice, not from a formula."""
    is_station = [face == "battle stations" for face in ATTACK_DIE]
    stations = Counter(sum(faces) for faces in product(is_station, repeat=5))

    level = sum(ways * ways for ways in stations.values())

    assert Fraction(level, stations.total() ** 2) == Fraction(304300, 1048576)


@pytest.mark.parametrize(
    ("group", "rolls", "expected"),
    [
        ((2, 1), [], ((1, 2),)),
        ((1, 2), [roll(_1=3, _2=1)], ((1,), (2,))),
        ((1, 2), [roll(_1=1, _2=3)], ((2,), (1,))),
        ((1, 2), [roll(_1=2, _2=2)], ((1, 2),)),
        ((1, 2), [roll(_1=2, _2=2), roll(_1=0, _2=1)], ((2,), (1,))),
        ((1, 2, 3), [roll(_1=2, _2=4, _3=2)], ((2,), (1, 3))),
        ((1, 2, 3), [roll(_1=2, _2=4, _3=2), roll(_1=0, _3=5)], ((2,), (3,), (1,))),
        ((1, 2, 3, 4), [roll(_1=1, _2=3, _3=3, _4=1)], ((2, 3), (1, 4))),
        ((1, 2, 3, 4), [roll(_1=1, _2=3, _3=3, _4=1), roll(_1=2, _4=0)], ((2, 3), (1,), (4,))),
        (
            (1, 2, 3, 4),
            [roll(_1=1, _2=3, _3=3, _4=1), roll(_1=2, _2=0, _3=1, _4=0)],
            ((3,), (2,), (1,), (4,)),
        ),
        ((7,), [], ((7,),)),
    ],
)
def test_most_battle_stations_is_ahead_and_only_those_still_tied_roll_again(group, rolls, expected):
    """Rule 4.1."""
    assert levels(group, rolls) == expected
    assert still_tied(group, rolls) == tuple(level for level in expected if len(level) > 1)


@pytest.mark.parametrize(
    ("rolls", "message"),
    [
        ([roll(_1=3)], "Roll 1 isn’t complete. Everyone who is still tied rolls."),
        (
            [roll(_1=3, _2=1, _3=1, _9=0)],
            "Roll 1 names a player who was no longer tied. Leave that one out.",
        ),
        (
            [roll(_1=3, _2=1, _3=1), roll(_1=0, _2=1, _3=2)],
            "Roll 2 names a player who was no longer tied. Leave that one out.",
        ),
        (
            [roll(_1=3, _2=1, _3=0), roll(_1=1)],
            "Roll 2 names a player who was no longer tied. Leave that one out.",
        ),
        ([roll(_1=6, _2=1, _3=1)], "5 dice can’t show what roll 1 has. Enter 0 to 5."),
        ([roll(_1=-1, _2=1, _3=1)], "5 dice can’t show what roll 1 has. Enter 0 to 5."),
        ([DiceRoll(())], "Roll 1 must name each player who rolled exactly once."),
        (
            [DiceRoll(((1, 2), (1, 3), (2, 0), (3, 0)))],
            "Roll 1 must name each player who rolled exactly once.",
        ),
    ],
)
def test_a_roll_that_does_not_fit_is_refused(rolls, message):
    """Rule 4.1."""
    with pytest.raises(RollDoesNotFit) as refused:
        levels((1, 2, 3), rolls)

    assert str(refused.value) == message


def test_anybody_can_compute_a_software_roll_again():
    """Rule 4.3: the faces follow from SHA-256 alone (first bytes checked with sha256sum)."""
    # printf %s "deep:1:7:0" | sha256sum, and so on to "deep:1:7:4"
    first_bytes = [0xB1, 0x74, 0x3C, 0x71, 0x61]

    assert roll_faces("deep", 1, 7) == tuple(ATTACK_DIE[byte % 8] for byte in first_bytes)
    assert roll_faces("deep", 1, 7, dice=2, die=DEFENSE_DIE) == tuple(DEFENSE_DIE[byte % 8] for byte in first_bytes[:2])


def test_battle_stations_are_counted():
    assert battle_stations(("hit", "battle stations", "blank", "battle stations", "critical")) == 2


def test_a_roll_off_counts_for_exactly_its_group_and_round_and_the_last_one_counts():
    """Rule 4.3."""
    early = RollOffRolls(1, (1, 2), (roll(_1=1, _2=0),))
    first = RollOffRolls(2, (1, 2), (roll(_1=2, _2=0),))
    other = RollOffRolls(2, (1, 2, 3), (roll(_1=0, _2=1, _3=2),))
    last = RollOffRolls(2, (2, 1), (roll(_1=0, _2=5),))

    roll_offs = [early, first, other, last]

    assert rolls_after(1, roll_offs) == {(1, 2): early.rolls}
    assert rolls_after(2, roll_offs) == {(1, 2): last.rolls, (1, 2, 3): other.rolls}
    assert rolls_after(3, roll_offs) == {}


@given(st.sets(st.integers(1, 500), min_size=2, max_size=12), st.text(max_size=8))
def test_software_rolls_put_every_group_in_a_total_order(group, seed):
    """Rules 4.1, 4.3."""
    rolls = []
    while still_open := still_tied(tuple(group), rolls):
        level = [entrant for one in still_open for entrant in one]
        rolls.append(software_roll(seed, len(rolls) + 1, level))

    order = levels(tuple(group), rolls)

    assert sorted(entrant for (entrant,) in order) == sorted(group)
