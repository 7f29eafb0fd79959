"""Battle Points, Fleet Points, the winner, byes and what cannot be (rules 1.2, 1.3, 2.1–2.12)."""

from dataclasses import replace
from fractions import Fraction
from math import ceil

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scoring.domain.points import (
    BonusTerm,
    Ending,
    InvalidResult,
    MatchScore,
    Played,
    PointsPenalty,
    Problem,
    Score,
    ScoredTable,
    Side,
    bye_fleet_points,
    endings,
    problems,
    score_match,
    score_round,
)
from scoring.shipped import shipped_pack, shipped_packs

NAMES = ("Vor", "Kestrel")
STATION = shipped_pack("dominion-war-6").with_choices(sp_limit=120)
CRAFT = shipped_pack("temporal-cold-war-2").with_choices(sp_limit=120)
TOURNAMENT = shipped_pack("tournament-2016")
PROBE = shipped_pack("classic-movies-3")
CHAOS = shipped_pack("chronological-chaos")
LIMIT = BonusTerm("120 SP limit", 120)


def left(name, points):
    return BonusTerm(f"SP left in {name}'s surviving fleet", -points)


def played(ending, first=0, second=0, *, out=None, rolled=None, condition=None, tallies=({}, {})):
    sides = [Side(points, tuple(counts.items())) for points, counts in zip((first, second), tallies, strict=True)]
    return Played(ending, tuple(sides), out, condition, rolled)


def at_table(rules, entrants, result, names=NAMES):
    return ScoredTable(entrants, score_match(rules, result, names))


def messages(rules, result):
    return [(problem.field, problem.message) for problem in problems(rules, result, NAMES)]


def test_an_eliminated_fleet_loses_and_counts_for_all_of_the_base():
    """Rules 2.1, 2.2, 2.6, 2.7."""
    assert score_match(STATION, played(Ending.ELIMINATION, 0, 35, out=0), NAMES) == MatchScore(
        winner=1,
        why="Vor's fleet was eliminated, so Kestrel wins.",
        scores=(
            Score(1, 85, (LIMIT, left("Kestrel", 35)), "loss"),
            Score(2, 120, (LIMIT, left("Vor", 0)), "win"),
        ),
        needs_roll_off=False,
    )


def test_the_winner_in_control_of_the_station_adds_twenty_after_the_winner_is_decided():
    """Rules 2.7, 2.8 (S1): the twenty do not decide, but they count."""
    result = played(Ending.TIME, 45, 30, tallies=({"ds9": 1}, {}))

    assert score_match(STATION, result, NAMES) == MatchScore(
        winner=0,
        why="Time was called; Vor has 90 Fleet Points to Kestrel's 75, counting only what decides the winner.",
        scores=(
            Score(2, 110, (LIMIT, left("Kestrel", 30), BonusTerm("Controls Deep Space 9", 20)), "win"),
            Score(1, 75, (LIMIT, left("Vor", 45)), "loss"),
        ),
        needs_roll_off=False,
    )


def test_tokens_and_craft_count_before_the_winner_is_decided():
    """Rules 2.7, 2.8 (S3): 120 − 40 + 15 + 20 = 115 against 120 − 20 + 10 = 110."""
    result = played(Ending.TIME, 20, 40, tallies=({"mission_tokens": 3, "retrieved": 1}, {"mission_tokens": 2}))

    assert score_match(CRAFT, result, NAMES) == MatchScore(
        winner=0,
        why="Time was called; Vor has 115 Fleet Points to Kestrel's 110.",
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
            "Kestrel's fleet was eliminated, so Vor wins.",
            id="2.7 one eliminated",
        ),
        pytest.param(
            STATION,
            played(Ending.TIME, 45, 30),
            0,
            "Time was called; Vor has 90 Fleet Points to Kestrel's 75.",
            id="2.7 time",
        ),
        pytest.param(
            PROBE,
            played(Ending.SCENARIO, 45, 30),
            0,
            "The scenario ended the battle; Vor has 100 Fleet Points to Kestrel's 85.",
            id="1.2 scenario",
        ),
        pytest.param(
            CRAFT,
            played(Ending.BOTH_ELIMINATED, tallies=({}, {"mission_tokens": 1})),
            1,
            "Both fleets were eliminated; Kestrel has 125 Fleet Points to Vor's 120.",
            id="2.7 both eliminated, a token decides",
        ),
        pytest.param(
            STATION,
            played(Ending.BOTH_ELIMINATED),
            None,
            "Both fleets were eliminated; both have 120 Fleet Points, so the table rolls off.",
            id="2.7 both eliminated and level",
        ),
        pytest.param(
            STATION,
            played(Ending.TIME, 30, 30, tallies=({"ds9": 1}, {})),
            None,
            "Time was called; both have 90 Fleet Points, so the table rolls off.",
            id="2.7 level: the station does not decide",
        ),
        pytest.param(
            STATION,
            played(Ending.TIME, 30, 30, rolled=1),
            1,
            "Time was called; both have 90 Fleet Points; Kestrel won the roll-off.",
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
            "Kestrel did not come, so Vor scores like a bye.",
            id="2.11 no-show",
        ),
        pytest.param(
            STATION,
            played(Ending.NEITHER_CAME),
            None,
            "Neither Vor nor Kestrel came.",
            id="2.11 neither came",
        ),
        pytest.param(
            STATION,
            played(Ending.DOUBLE_LOSS, 30, 40),
            None,
            "By a ruling both players lose.",
            id="2.12 double loss",
        ),
        pytest.param(
            STATION,
            played(Ending.RULING, 30, 90, out=0),
            1,
            "By a ruling Kestrel wins.",
            id="2.12 a ruling decides, whatever is left",
        ),
    ],
)
def test_who_wins_is_said_in_one_sentence(rules, result, winner, why):
    match = score_match(rules, result, NAMES)

    assert (match.winner, match.why) == (winner, why)


def test_without_names_the_sentence_still_reads():
    assert score_match(STATION, played(Ending.ELIMINATION, 0, 35, out=0)).why == (
        "The first player's fleet was eliminated, so the second player wins."
    )


def test_level_without_a_roll_off_nobody_has_battle_points_yet():
    """Rules 1.3, 2.7, 4.1."""
    match = score_match(STATION, played(Ending.TIME, 30, 30, tallies=({"ds9": 1}, {})), NAMES)

    assert (match.winner, match.needs_roll_off) == (None, True)
    assert match.scores == (
        Score(0, 90, (LIMIT, left("Kestrel", 30)), "undecided"),
        Score(0, 90, (LIMIT, left("Vor", 30)), "undecided"),
    )


def test_after_the_roll_off_the_winners_bonus_counts():
    """Rules 2.7, 2.8."""
    match = score_match(STATION, played(Ending.TIME, 30, 30, rolled=0, tallies=({"ds9": 1}, {})), NAMES)

    assert match.needs_roll_off is False
    assert match.scores == (
        Score(2, 110, (LIMIT, left("Kestrel", 30), BonusTerm("Controls Deep Space 9", 20)), "win"),
        Score(1, 90, (LIMIT, left("Vor", 30)), "loss"),
    )


def test_a_mark_made_before_the_dice_is_worth_nothing_when_the_dice_go_against_it():
    """Rule 2.8 (decision): at a level table nobody knows yet who will win."""
    match = score_match(STATION, played(Ending.TIME, 30, 30, rolled=1, tallies=({"ds9": 1}, {})), NAMES)

    assert match.scores == (
        Score(1, 90, (LIMIT, left("Kestrel", 30)), "loss"),
        Score(2, 90, (LIMIT, left("Vor", 30)), "win"),
    )


def test_a_conceding_fleet_counts_as_eliminated_and_the_conceder_keeps_what_it_earned():
    """Rule 2.9 (decision)."""
    result = played(Ending.CONCESSION, 70, 20, out=0, tallies=({"mission_tokens": 2}, {}))

    assert score_match(CRAFT, result, NAMES).scores == (
        Score(1, 110, (LIMIT, left("Kestrel", 20), BonusTerm("Mission Tokens: 2 × 5", 10)), "loss"),
        Score(2, 120, (LIMIT, BonusTerm("Vor conceded, so nothing counts as left", 0)), "win"),
    )


def test_a_pack_can_score_a_concession_as_it_stands():
    """Rule 2.9 (setting)."""
    rules = replace(STATION, concession="as it stands")

    assert score_match(rules, played(Ending.CONCESSION, 70, 20, out=0), NAMES).scores == (
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

    assert low.scores[0] == Score(1, -10, (BonusTerm("120 base", 120), left("Kestrel", 130)), "loss")
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

    assert score_match(STATION, result, NAMES) == MatchScore(
        winner=1,
        why="Time was called; Kestrel has 90 Fleet Points to Vor's 75, counting only what decides the winner.",
        scores=(
            Score(1, 35, (LIMIT, left("Kestrel", 45), BonusTerm("ruling", -40)), "loss"),
            Score(2, 95, (LIMIT, left("Vor", 30), BonusTerm("ruling", 5)), "win"),
        ),
        needs_roll_off=False,
    )


def test_a_double_loss_gives_both_the_points_of_a_loss_and_their_fleet_points():
    """Rule 2.12."""
    result = played(Ending.DOUBLE_LOSS, 30, 40, tallies=({"mission_tokens": 1}, {}))

    assert score_match(CRAFT, result, NAMES).scores == (
        Score(1, 85, (LIMIT, left("Kestrel", 40), BonusTerm("Mission Tokens: 1 × 5", 5)), "loss"),
        Score(1, 90, (LIMIT, left("Vor", 30)), "loss"),
    )


def test_a_match_decided_by_a_ruling_counts_the_fleets_as_they_stand():
    """Rules 2.2, 2.8, 2.12: whoever wins gets the winner's bonus."""
    result = played(Ending.RULING, 30, 40, out=0, tallies=({}, {"ds9": 1}))

    assert score_match(STATION, result, NAMES).scores == (
        Score(1, 80, (LIMIT, left("Kestrel", 40)), "loss"),
        Score(2, 110, (LIMIT, left("Vor", 30), BonusTerm("Controls Deep Space 9", 20)), "win"),
    )


def test_a_ruling_says_who_loses():
    """Rule 2.12."""
    assert messages(STATION, played(Ending.RULING, 30, 40)) == [("out", "Say who loses by the ruling: Vor or Kestrel.")]


def test_where_neither_came_both_have_nothing_and_the_bye_is_the_mean_of_the_others():
    """Rules 2.10, 2.11."""
    tables = [
        at_table(STATION, (1, 2), played(Ending.TIME, 45, 30)),
        at_table(STATION, (3, 4), played(Ending.NEITHER_CAME)),
        ScoredTable((5,)),
    ]

    scores = score_round(STATION, tables)

    assert (scores[3], scores[4]) == (Score(0, 0, (), "no-show"), Score(0, 0, (), "no-show"))
    assert scores[5].fleet_points == 83


@pytest.mark.parametrize(
    ("rules", "present"),
    [
        (STATION, Score(2, None, (), "no-show win")),
        (TOURNAMENT, Score(2, 60, (BonusTerm("fixed for a bye", 60),), "no-show win")),
    ],
    ids=["mean", "fixed"],
)
def test_who_is_present_scores_like_a_bye_and_who_did_not_come_has_nothing(rules, present):
    """Rules 2.1, 2.11."""
    assert score_match(rules, played(Ending.NO_SHOW, out=0), NAMES).scores == (
        Score(0, 0, (), "no-show"),
        present,
    )


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ((120, 40, 90, 75), 82),
        ((120, 40), 80),
        ((90, 90, 91), 91),
        ((-10, -11), -10),
        ((7,), 7),
        ((), 0),
    ],
    ids=str,
)
def test_a_bye_gets_the_mean_of_the_others_rounded_up(others, expected):
    """Rule 2.10; the first case is 81.25, so 82."""
    assert bye_fleet_points(others) == expected


@pytest.mark.parametrize(
    ("fleet_points", "label", "points"),
    [
        (
            (119, 40, 90, 75),
            "mean of 4 others: (119+40+90+75) / 4 = 81",
            81,
        ),
        (
            (118, 40, 90, 75),
            "mean of 4 others: (118+40+90+75) / 4 = 80.75, rounded up",
            81,
        ),
        ((90, 75), "mean of 2 others: (90+75) / 2 = 82.5, rounded up", 83),
        (
            (90, 75, 90, 75, 91, 75),
            "mean of 6 others: (90+75+90+75+91+75) / 6 = 82.66…, rounded up",
            83,
        ),
        (
            (90, 75, 90, 75, 91, 75, 20, 30, 21, 31),
            "mean of 10 others: 598 / 10 = 59.8, rounded up",
            60,
        ),
        ((-9, -10), "mean of 2 others: (-9-10) / 2 = -9.5, rounded up", -9),
    ],
)
def test_the_mean_of_a_bye_reads_as_the_sum_that_it_is(fleet_points, label, points):
    """Rule 2.10."""
    rules = replace(TOURNAMENT, bye_fleet_points=None)
    tables = [
        at_table(rules, (2 * number + 10, 2 * number + 11), played(Ending.TIME, 120 - second, 120 - first))
        for number, (first, second) in enumerate(zip(fleet_points[::2], fleet_points[1::2], strict=True))
    ]

    assert score_round(rules, [*tables, ScoredTable((1,))])[1] == Score(2, points, (BonusTerm(label, points),), "bye")


def test_the_example_of_the_instructions_gives_the_bye_82():
    """Rule 2.10: (120+40+90+75)/4 = 81.25 → 82."""
    tables = [
        at_table(STATION, (1, 2), played(Ending.ELIMINATION, 80, 0, out=1)),
        at_table(STATION, (3, 4), played(Ending.TIME, 45, 30)),
        ScoredTable((5,)),
    ]

    scores = score_round(STATION, tables)

    assert {entrant: (score.battle_points, score.fleet_points) for entrant, score in scores.items()} == {
        1: (2, 120),
        2: (1, 40),
        3: (2, 90),
        4: (1, 75),
        5: (2, 82),
    }
    assert scores[5].parts == (BonusTerm("mean of 4 others: (120+40+90+75) / 4 = 81.25, rounded up", 82),)


@pytest.mark.parametrize(
    "open_table",
    [
        pytest.param(ScoredTable((3, 4)), id="no result yet"),
        pytest.param(at_table(STATION, (3, 4), played(Ending.TIME, 30, 30)), id="the table must roll off"),
    ],
)
def test_the_bye_waits_until_every_match_of_the_round_has_its_result(open_table):
    """Rule 2.10."""
    tables = [
        at_table(STATION, (1, 2), played(Ending.ELIMINATION, 80, 0, out=1)),
        open_table,
        ScoredTable((5,)),
        at_table(STATION, (6, 7), played(Ending.NO_SHOW, out=0)),
    ]

    scores = score_round(STATION, tables)

    assert sorted(scores) == [1, 2, 5, 6, 7]
    assert scores[5] == Score(2, None, (), "bye")
    assert scores[7] == Score(2, None, (), "no-show win")


def test_the_sums_of_a_round_speak_of_the_players_by_name():
    tables = [at_table(STATION, (1, 2), played(Ending.TIME, 45, 30))]

    assert score_round(STATION, tables) == {
        1: Score(2, 90, (LIMIT, left("Kestrel", 30)), "win"),
        2: Score(1, 75, (LIMIT, left("Vor", 45)), "loss"),
    }


def test_a_no_show_counts_neither_way_in_the_mean():
    """Rules 2.10, 2.11 (decision): bye and no-show win get the same mean of the played matches."""
    tables = [
        at_table(STATION, (1, 2), played(Ending.TIME, 45, 30)),
        at_table(STATION, (3, 4), Played(Ending.NO_SHOW, (Side(), Side(adjustment=-5)), out=0)),
        ScoredTable((5,)),
    ]
    mean = BonusTerm("mean of 2 others: (90+75) / 2 = 82.5, rounded up", 83)

    scores = score_round(STATION, tables)

    assert scores[3] == Score(0, 0, (), "no-show")
    assert scores[4] == Score(2, 78, (mean, BonusTerm("ruling", -5)), "no-show win")
    assert scores[5] == Score(2, 83, (mean,), "bye")


def test_if_nobody_else_played_the_mean_is_nothing():
    """Rule 2.10 (decision)."""
    tables = [ScoredTable((1,)), at_table(STATION, (2, 3), played(Ending.NO_SHOW, out=0))]

    assert score_round(STATION, tables)[1] == Score(2, 0, (BonusTerm("nobody else played this round", 0),), "bye")


PENALIZED_ROUND = (
    at_table(STATION, (1, 2), played(Ending.TIME, 45, 30)),
    at_table(STATION, (3, 4), played(Ending.NO_SHOW, out=0)),
    ScoredTable((5,)),
)


@pytest.mark.parametrize(
    ("penalties", "expected"),
    [
        pytest.param([], {1: (2, 90), 2: (1, 75), 3: (0, 0), 4: (2, 83), 5: (2, 83)}, id="none"),
        pytest.param(
            [PointsPenalty(1, fleet_points=-10)],
            {1: (2, 80), 2: (1, 75), 3: (0, 0), 4: (2, 78), 5: (2, 78)},
            id="2.10 the winner's Fleet Points, and with them the mean",
        ),
        pytest.param(
            [PointsPenalty(1, fleet_points=-20)],
            {1: (2, 70), 2: (1, 75), 3: (0, 0), 4: (2, 73), 5: (2, 73)},
            id="2.12 whoever won stays the winner",
        ),
        pytest.param(
            [PointsPenalty(2, battle_points=-1)],
            {1: (2, 90), 2: (0, 75), 3: (0, 0), 4: (2, 83), 5: (2, 83)},
            id="2.12 Battle Points",
        ),
        pytest.param(
            [PointsPenalty(2, -1, -10), PointsPenalty(2, -1, -80)],
            {1: (2, 90), 2: (-1, -15), 3: (0, 0), 4: (2, 38), 5: (2, 38)},
            id="2.2 several add up, and there is no floor",
        ),
        pytest.param(
            [PointsPenalty(3, fleet_points=-5)],
            {1: (2, 90), 2: (1, 75), 3: (0, -5), 4: (2, 83), 5: (2, 83)},
            id="2.11 of who did not come, outside of the mean",
        ),
        pytest.param(
            [PointsPenalty(5, fleet_points=-10), PointsPenalty(4, fleet_points=10)],
            {1: (2, 90), 2: (1, 75), 3: (0, 0), 4: (2, 93), 5: (2, 73)},
            id="2.10 of the bye and of who scores like it, on top of the mean",
        ),
        pytest.param(
            [PointsPenalty(9, fleet_points=-10)],
            {1: (2, 90), 2: (1, 75), 3: (0, 0), 4: (2, 83), 5: (2, 83)},
            id="of somebody without a score in this round",
        ),
    ],
)
def test_a_penalty_counts_in_the_round_it_is_given_for(penalties, expected):
    """Rule 2.12."""
    scores = score_round(STATION, PENALIZED_ROUND, penalties)

    assert {entrant: (score.battle_points, score.fleet_points) for entrant, score in scores.items()} == expected


def test_a_penalty_is_a_part_of_the_sum_with_its_reason():
    """Rule 2.12."""
    penalties = [
        PointsPenalty(1, fleet_points=-10, reason="late"),
        PointsPenalty(1, battle_points=-1),
        PointsPenalty(1, fleet_points=5),
    ]

    assert score_round(STATION, PENALIZED_ROUND, penalties)[1] == Score(
        1, 85, (LIMIT, left("Kestrel", 30), BonusTerm("penalty: late", -10), BonusTerm("ruling", 5)), "win"
    )


def test_a_penalty_waits_for_the_result():
    """Rules 2.10, 2.12: no points are known of a table that still plays."""
    assert score_round(STATION, [ScoredTable((1, 2)), ScoredTable((5,))], [PointsPenalty(1, -1, -10)]) == {
        5: Score(2, None, (), "bye")
    }


def test_a_fixed_bye_needs_no_other_result():
    """Rule 2.10 (S2)."""
    assert score_round(TOURNAMENT, [ScoredTable((1,)), ScoredTable((2, 3))]) == {
        1: Score(2, 60, (BonusTerm("fixed for a bye", 60),), "bye")
    }


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
                    "Dominion War, month 6: The Last Battle of DS9 has no SP limit yet; "
                    "choose the one printed on its overview.",
                )
            ],
            id="2.2 no limit chosen",
        ),
        pytest.param(
            STATION,
            played(Ending.SCENARIO, 30, 40),
            [("ending", "Nothing in this month's scenario ends a battle. Choose 'time' or 'eliminated'.")],
            id="1.2 no scenario end",
        ),
        pytest.param(
            STATION,
            played(Ending.ELIMINATION, 0, 40),
            [("out", "Say whose fleet was eliminated: Vor or Kestrel.")],
            id="2.7 whose fleet",
        ),
        pytest.param(
            STATION,
            played(Ending.CONCESSION, 10, 40, out=2),
            [("out", "Say who conceded: Vor or Kestrel.")],
            id="2.9 who conceded",
        ),
        pytest.param(
            STATION,
            played(Ending.NO_SHOW),
            [("out", "Say who did not come: Vor or Kestrel.")],
            id="2.11 who did not come",
        ),
        pytest.param(
            STATION,
            played(Ending.TIME, 30, 40, out=0),
            [("out", "With this ending neither player alone is out. Clear it, or choose another ending.")],
            id="2.7 out given at time",
        ),
        pytest.param(
            STATION,
            played(Ending.TIME, -3, 121),
            [
                ("sp_left_a", "SP left of Vor is -3. Enter 0 or more."),
                (
                    "sp_left_b",
                    "121 SP cannot be left of Kestrel's fleet: the limit is 120. Count the surviving fleet again.",
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
                    "Vor's fleet was eliminated, but 12 SP are entered as left. "
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
                    "Kestrel has no SP left either. Choose 'both eliminated' or enter what is left.",
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
                    "Kestrel's fleet was eliminated, but 8 SP are entered as left. "
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
                    "Vor has no SP left, so that fleet was eliminated. Choose 'eliminated', or enter what is left.",
                )
            ],
            id="2.7 time with one fleet gone",
        ),
        pytest.param(
            STATION,
            played(Ending.TIME),
            [("ending", "Neither fleet has SP left. Choose 'both eliminated', or enter what is left.")],
            id="2.7 time with both fleets gone",
        ),
        pytest.param(
            STATION,
            played(Ending.CONCESSION, 30, 0, out=0),
            [
                (
                    "sp_left_b",
                    "Kestrel has no SP left, so that fleet was eliminated. Choose 'eliminated', or enter what is left.",
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
                    "Nobody played, so there are no SP left to count for Vor. Leave it empty.",
                ),
                ("tally_ds9_b", "Nobody played, so there is nothing to count for Kestrel. Leave it empty."),
            ],
            id="2.11 nothing to count",
        ),
        pytest.param(
            STATION,
            played(Ending.TIME, 45, 30, tallies=({}, {"ds9": 1})),
            [
                (
                    "tally_ds9_b",
                    "Only the winner scores 'Controls Deep Space 9', and Kestrel did not win. "
                    "Clear it, or correct how the match ended.",
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
                    "Only the winner scores 'Controls Deep Space 9', and Vor did not win. "
                    "Clear it, or correct how the match ended.",
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
                    "A roll-off is only for a battle that is level, and this one is not. Leave it empty.",
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
                    "A roll-off is only for a battle that is level, and this one is not. Leave it empty.",
                )
            ],
            id="4.1 roll-off after an elimination",
        ),
        pytest.param(
            STATION,
            played(Ending.TIME, 30, 30, rolled=2),
            [("rolled", "Say which of the two players won the roll-off.")],
            id="4.1 roll-off of nobody",
        ),
        pytest.param(
            STATION,
            played(Ending.TIME, 45, 30, condition=(0, 0)),
            [("condition", "This month has no win conditions of its own. Leave it empty.")],
            id="1.2 no win conditions",
        ),
        pytest.param(
            CHAOS,
            played(Ending.TIME, 45, 30, condition=(0, 2)),
            [
                (
                    "condition",
                    "Say who won by which condition of this month: 1 most ships with four tokens, "
                    "2 the ship with the most tokens.",
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
                    "With this ending no win condition decides. Leave it empty, or choose another ending.",
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
                ("out", "Say whose fleet was eliminated: Vor or Kestrel."),
                (
                    "sp_left_b",
                    "400 SP cannot be left of Kestrel's fleet: the limit is 120. Count the surviving fleet again.",
                ),
                (
                    "tally_mission_tokens_a",
                    "Mission Tokens: 8 and 8 make 16, but only 12 are in play. Count again.",
                ),
                (
                    "tally_retrieved_a",
                    "'Retrieved the small craft' and 'Destroyed the small craft' cannot both happen in one "
                    "battle. Clear one of them.",
                ),
            ],
            id="everything at once",
        ),
    ],
)
def test_what_cannot_be_is_refused_with_sentences_that_say_what_to_do(rules, result, expected):
    assert messages(rules, result) == expected


def test_scoring_an_impossible_result_raises_its_problems():
    with pytest.raises(InvalidResult) as refused:
        score_match(STATION, played(Ending.TIME, 45, 30, rolled=0))

    assert refused.value.problems == (
        Problem("rolled", "A roll-off is only for a battle that is level, and this one is not. Leave it empty."),
    )


PLAYABLE = [pack if pack.sp_limit else pack.with_choices(sp_limit=120) for pack in shipped_packs()]


@st.composite
def results(draw, rules):
    """A possible result of a match in this month, level ones rolled off."""
    ending = draw(st.sampled_from(endings(rules)))
    out = draw(st.sampled_from([0, 1])) if ending in ("elimination", "concession", "no_show") else None
    sides = []
    for side in (0, 1):
        gone = ending in ("both_eliminated", "no_show") or (ending == "elimination" and side == out)
        counts = () if ending == "no_show" else draw(counted(rules))
        sides.append(Side(0 if gone else draw(st.integers(1, rules.sp_limit)), counts))
    result = Played(ending, tuple(sides), out)
    assume(not problems(rules, result))
    if score_match(rules, result).needs_roll_off:
        result = replace(result, rolled=draw(st.sampled_from([0, 1])))
        assume(not problems(rules, result))
    return result


@st.composite
def counted(draw, rules):
    return tuple((tally.key, draw(st.integers(0, min(tally.max_each or 3, 3)))) for tally in rules.tallies)


@st.composite
def full_rounds(draw):
    rules = draw(st.sampled_from(PLAYABLE))
    matches = draw(st.integers(0, 6))
    found = {(2 * number, 2 * number + 1): draw(results(rules)) for number in range(1, matches + 1)}
    byes = [ScoredTable((1,))] if draw(st.booleans()) else []
    return rules, found, byes


@given(full_rounds())
def test_in_every_round_battle_points_add_up_and_the_bye_is_the_mean(round):
    """Rules 1.3, 2.1, 2.2, 2.10, 2.11."""
    rules, found, byes = round
    scores = score_round(rules, [*(at_table(rules, *match) for match in found.items()), *byes])
    pairs = {
        Ending.NO_SHOW: (rules.bye, rules.no_show),
        Ending.DOUBLE_LOSS: (rules.loss, rules.loss),
    }

    for entrants, result in found.items():
        points = sorted((scores[entrant].battle_points for entrant in entrants), reverse=True)
        assert tuple(points) == pairs.get(result.ending, (rules.win, rules.loss))
    met = [
        scores[entrant].fleet_points
        for entrants, result in found.items()
        if result.ending is not Ending.NO_SHOW
        for entrant in entrants
    ]
    mean = ceil(Fraction(sum(met), len(met))) if met else 0
    for score in scores.values():
        assert score.fleet_points == sum(part.points for part in score.parts)
        if score.outcome in ("bye", "no-show win"):
            assert score.fleet_points == (mean if rules.bye_fleet_points is None else rules.bye_fleet_points)
