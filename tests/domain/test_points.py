"""Battle Points, Fleet Points and the winner of a table (rules 1.2, 1.3, 2.1–2.9, 2.12)."""

from dataclasses import replace

import pytest

from scoring.domain.points import (
    BonusTerm,
    Ending,
    MatchScore,
    Played,
    Score,
    Side,
    score_match,
)
from tests.support.saying import in_english
from tests.support.scored import (
    CHAOS,
    CRAFT,
    LIMIT,
    NAMES,
    PROBE,
    STATION,
    TOURNAMENT,
    left,
    messages,
    played,
)


def test_an_eliminated_fleet_loses_and_counts_for_all_of_the_base():
    """Rules 2.1, 2.2, 2.6, 2.7."""
    assert in_english(score_match(STATION, played(Ending.ELIMINATION, 0, 35, out=0), NAMES)) == MatchScore(
        winner=1,
        why="Vor’s fleet was eliminated, so Kestrel wins.",
        scores=(
            Score(1, 85, (LIMIT, left("Kestrel", 35)), "loss"),
            Score(2, 120, (LIMIT, left("Vor", 0)), "win"),
        ),
        needs_roll_off=False,
    )


def test_the_winner_in_control_of_the_station_adds_twenty_after_the_winner_is_decided():
    """Rules 2.7, 2.8 (S1): the twenty do not decide, but they count."""
    result = played(Ending.TIME, 45, 30, tallies=({"ds9": 1}, {}))

    assert in_english(score_match(STATION, result, NAMES)) == MatchScore(
        winner=0,
        why="Time was called. Vor wins on Fleet Points, 90 to Kestrel’s 75, counting only what decides the winner.",
        scores=(
            Score(2, 110, (LIMIT, left("Kestrel", 30), BonusTerm("Controls Deep Space 9", 20)), "win"),
            Score(1, 75, (LIMIT, left("Vor", 45)), "loss"),
        ),
        needs_roll_off=False,
    )


def test_tokens_and_craft_count_before_the_winner_is_decided():
    """Rules 2.7, 2.8 (S3): 120 − 40 + 15 + 20 = 115 against 120 − 20 + 10 = 110."""
    result = played(Ending.TIME, 20, 40, tallies=({"mission_tokens": 3, "retrieved": 1}, {"mission_tokens": 2}))

    assert in_english(score_match(CRAFT, result, NAMES)) == MatchScore(
        winner=0,
        why="Time was called. Vor wins on Fleet Points, 115 to Kestrel’s 110.",
        scores=(
            Score(
                2,
                115,
                (
                    LIMIT,
                    left("Kestrel", 40),
                    BonusTerm("Mission Tokens: 3 × 5", 15),
                    BonusTerm("Retrieved the small craft", 20),
                ),
                "win",
            ),
            Score(1, 110, (LIMIT, left("Vor", 20), BonusTerm("Mission Tokens: 2 × 5", 10)), "loss"),
        ),
        needs_roll_off=False,
    )


def test_a_penalty_can_decide_the_winner():
    """Rules 2.7, 2.8 (S3)."""
    match = score_match(CRAFT, played(Ending.TIME, 50, 45, tallies=({"destroyed": 1}, {})), NAMES)

    assert match.winner == 1
    assert [score.fleet_points for score in match.scores] == [65, 70]


@pytest.mark.parametrize(
    ("rules", "result", "winner", "why"),
    [
        pytest.param(
            STATION,
            played(Ending.ELIMINATION, 60, 0, out=1),
            0,
            "Kestrel’s fleet was eliminated, so Vor wins.",
            id="2.7 one eliminated",
        ),
        pytest.param(
            STATION,
            played(Ending.TIME, 45, 30),
            0,
            "Time was called. Vor wins on Fleet Points, 90 to Kestrel’s 75.",
            id="2.7 time",
        ),
        pytest.param(
            PROBE,
            played(Ending.SCENARIO, 45, 30),
            0,
            "The scenario ended the battle. Vor wins on Fleet Points, 100 to Kestrel’s 85.",
            id="1.2 scenario",
        ),
        pytest.param(
            CRAFT,
            played(Ending.BOTH_ELIMINATED, tallies=({}, {"mission_tokens": 1})),
            1,
            "Both fleets were eliminated. Kestrel wins on Fleet Points, 125 to Vor’s 120.",
            id="2.7 both eliminated, a token decides",
        ),
        pytest.param(
            STATION,
            played(Ending.BOTH_ELIMINATED),
            None,
            "Both fleets were eliminated. Tied on 120 Fleet Points, so the table rolls off.",
            id="2.7 both eliminated and level",
        ),
        pytest.param(
            STATION,
            played(Ending.TIME, 30, 30, tallies=({"ds9": 1}, {})),
            None,
            "Time was called. Tied on 90 Fleet Points, so the table rolls off.",
            id="2.7 level: the station does not decide",
        ),
        pytest.param(
            STATION,
            played(Ending.TIME, 30, 30, rolled=1),
            1,
            "Time was called. Tied on 90 Fleet Points; Kestrel won the roll-off.",
            id="1.3 there are no draws",
        ),
        pytest.param(
            CHAOS,
            played(Ending.TIME, 30, 60, condition=(0, 1)),
            0,
            "Vor wins by win condition 2: the ship with the most tokens.",
            id="1.2 a ranked win condition comes before Fleet Points",
        ),
        pytest.param(
            CHAOS,
            played(Ending.ELIMINATION, 0, 60, out=0, condition=(0, 0)),
            0,
            "Vor wins by win condition 1: most ships with four tokens.",
            id="1.2 a ranked win condition comes before elimination",
        ),
        pytest.param(
            STATION,
            played(Ending.CONCESSION, 70, 20, out=0),
            1,
            "Vor conceded, so Kestrel wins.",
            id="2.9 concession",
        ),
        pytest.param(
            STATION,
            played(Ending.NO_SHOW, out=1),
            0,
            "Kestrel was a no-show, so Vor scores like a bye.",
            id="2.11 no-show",
        ),
        pytest.param(
            STATION,
            played(Ending.BOTH_NO_SHOWS),
            None,
            "Vor and Kestrel were both no-shows.",
            id="2.11 neither came",
        ),
        pytest.param(
            STATION,
            played(Ending.DOUBLE_LOSS, 30, 40),
            None,
            "By a ruling, both players lose.",
            id="2.12 double loss",
        ),
        pytest.param(
            STATION,
            played(Ending.RULING, 30, 90, out=0),
            1,
            "By a ruling, Kestrel wins.",
            id="2.12 a ruling decides, whatever is left",
        ),
    ],
)
def test_who_wins_is_said_in_one_sentence(rules, result, winner, why):
    match = score_match(rules, result, NAMES)

    assert (match.winner, str(match.why)) == (winner, why)


@pytest.mark.parametrize(
    ("rules", "result", "to_first", "to_second"),
    [
        (
            STATION,
            played(Ending.ELIMINATION, 0, 35, out=0),
            "Your fleet was eliminated, so Kestrel wins.",
            "Vor’s fleet was eliminated, so you win.",
        ),
        (
            STATION,
            played(Ending.CONCESSION, 20, 35, out=1),
            "Kestrel conceded, so you win.",
            "You conceded, so Vor wins.",
        ),
        (
            STATION,
            played(Ending.NO_SHOW, out=1),
            "Kestrel was a no-show, so you score like a bye.",
            "You were a no-show, so Vor scores like a bye.",
        ),
        (
            STATION,
            played(Ending.BOTH_NO_SHOWS),
            "You and Kestrel were both no-shows.",
            "You and Vor were both no-shows.",
        ),
        (STATION, played(Ending.RULING, 30, 90, out=0), "By a ruling, Kestrel wins.", "By a ruling, you win."),
        (
            STATION,
            played(Ending.TIME, 30, 60),
            "Time was called. Kestrel wins on Fleet Points, 90 to your 60.",
            "Time was called. You win on Fleet Points, 90 to Vor’s 60.",
        ),
        (
            STATION,
            played(Ending.TIME, 30, 60, tallies=({}, {"ds9": 1})),
            "Time was called. Kestrel wins on Fleet Points, 90 to your 60, counting only what decides the winner.",
            "Time was called. You win on Fleet Points, 90 to Vor’s 60, counting only what decides the winner.",
        ),
        (
            STATION,
            played(Ending.TIME, 30, 30, rolled=1),
            "Time was called. Tied on 90 Fleet Points; Kestrel won the roll-off.",
            "Time was called. Tied on 90 Fleet Points; you won the roll-off.",
        ),
        (
            STATION,
            played(Ending.TIME, 30, 30, rolled=0, tallies=({"ds9": 1}, {})),
            "Time was called. Tied on 90 Fleet Points, counting only what decides the winner; you won the roll-off.",
            "Time was called. Tied on 90 Fleet Points, counting only what decides the winner; Vor won the roll-off.",
        ),
        (
            CHAOS,
            played(Ending.TIME, 30, 60, condition=(0, 1)),
            "You win by win condition 2: the ship with the most tokens.",
            "Vor wins by win condition 2: the ship with the most tokens.",
        ),
    ],
)
def test_to_one_of_the_two_the_sentence_speaks_of_you(rules, result, to_first, to_second):
    first, second = (str(score_match(rules, result, names).why) for names in (("", "Kestrel"), ("Vor", "")))

    assert (first, second) == (to_first, to_second)


def test_without_names_the_sentence_still_reads():
    assert str(score_match(STATION, played(Ending.ELIMINATION, 0, 35, out=0)).why) == (
        "Player A’s fleet was eliminated, so Player B wins."
    )


def test_tied_without_a_roll_off_nobody_has_battle_points_yet():
    """Rules 1.3, 2.7, 4.1."""
    match = score_match(STATION, played(Ending.TIME, 30, 30, tallies=({"ds9": 1}, {})), NAMES)

    assert (match.winner, match.needs_roll_off) == (None, True)
    assert in_english(match.scores) == (
        Score(0, 90, (LIMIT, left("Kestrel", 30)), "undecided"),
        Score(0, 90, (LIMIT, left("Vor", 30)), "undecided"),
    )


def test_after_the_roll_off_the_winners_bonus_counts():
    """Rules 2.7, 2.8."""
    match = score_match(STATION, played(Ending.TIME, 30, 30, rolled=0, tallies=({"ds9": 1}, {})), NAMES)

    assert match.needs_roll_off is False
    assert in_english(match.scores) == (
        Score(2, 110, (LIMIT, left("Kestrel", 30), BonusTerm("Controls Deep Space 9", 20)), "win"),
        Score(1, 90, (LIMIT, left("Vor", 30)), "loss"),
    )


def test_a_mark_made_before_the_dice_is_worth_nothing_when_the_dice_go_against_it():
    """Rule 2.8 (decision): at a level table nobody knows yet who will win."""
    match = score_match(STATION, played(Ending.TIME, 30, 30, rolled=1, tallies=({"ds9": 1}, {})), NAMES)

    assert in_english(match.scores) == (
        Score(1, 90, (LIMIT, left("Kestrel", 30)), "loss"),
        Score(2, 90, (LIMIT, left("Vor", 30)), "win"),
    )


def test_a_conceding_fleet_counts_as_eliminated_and_the_conceder_keeps_what_it_earned():
    """Rule 2.9 (decision)."""
    result = played(Ending.CONCESSION, 70, 20, out=0, tallies=({"mission_tokens": 2}, {}))

    assert in_english(score_match(CRAFT, result, NAMES).scores) == (
        Score(1, 110, (LIMIT, left("Kestrel", 20), BonusTerm("Mission Tokens: 2 × 5", 10)), "loss"),
        Score(2, 120, (LIMIT, BonusTerm("Vor conceded, so nothing counts as left", 0)), "win"),
    )


def test_a_pack_can_score_a_concession_as_it_stands():
    """Rule 2.9 (setting)."""
    rules = replace(STATION, concession="as it stands")

    assert in_english(score_match(rules, played(Ending.CONCESSION, 70, 20, out=0), NAMES).scores) == (
        Score(1, 100, (LIMIT, left("Kestrel", 20)), "loss"),
        Score(2, 50, (LIMIT, left("Vor", 70)), "win"),
    )


def test_fleet_points_have_no_floor_and_no_ceiling():
    """Rules 2.2, 2.5: the 2016 base is 120 although 130 SP can be left; S3 tokens go above the limit."""
    low = score_match(TOURNAMENT, played(Ending.ELIMINATION, 0, 130, out=0), NAMES)
    high = score_match(
        CRAFT,
        played(Ending.ELIMINATION, 90, 0, out=1, tallies=({"mission_tokens": 12, "retrieved": 1}, {})),
        NAMES,
    )

    assert in_english(low.scores[0]) == Score(1, -10, (BonusTerm("Base", 120), left("Kestrel", 130)), "loss")
    assert high.scores[0].fleet_points == 200


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        pytest.param(played(Ending.TIME, 40, 35), (85, 80), id="2.2 the base minus what survives"),
        pytest.param(played(Ending.TIME, 40, 120), (0, 80), id="2.3 a fleet that is only damaged counts in full"),
        pytest.param(played(Ending.TIME, 40, 25), (95, 80), id="2.4 a resource counts while a ship survives"),
        pytest.param(played(Ending.ELIMINATION, 40, 0, out=1), (120, 80), id="2.4, 2.6 gone with the whole fleet"),
        pytest.param(played(Ending.TIME, 40, 112), (8, 80), id="2.5 SP never spent count for the opponent"),
    ],
)
def test_fleet_points_are_the_base_minus_what_the_table_counts_as_left(result, expected):
    """Rules 2.2–2.6: people count what survives, resource included, and type the sum."""
    assert tuple(score.fleet_points for score in score_match(STATION, result, NAMES).scores) == expected


def test_a_ruling_changes_fleet_points_but_not_the_winner():
    """Rule 2.12 (decision)."""
    result = Played(Ending.TIME, (Side(30, adjustment=-40), Side(45, adjustment=5)))

    assert in_english(score_match(STATION, result, NAMES)) == MatchScore(
        winner=1,
        why="Time was called. Kestrel wins on Fleet Points, 90 to Vor’s 75, counting only what decides the winner.",
        scores=(
            Score(1, 35, (LIMIT, left("Kestrel", 45), BonusTerm("Ruling", -40)), "loss"),
            Score(2, 95, (LIMIT, left("Vor", 30), BonusTerm("Ruling", 5)), "win"),
        ),
        needs_roll_off=False,
    )


def test_a_double_loss_gives_both_the_points_of_a_loss_and_their_fleet_points():
    """Rule 2.12."""
    result = played(Ending.DOUBLE_LOSS, 30, 40, tallies=({"mission_tokens": 1}, {}))

    assert in_english(score_match(CRAFT, result, NAMES).scores) == (
        Score(1, 85, (LIMIT, left("Kestrel", 40), BonusTerm("Mission Tokens: 1 × 5", 5)), "loss"),
        Score(1, 90, (LIMIT, left("Vor", 30)), "loss"),
    )


def test_a_match_decided_by_a_ruling_counts_the_fleets_as_they_stand():
    """Rules 2.2, 2.8, 2.12: whoever wins gets the winner's bonus."""
    result = played(Ending.RULING, 30, 40, out=0, tallies=({}, {"ds9": 1}))

    assert in_english(score_match(STATION, result, NAMES).scores) == (
        Score(1, 80, (LIMIT, left("Kestrel", 40)), "loss"),
        Score(2, 110, (LIMIT, left("Vor", 30), BonusTerm("Controls Deep Space 9", 20)), "win"),
    )


def test_a_ruling_says_who_loses():
    """Rule 2.12."""
    assert messages(STATION, played(Ending.RULING, 30, 40)) == [
        ("out", "Choose who loses by the ruling: Vor or Kestrel.")
    ]
