"""The odds of dice, held against every way they can fall (rules 4.2, 6.3)."""

from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.domain.roll_offs import ATTACK_DIE, DEFENSE_DIE
from tourney.judge.domain.dice import (
    DiceGoal,
    best_again,
    chance,
    chance_now,
    chance_with_again,
    counts,
    exactly,
    percent,
)

dice_of_the_game = st.sampled_from((ATTACK_DIE, DEFENSE_DIE))


def wishes(least):
    faces = st.frozensets(st.sampled_from(("hit", "critical", "battle stations", "evade", "blank")), max_size=3)
    return st.builds(DiceGoal, faces, least)


@pytest.mark.parametrize(
    ("die", "dice", "faces", "least", "expected"),
    [
        (ATTACK_DIE, 1, ("hit",), 1, Fraction(3, 8)),
        (ATTACK_DIE, 1, ("critical",), 1, Fraction(1, 8)),
        (ATTACK_DIE, 1, ("hit", "critical"), 1, Fraction(1, 2)),
        (ATTACK_DIE, 3, ("hit", "critical"), 2, Fraction(1, 2)),
        (ATTACK_DIE, 5, ("battle stations",), 1, Fraction(781, 1024)),
        (DEFENSE_DIE, 2, ("evade",), 2, Fraction(9, 64)),
        (DEFENSE_DIE, 2, ("hit",), 1, Fraction(0)),
        (ATTACK_DIE, 0, ("hit",), 0, Fraction(1)),
        (ATTACK_DIE, 0, ("hit",), 1, Fraction(0)),
        (ATTACK_DIE, 2, ("hit",), 3, Fraction(0)),
    ],
)
def test_the_odds_of_the_games_dice(die, dice, faces, least, expected):
    """Rule 4.2."""
    assert chance(die, dice, DiceGoal(frozenset(faces), least)) == expected


@settings(deadline=None, max_examples=60)
@given(dice_of_the_game, st.integers(0, 4), wishes(st.integers(0, 5)))
def test_the_odds_are_those_of_every_way_the_dice_can_fall(die, dice, wish):
    rolls = list(product(die, repeat=dice))
    counted = Fraction(sum(wish.is_met(faces) for faces in rolls), len(rolls))

    assert chance(die, dice, wish) == counted
    assert exactly(die, dice, wish.faces) == tuple(
        Fraction(sum(wish.hits(faces) == hits for faces in rolls), len(rolls)) for hits in range(dice + 1)
    )


@settings(deadline=None, max_examples=40)
@given(dice_of_the_game, st.integers(0, 3), wishes(st.integers(0, 4)), st.integers(0, 2))
def test_the_best_dice_to_roll_again_are_the_best_of_all_choices(die, dice, wish, again):
    """Rule 6.3: whoever tries every choice of dice after every roll finds nothing better."""
    rolls = list(product(die, repeat=dice))

    for faces in rolls:
        best = chance_now(die, faces, best_again(faces, wish, again), wish)
        assert best == max(counted_again(die, faces, places, wish) for places in choices(dice, again))

    of_all = [max(counted_again(die, faces, places, wish) for places in choices(dice, again)) for faces in set(rolls)]
    weights = [rolls.count(faces) for faces in set(rolls)]
    total = sum((one * weight for one, weight in zip(of_all, weights, strict=True)), Fraction(0))
    assert chance_with_again(die, dice, wish, again) == total / len(rolls)


def choices(dice, most):
    return [places for many in range(min(dice, most) + 1) for places in combinations(range(dice), many)]


def counted_again(die, faces, places, wish):
    """Every way in which those dice can fall once more."""
    met = [
        wish.is_met([new[places.index(place)] if place in places else face for place, face in enumerate(faces)])
        for new in product(die, repeat=len(places))
    ]
    return Fraction(sum(met), len(met))


@given(dice_of_the_game, st.integers(0, 20), wishes(st.integers(0, 20)), st.integers(0, 20))
def test_another_roll_never_makes_it_less_likely(die, dice, wish, again):
    once, twice = chance(die, dice, wish), chance_with_again(die, dice, wish, again)

    assert 0 <= once <= twice <= 1
    assert sum(exactly(die, dice, wish.faces)) == 1


def test_the_faces_are_counted_in_the_order_of_the_die():
    assert counts(ATTACK_DIE, ("blank", "hit", "hit")) == (
        ("hit", 2),
        ("critical", 0),
        ("battle stations", 0),
        ("blank", 1),
    )


@pytest.mark.parametrize(
    ("faces", "again", "expected"),
    [
        (("hit", "blank", "blank"), (1,), Fraction(3, 8)),
        (("hit", "blank", "blank"), (1, 2), Fraction(39, 64)),
        (("hit", "hit", "blank"), (), Fraction(1)),
        (("hit", "hit", "blank"), (0,), Fraction(3, 8)),
        (("blank", "blank", "blank"), (0,), Fraction(0)),
    ],
)
def test_the_odds_of_chosen_dice_rolled_again(faces, again, expected):
    assert chance_now(ATTACK_DIE, faces, again, DiceGoal(frozenset({"hit"}), 2)) == expected


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (Fraction(0), "0%"),
        (Fraction(1, 10_000), "under 0.1%"),
        (Fraction(304300, 1048576), "29%"),
        (Fraction(1, 8), "12.5%"),
        (Fraction(1, 3), "33.3%"),
        (Fraction(9_999, 10_000), "over 99.9%"),
        (Fraction(1), "100%"),
    ],
)
def test_a_chance_is_written_to_a_tenth_of_a_percent(number, expected):
    assert str(percent(number)) == expected
