"""What cannot be is refused with sentences that say what to do (rules 2.1–2.12)."""

import pytest

from scoring.domain.points import (
    Ending,
    InvalidResult,
    Played,
    Problem,
    Side,
    endings,
    problems,
    score_match,
)
from scoring.shipped import shipped_pack, shipped_packs
from tests.support.saying import in_english
from tests.support.scored import CHAOS, CRAFT, STATION, messages, played


def test_a_scenario_ends_a_battle_only_where_the_month_names_how_or_does_not_know():
    """Rule 1.2."""
    with_scenario = {pack.slug for pack in shipped_packs() if Ending.SCENARIO in endings(pack)}

    assert with_scenario == {pack.slug for pack in shipped_packs() if not pack.bonuses_known} | {
        "classic-movies-3",
        "chronological-chaos",
    }


@pytest.mark.parametrize(
    ("rules", "result", "expected"),
    [
        pytest.param(
            shipped_pack("dominion-war-6"),
            played(Ending.TIME, 30, 40),
            [
                (
                    "sp_limit",
                    "Dominion War, month 6: The Last Battle of DS9 has no SP limit yet. "
                    "Choose the one printed on its overview.",
                )
            ],
            id="2.2 no limit chosen",
        ),
        pytest.param(
            STATION,
            played(Ending.SCENARIO, 30, 40),
            [("ending", "This month’s scenario never ends a battle. Choose “Time” or an elimination.")],
            id="1.2 no scenario end",
        ),
        pytest.param(
            STATION,
            played(Ending.ELIMINATION, 0, 40),
            [("out", "Choose whose fleet was eliminated: Vor or Kestrel.")],
            id="2.7 whose fleet",
        ),
        pytest.param(
            STATION,
            played(Ending.CONCESSION, 10, 40, out=2),
            [("out", "Choose who conceded: Vor or Kestrel.")],
            id="2.9 who conceded",
        ),
        pytest.param(
            STATION,
            played(Ending.NO_SHOW),
            [("out", "Choose who was a no-show: Vor or Kestrel.")],
            id="2.11 who did not come",
        ),
        pytest.param(
            STATION,
            played(Ending.TIME, 30, 40, out=0),
            [("out", "With this ending, no single player is out. Clear it, or choose another ending.")],
            id="2.7 out given at time",
        ),
        pytest.param(
            STATION,
            played(Ending.TIME, -3, 121),
            [
                ("sp_left_a", "Vor’s fleet can’t have −3 SP left. Enter 0 or more."),
                (
                    "sp_left_b",
                    "Kestrel’s fleet can’t have 121 SP left: the limit is 120. Count the surviving fleet again.",
                ),
            ],
            id="2.2 below nothing and above the limit",
        ),
        pytest.param(
            STATION,
            played(Ending.ELIMINATION, 12, 40, out=0),
            [
                (
                    "sp_left_a",
                    "Vor’s fleet was eliminated, but 12 SP are entered as left. "
                    "Enter 0, or choose how the battle really ended.",
                )
            ],
            id="2.6 eliminated with SP left",
        ),
        pytest.param(
            STATION,
            played(Ending.ELIMINATION, 0, 0, out=0),
            [
                (
                    "sp_left_b",
                    "Kestrel has no SP left either. Choose “Both eliminated”, or enter what is left.",
                )
            ],
            id="2.7 survivor without SP",
        ),
        pytest.param(
            STATION,
            played(Ending.BOTH_ELIMINATED, 0, 8),
            [
                (
                    "sp_left_b",
                    "Kestrel’s fleet was eliminated, but 8 SP are entered as left. "
                    "Enter 0, or choose how the battle really ended.",
                )
            ],
            id="2.7 both eliminated with SP left",
        ),
        pytest.param(
            STATION,
            played(Ending.TIME, 0, 40),
            [
                (
                    "ending",
                    "Vor has no SP left, so that fleet was eliminated. "
                    "Choose “One fleet eliminated”, or enter what is left.",
                )
            ],
            id="2.7 time with one fleet gone",
        ),
        pytest.param(
            STATION,
            played(Ending.TIME),
            [("ending", "Neither fleet has SP left. Choose “Both eliminated”, or enter what is left.")],
            id="2.7 time with both fleets gone",
        ),
        pytest.param(
            STATION,
            played(Ending.CONCESSION, 30, 0, out=0),
            [
                (
                    "sp_left_b",
                    "Kestrel has no SP left, so that fleet was eliminated. "
                    "Choose “One fleet eliminated”, or enter what is left.",
                )
            ],
            id="2.9 conceded to nobody",
        ),
        pytest.param(
            STATION,
            played(Ending.NO_SHOW, 10, 0, out=0, tallies=({}, {"ds9": 1})),
            [
                (
                    "sp_left_a",
                    "No one played, so Vor has no SP left to count. Leave it empty.",
                ),
                ("tally_ds9_b", "No one played, so there is nothing to count for Kestrel. Leave it empty."),
            ],
            id="2.11 nothing to count",
        ),
        pytest.param(
            STATION,
            played(Ending.TIME, 45, 30, tallies=({}, {"ds9": 1})),
            [
                (
                    "tally_ds9_b",
                    "Only the winner scores “Controls Deep Space 9”, and Kestrel didn’t win. "
                    "Clear it, or edit how the match ended.",
                )
            ],
            id="2.8 winner's bonus for the loser",
        ),
        pytest.param(
            STATION,
            played(Ending.DOUBLE_LOSS, 45, 30, tallies=({"ds9": 1}, {})),
            [
                (
                    "tally_ds9_a",
                    "Only the winner scores “Controls Deep Space 9”, and Vor didn’t win. "
                    "Clear it, or edit how the match ended.",
                )
            ],
            id="2.8 winner's bonus without a winner",
        ),
        pytest.param(
            STATION,
            played(Ending.TIME, 45, 30, rolled=0),
            [
                (
                    "rolled",
                    "Only a tied battle has a roll-off, and this one isn’t tied. Leave it empty.",
                )
            ],
            id="4.1 roll-off without need",
        ),
        pytest.param(
            STATION,
            played(Ending.ELIMINATION, 0, 30, out=0, rolled=1),
            [
                (
                    "rolled",
                    "Only a tied battle has a roll-off, and this one isn’t tied. Leave it empty.",
                )
            ],
            id="4.1 roll-off after an elimination",
        ),
        pytest.param(
            STATION,
            played(Ending.TIME, 30, 30, rolled=2),
            [("rolled", "Choose who won the roll-off.")],
            id="4.1 roll-off of nobody",
        ),
        pytest.param(
            STATION,
            played(Ending.TIME, 45, 30, condition=(0, 0)),
            [("condition", "This month has no win conditions. Leave it empty.")],
            id="1.2 no win conditions",
        ),
        pytest.param(
            CHAOS,
            played(Ending.TIME, 45, 30, condition=(0, 2)),
            [
                (
                    "condition",
                    "Choose who won, and by which win condition: 1 “most ships with four tokens” "
                    "and 2 “the ship with the most tokens”.",
                )
            ],
            id="1.2 unknown win condition",
        ),
        pytest.param(
            CHAOS,
            played(Ending.CONCESSION, 45, 30, out=0, condition=(0, 0)),
            [
                (
                    "condition",
                    "With this ending, no win condition decides. Leave it empty, or choose another ending.",
                )
            ],
            id="1.2 win condition after a concession",
        ),
        pytest.param(
            CRAFT,
            Played(Ending.TIME, (Side(30, (("mission_tokens", 1), ("mission_tokens", 2))), Side(40))),
            [("tally_mission_tokens_a", "This is entered twice. Enter it once.")],
            id="2.8 counted twice",
        ),
        pytest.param(
            CRAFT,
            played(
                Ending.ELIMINATION,
                5,
                400,
                tallies=({"mission_tokens": 8, "retrieved": 1}, {"mission_tokens": 8, "destroyed": 1}),
            ),
            [
                ("out", "Choose whose fleet was eliminated: Vor or Kestrel."),
                (
                    "sp_left_b",
                    "Kestrel’s fleet can’t have 400 SP left: the limit is 120. Count the surviving fleet again.",
                ),
                (
                    "tally_mission_tokens_a",
                    "Mission Tokens: 8 + 8 = 16, but only 12 are in play. Count again.",
                ),
                (
                    "tally_retrieved_a",
                    "“Retrieved the small craft” and “Destroyed the small craft” can’t both happen in one "
                    "battle. Clear one of them.",
                ),
            ],
            id="everything at once",
        ),
    ],
)
def test_what_cannot_be_is_refused_with_sentences_that_say_what_to_do(rules, result, expected):
    assert messages(rules, result) == expected


@pytest.mark.parametrize(
    ("rules", "result", "expected"),
    [
        (STATION, played(Ending.TIME, -1, 10), "Your fleet can’t have −1 SP left. Enter 0 or more."),
        (
            STATION,
            played(Ending.TIME, 130, 10),
            "Your fleet can’t have 130 SP left: the limit is 120. Count the surviving fleet again.",
        ),
        (
            STATION,
            played(Ending.ELIMINATION, 8, 10, out=0),
            "Your fleet was eliminated, but 8 SP are entered as left. Enter 0, or choose how the battle really ended.",
        ),
        (
            STATION,
            played(Ending.ELIMINATION, 0, 0, out=1),
            "You have no SP left either. Choose “Both eliminated”, or enter what is left.",
        ),
        (
            STATION,
            played(Ending.TIME, 0, 10),
            "You have no SP left, so your fleet was eliminated. Choose “I lost”, or enter what is left.",
        ),
        (
            STATION,
            played(Ending.TIME, 10, 0),
            "Kestrel has no SP left, so that fleet was eliminated. Choose “I won”, or enter what is left.",
        ),
        (STATION, played(Ending.ELIMINATION, 10, 0), "Choose how the match ended."),
        (
            CRAFT,
            played(Ending.TIME, 10, 20, tallies=({"mission_tokens": -1}, {})),
            "Mission Tokens: you can’t have −1. Enter 0 or more.",
        ),
        (
            STATION,
            played(Ending.TIME, 10, 20, tallies=({"ds9": 1}, {})),
            "Only the winner scores “Controls Deep Space 9”, and you didn’t win. "
            "Clear it, or edit how the match ended.",
        ),
        (
            STATION,
            played(Ending.TIME, 10, 20, tallies=({"tribbles": 1}, {})),
            "This month doesn’t count “tribbles”, but you have it. Leave it out.",
        ),
    ],
)
def test_a_player_reads_of_the_own_side_as_you(rules, result, expected):
    assert [str(problem.message) for problem in problems(rules, result, ("", "Kestrel"))] == [expected]


def test_a_player_reads_of_too_many_of_the_own_as_you():
    found = problems(STATION, played(Ending.TIME, 10, 20, tallies=({"ds9": 2}, {})), ("", "Kestrel"))

    assert str(found[0].message) == (
        "Controls Deep Space 9: you can’t have 2. The most for one player is 1. Count again."
    )


def test_2_11_who_did_not_play_may_have_counted_nothing():
    assert messages(STATION, played(Ending.NO_SHOW, out=0, tallies=({"ds9": 0}, {"ds9": 0}))) == []


def test_scoring_an_impossible_result_raises_its_problems():
    with pytest.raises(InvalidResult) as refused:
        score_match(STATION, played(Ending.TIME, 45, 30, rolled=0))

    assert in_english(refused.value.problems) == (
        Problem("rolled", "Only a tied battle has a roll-off, and this one isn’t tied. Leave it empty."),
    )
