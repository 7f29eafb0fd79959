"""The season over all months of a campaign (rule 5.7)."""

import pytest

from scoring.domain.season import MonthRecord, SeasonLine, season, sums_of


def test_battle_points_are_summed_over_the_months_then_fleet_points():
    """Rule 5.7 (decision)."""
    months = [
        [MonthRecord(1, 6, 300), MonthRecord(2, 5, 280), MonthRecord(3, 4, 200)],
        [MonthRecord(1, 4, 250), MonthRecord(2, 5, 290)],
    ]

    assert season(months) == (
        SeasonLine(2, 1, False, 10, 570, (5, 5), "Fleet Admiral"),
        SeasonLine(1, 2, False, 10, 550, (6, 4), ""),
        SeasonLine(3, 3, False, 4, 200, (4, None), ""),
    )


def test_who_is_level_shares_the_rank_and_nobody_is_fleet_admiral():
    """Rules 5.2, 5.7."""
    assert season([[MonthRecord(2, 6, 300)], [MonthRecord(1, 6, 300)]]) == (
        SeasonLine(1, 1, True, 6, 300, (None, 6), ""),
        SeasonLine(2, 1, True, 6, 300, (6, None), ""),
    )


def test_the_rank_after_a_shared_one_counts_everybody():
    """Rule 5.2: 1-2-2-4, and the first alone is Fleet Admiral."""
    table = season([[MonthRecord(1, 4, 90), MonthRecord(2, 5, 200), MonthRecord(3, 5, 200), MonthRecord(4, 6, 310)]])

    assert [(line.player, line.rank, line.shared, line.title) for line in table] == [
        (4, 1, False, "Fleet Admiral"),
        (2, 2, True, ""),
        (3, 2, True, ""),
        (1, 4, False, ""),
    ]


def test_months_counts_those_somebody_was_in_even_without_points():
    (line,) = season([[MonthRecord(1, 0, 0)], [], [MonthRecord(1, 2, 100)]])

    assert (line.by_month, line.months) == ((0, None, 2), 2)


def test_months_summed_before_count_with_the_others_and_have_no_column():
    months = [[MonthRecord(1, 6, 300), MonthRecord(2, 5, 280)], [MonthRecord(1, 4, 250)], [MonthRecord(2, 5, 290)]]

    (first, second) = season(months[2:], earlier=[MonthRecord(1, 10, 550, months=2), MonthRecord(2, 5, 280)])

    assert (first.player, first.by_month, first.earlier, first.months) == (2, (5,), 1, 2)
    assert (second.player, second.by_month, second.earlier, second.months) == (1, (None,), 2, 2)
    assert [(line.player, line.rank, line.battle_points, line.fleet_points) for line in season(months)] == [
        (line.player, line.rank, line.battle_points, line.fleet_points) for line in (first, second)
    ]


def test_the_sums_of_months_are_one_record_for_each_player():
    records = [MonthRecord(2, 5, 280), MonthRecord(1, 6, 300), MonthRecord(2, 3, 20, months=4)]

    assert sums_of(records) == (MonthRecord(1, 6, 300), MonthRecord(2, 8, 300, months=5))
    assert sums_of([]) == ()


def test_a_season_without_months_is_empty():
    assert season([]) == ()


def test_a_player_cannot_stand_twice_in_one_month():
    with pytest.raises(ValueError, match="twice in one month"):
        season([[MonthRecord(1, 6, 300), MonthRecord(1, 5, 200)]])
