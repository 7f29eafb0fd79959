"""A month pack's rules as sentences for players (rules 2.1, 2.7, 2.8, 7.11)."""

import pytest

from scoring.domain.pack import Bonus, MonthPack, ResourceRule
from scoring.domain.words import (
    bonus_in_short,
    bonus_sentence,
    match_points_sentence,
    resource_sentence,
    roll_off_sentence,
)

PACK = MonthPack(slug="a-month", storyline="A Storyline")


@pytest.mark.parametrize(
    ("rule", "choice", "sentence"),
    [
        ("none", "any", "No resources this month."),
        ("exactly one", "storyline", "A fleet may have exactly one resource of this storyline."),
        ("at most one", "not retired", "A fleet has one resource or none that is not retired."),
        ("any number", "any", "A fleet has as many resources as it likes of any kind."),
    ],
)
def test_7_11_how_many_resources_and_which(rule, choice, sentence):
    assert resource_sentence(ResourceRule(rule, choice)) == sentence


@pytest.mark.parametrize(
    ("points", "per", "to", "decides", "sentence", "in_short"),
    [
        (5, "count", "each", True,
         "Counts for every one for both players, win or lose, before the winner is decided by Fleet Points.",
         "+5 each"),
        (20, "flat", "winner", False,
         "Counts for the winner only, after the winner is decided by Fleet Points.", "+20, winner only"),
        (-10, "flat", "most", True,
         "Counts for the player who has more than the opponent, before the winner is decided by Fleet Points.",
         "−10, whoever has more"),
        (3, "count", "fewest", False,
         "Counts for every one for the player who has fewer than the opponent, "
         "after the winner is decided by Fleet Points.",
         "+3 each, whoever has fewer"),
    ],
)  # fmt: skip
def test_2_8_who_gets_a_bonus_how_often_and_when(points, per, to, decides, sentence, in_short):
    bonus = Bonus("beacons", "Beacons", points, per, to, decides)

    assert (bonus_sentence(bonus), bonus_in_short(bonus)) == (sentence, in_short)


def test_2_1_what_a_match_is_worth():
    assert match_points_sentence(PACK) == "2 Battle Points for a win, 1 for a loss, 2 for a bye."


@pytest.mark.parametrize(
    ("dice", "sentence"),
    [
        ("attack", "Level on Fleet Points: each rolls 5 attack dice, and most Battle Stations wins."),
        (
            "attack against defense",
            "Level on Fleet Points: one player rolls 5 attack dice, the other 5 defense dice, "
            "and most Battle Stations wins.",
        ),
    ],
)
def test_2_7_how_a_level_table_is_decided(dice, sentence):
    assert roll_off_sentence(MonthPack(slug="a-month", storyline="A Storyline", table_roll_off=dice)) == sentence
