"""What tallies are worth, and when they cannot be true (rule 2.8)."""

import pytest

from scoring.domain.bonuses import BonusTerm, Problem, bonus_parts, tally_problems, winner_only_problems
from scoring.domain.pack import Bonus, MonthPack, Tally
from scoring.shipped import shipped_pack
from tests.support.saying import in_english

NAMES = ("Vor", "Kestrel")
STATION = shipped_pack("dominion-war-6")
CRAFT = shipped_pack("temporal-cold-war-2")
NEBULA = shipped_pack("classic-movies-1")
TRIBBLES = shipped_pack("the-trouble-with-tribbles")


def beacons(points, per, to):
    return (Bonus("beacons", "Beacons", points, per, to, decides_winner=False),)


@pytest.mark.parametrize(
    ("bonuses", "counts", "winner", "expected"),
    [
        pytest.param(
            STATION.bonuses,
            ({"ds9": 1}, {}),
            0,
            ([BonusTerm("Controls Deep Space 9", 20)], []),
            id="S1: the winner controls the station",
        ),
        pytest.param(STATION.bonuses, ({"ds9": 1}, {}), 1, ([], []), id="S1: the loser's control is worth nothing"),
        pytest.param(STATION.bonuses, ({"ds9": 1}, {}), None, ([], []), id="S1: nobody has won"),
        pytest.param(
            CRAFT.bonuses,
            ({"mission_tokens": 3, "retrieved": 1}, {"mission_tokens": 9}),
            1,
            (
                [BonusTerm("Mission Tokens: 3 × 5", 15), BonusTerm("Retrieved the small craft", 20)],
                [BonusTerm("Mission Tokens: 9 × 5", 45)],
            ),
            id="S3: winner and loser keep tokens and craft",
        ),
        pytest.param(
            CRAFT.bonuses,
            ({"destroyed": 1}, {"mission_tokens": 1}),
            0,
            ([BonusTerm("Destroyed the small craft", -10)], [BonusTerm("Mission Tokens: 1 × 5", 5)]),
            id="S3: destroying the craft is a penalty",
        ),
        pytest.param(
            NEBULA.bonuses,
            ({"nebula": 2}, {"nebula": 1}),
            1,
            (
                [
                    BonusTerm("Ships destroyed in the nebula: 2 × 5", 10),
                    BonusTerm("Most ships destroyed in the nebula", 10),
                ],
                [BonusTerm("Ships destroyed in the nebula: 1 × 5", 5)],
            ),
            id="one tally for each and for most",
        ),
        pytest.param(
            NEBULA.bonuses,
            ({"nebula": 1}, {"nebula": 1}),
            0,
            (
                [BonusTerm("Ships destroyed in the nebula: 1 × 5", 5)],
                [BonusTerm("Ships destroyed in the nebula: 1 × 5", 5)],
            ),
            id="level: nobody has most",
        ),
        pytest.param(
            TRIBBLES.bonuses,
            ({"critical_hits": 4}, {}),
            0,
            ([], [BonusTerm("Fewest Critical Hit tokens", 20)]),
            id="none at all is fewest",
        ),
        pytest.param(
            TRIBBLES.bonuses,
            ({"critical_hits": 4}, {"critical_hits": 4}),
            0,
            ([], []),
            id="level: nobody has fewest",
        ),
        pytest.param(TRIBBLES.bonuses, ({}, {}), 0, ([], []), id="level at none: nobody has fewest"),
        pytest.param(
            beacons(2, "count", "most"),
            ({"beacons": 3}, {"beacons": 1}),
            1,
            ([BonusTerm("Beacons: 3 × 2", 6)], []),
            id="per count for whoever has most",
        ),
        pytest.param(
            beacons(-4, "count", "winner"),
            ({"beacons": 3}, {"beacons": 2}),
            1,
            ([], [BonusTerm("Beacons: 2 × −4", -8)]),
            id="a penalty per count for the winner",
        ),
        pytest.param(
            beacons(5, "flat", "each"),
            ({"beacons": 3}, {"beacons": 0}),
            None,
            ([BonusTerm("Beacons", 5)], []),
            id="flat counts once",
        ),
    ],
)
def test_a_bonus_goes_to_whom_the_month_says(bonuses, counts, winner, expected):
    """Rule 2.8."""
    assert in_english(tuple(list(bonus_parts(bonuses, counts, side, winner)) for side in (0, 1))) == expected


@pytest.mark.parametrize(
    ("rules", "counts", "expected"),
    [
        (CRAFT, ({"mission_tokens": 7}, {"mission_tokens": 5}), []),
        (
            CRAFT,
            ({"mission_tokens": 7}, {"mission_tokens": 6}),
            [
                Problem(
                    "tally_mission_tokens_a",
                    "Mission Tokens: 7 + 6 = 13, but only 12 are in play. Count again.",
                )
            ],
        ),
        (
            CRAFT,
            ({"mission_tokens": -1}, {"mission_tokens": 13}),
            [
                Problem("tally_mission_tokens_a", "Mission Tokens: Vor can’t have −1. Enter 0 or more."),
                Problem(
                    "tally_mission_tokens_b",
                    "Mission Tokens: Kestrel can’t have 13. The most for one player is 12. Count again.",
                ),
            ],
        ),
        (
            CRAFT,
            ({"retrieved": 1}, {"retrieved": 1}),
            [
                Problem(
                    "tally_retrieved_a",
                    "“Retrieved the small craft” is ticked for both players, but only one can have it. "
                    "Clear one of them.",
                )
            ],
        ),
        (
            CRAFT,
            ({"destroyed": 1}, {"retrieved": 1}),
            [
                Problem(
                    "tally_retrieved_b",
                    "“Retrieved the small craft” and “Destroyed the small craft” can’t both happen in one "
                    "battle. Clear one of them.",
                )
            ],
        ),
        (
            STATION,
            ({"beacons": 1}, {}),
            [Problem("tally_beacons_a", "This month doesn’t count “beacons”, but Vor has it. Leave it out.")],
        ),
    ],
)
def test_what_cannot_have_been_counted_is_refused_with_a_sentence(rules, counts, expected):
    """Rule 2.8."""
    assert in_english(list(tally_problems(rules, counts, NAMES))) == expected


def test_two_tallies_that_exclude_each_other_are_told_once():
    rules = MonthPack(
        slug="a-month",
        storyline="A Storyline",
        tallies=(
            Tally("left", "Left gate", excludes=("right",)),
            Tally("right", "Right gate", excludes=("left",)),
        ),
    )

    assert in_english(tally_problems(rules, ({"right": 1}, {"left": 1}), NAMES)) == (
        Problem(
            "tally_left_b",
            "“Left gate” and “Right gate” can’t both happen in one battle. Clear one of them.",
        ),
    )


@pytest.mark.parametrize("winner", [1, None])
def test_what_only_the_winner_scores_is_refused_for_everybody_else(winner):
    """Rule 2.8."""
    assert in_english(winner_only_problems(STATION, ({"ds9": 1}, {}), NAMES, winner)) == (
        Problem(
            "tally_ds9_a",
            "Only the winner scores “Controls Deep Space 9”, and Vor didn’t win. "
            "Clear it, or edit how the match ended.",
        ),
    )
    assert winner_only_problems(STATION, ({"ds9": 1}, {}), NAMES, 0) == ()


def test_a_tally_that_also_scores_for_others_is_nobodys_alone():
    """Rule 2.8."""
    rules = MonthPack(
        slug="a-month",
        storyline="A Storyline",
        tallies=(Tally("beacons", "Beacons"),),
        bonuses=(*beacons(5, "count", "each"), *beacons(10, "flat", "winner")),
    )

    assert winner_only_problems(rules, ({"beacons": 1}, {}), NAMES, 1) == ()
