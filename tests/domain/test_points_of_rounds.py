"""Points that depend on the whole round: byes, who did not come, penalties (rules 2.10–2.12)."""

from dataclasses import replace

import pytest

from scoring.domain.points import (
    BonusTerm,
    Ending,
    Played,
    PointsPenalty,
    Score,
    ScoredTable,
    Side,
    bye_fleet_points,
    score_match,
    score_round,
)
from tests.support.saying import in_english
from tests.support.scored import (
    LIMIT,
    NAMES,
    STATION,
    TOURNAMENT,
    at_table,
    left,
    played,
)


def test_where_neither_came_both_have_nothing_and_the_bye_is_the_mean_of_the_others():
    """Rules 2.10, 2.11."""
    tables = [
        at_table(STATION, (1, 2), played(Ending.TIME, 45, 30)),
        at_table(STATION, (3, 4), played(Ending.BOTH_NO_SHOWS)),
        ScoredTable((5,)),
    ]

    scores = score_round(STATION, tables)

    assert (scores[3], scores[4]) == (Score(0, 0, (), "no-show"), Score(0, 0, (), "no-show"))
    assert scores[5].fleet_points == 83


@pytest.mark.parametrize(
    ("rules", "present"),
    [
        (STATION, Score(2, None, (), "no-show win")),
        (TOURNAMENT, Score(2, 60, (BonusTerm("Fixed for a bye", 60),), "no-show win")),
    ],
    ids=["mean", "fixed"],
)
def test_who_is_present_scores_like_a_bye_and_who_did_not_come_has_nothing(rules, present):
    """Rules 2.1, 2.11."""
    assert in_english(score_match(rules, played(Ending.NO_SHOW, out=0), NAMES).scores) == (
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
            "Average of 4 others: (119+40+90+75) / 4 = 81",
            81,
        ),
        (
            (118, 40, 90, 75),
            "Average of 4 others: (118+40+90+75) / 4 = 80.75, rounded up",
            81,
        ),
        ((90, 75), "Average of 2 others: (90+75) / 2 = 82.5, rounded up", 83),
        (
            (90, 75, 90, 75, 91, 75),
            "Average of 6 others: (90+75+90+75+91+75) / 6 = 82.66…, rounded up",
            83,
        ),
        (
            (90, 75, 90, 75, 91, 75, 20, 30, 21, 31),
            "Average of 10 others: 598 / 10 = 59.8, rounded up",
            60,
        ),
        ((-9, -10), "Average of 2 others: (−9−10) / 2 = −9.5, rounded up", -9),
    ],
)
def test_the_mean_of_a_bye_reads_as_the_sum_that_it_is(fleet_points, label, points):
    """Rule 2.10."""
    rules = replace(TOURNAMENT, bye_fleet_points=None)
    tables = [
        at_table(rules, (2 * number + 10, 2 * number + 11), played(Ending.TIME, 120 - second, 120 - first))
        for number, (first, second) in enumerate(zip(fleet_points[::2], fleet_points[1::2], strict=True))
    ]

    assert in_english(score_round(rules, [*tables, ScoredTable((1,))])[1]) == Score(
        2, points, (BonusTerm(label, points),), "bye"
    )


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
    assert in_english(scores[5].parts) == (
        BonusTerm("Average of 4 others: (120+40+90+75) / 4 = 81.25, rounded up", 82),
    )


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

    assert in_english(score_round(STATION, tables)) == {
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
    mean = BonusTerm("Average of 2 others: (90+75) / 2 = 82.5, rounded up", 83)

    scores = score_round(STATION, tables)

    assert scores[3] == Score(0, 0, (), "no-show")
    assert in_english(scores[4]) == Score(2, 78, (mean, BonusTerm("Ruling", -5)), "no-show win")
    assert in_english(scores[5]) == Score(2, 83, (mean,), "bye")


def test_if_nobody_else_played_the_mean_is_nothing():
    """Rule 2.10 (decision)."""
    tables = [ScoredTable((1,)), at_table(STATION, (2, 3), played(Ending.NO_SHOW, out=0))]

    assert in_english(score_round(STATION, tables)[1]) == Score(
        2, 0, (BonusTerm("No one else played this round", 0),), "bye"
    )


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

    assert in_english(score_round(STATION, PENALIZED_ROUND, penalties)[1]) == Score(
        1, 85, (LIMIT, left("Kestrel", 30), BonusTerm("Penalty: late", -10), BonusTerm("Ruling", 5)), "win"
    )


def test_a_penalty_waits_for_the_result():
    """Rules 2.10, 2.12: no points are known of a table that still plays."""
    assert in_english(score_round(STATION, [ScoredTable((1, 2)), ScoredTable((5,))], [PointsPenalty(1, -1, -10)])) == {
        5: Score(2, None, (), "bye")
    }


def test_a_fixed_bye_needs_no_other_result():
    """Rule 2.10 (S2)."""
    assert in_english(score_round(TOURNAMENT, [ScoredTable((1,)), ScoredTable((2, 3))])) == {
        1: Score(2, 60, (BonusTerm("Fixed for a bye", 60),), "bye")
    }
