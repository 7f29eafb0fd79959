"""The season over all months of a campaign (rule 5.7), also by the rules that a store set for it (rule 5.8)."""

import pytest

from scoring.domain.season import MonthRecord, SeasonLine, SeasonRules, season, sums_of
from scoring.domain.season_words import rules_said, why


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


def test_who_is_tied_shares_the_rank_and_nobody_is_fleet_admiral():
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


# by rules of its own


def months_of(said: str) -> list[list[MonthRecord]]:
    """A line for each player, 1 and so on: the Battle Points of each month, or "battle/fleet"; "-" for not in."""
    months: dict[int, list[MonthRecord]] = {}
    for player, line in enumerate(said.strip().splitlines(), start=1):
        for place, points in enumerate(line.split()):
            taken = months.setdefault(place, [])
            if points != "-":
                battle, _, fleet = points.partition("/")
                taken.append(MonthRecord(player, int(battle), int(fleet or 0)))
    return list(months.values())


FOUR = """
    6 5 4 2
    5 5 5 -
    6 - - -
    4 3 - 6
"""
"""Four months of four players: 17, 15, 6 and 13 Battle Points."""

RANKED = [
    pytest.param(SeasonRules(), "1:17 2:15 4:13 3:6", id="nothing is set: all months count"),
    pytest.param(SeasonRules(best_of=4), "1:17 2:15 4:13 3:6", id="as many as were played"),
    pytest.param(SeasonRules(best_of=3), "1=15 2=15 4:13 3:6", id="the worst of the first does not count"),
    pytest.param(SeasonRules(best_of=2), "1:11 2=10 4=10 3:6", id="the best two of each"),
    pytest.param(SeasonRules(best_of=1), "1=6 3=6 4=6 2:5", id="the best one of each"),
    pytest.param(SeasonRules(at_least=4), "1:17 |2:15 |4:13 |3:6", id="all but one are behind who has enough"),
    pytest.param(SeasonRules(at_least=3), "1:17 2:15 4:13 |3:6", id="who has exactly enough is among them"),
    pytest.param(SeasonRules(at_least=5), "|1:17 |2:15 |4:13 |3:6", id="nobody has enough yet"),
    pytest.param(SeasonRules(best_of=1, at_least=3), "1=6 4=6 2:5 |3:6", id="more points do not make up for it"),
    pytest.param(SeasonRules(for_attendance=1), "1:21 2:18 4:16 3:7", id="a point for each month played"),
    pytest.param(SeasonRules(best_of=1, for_attendance=2), "1:14 4:12 2:11 3:8", id="for months that don't count, too"),
    pytest.param(SeasonRules(best_of=3, for_attendance=1), "1:19 2:18 4:16 3:7", id="attendance parts those who tie"),
]


@pytest.mark.parametrize(("rules", "ranked"), RANKED)
def test_what_counts_and_who_ranks_behind(rules: SeasonRules, ranked: str):
    """Rule 5.8: "=" where the rank is shared, "|" before who has played too few months."""
    lines = season(months_of(FOUR), rules=rules)

    said = (
        f"{'' if line.is_qualified else '|'}{line.player}{'=' if line.shared else ':'}{line.battle_points}"
        for line in lines
    )
    assert " ".join(said) == ranked


def test_nothing_set_is_the_season_as_it_is():
    assert season(months_of(FOUR), rules=SeasonRules()) == season(months_of(FOUR))


def test_of_months_with_equal_battle_points_the_one_with_more_fleet_points_counts():
    (line,) = season(months_of("4/90 4/120 4/100 5/10"), rules=SeasonRules(best_of=3))

    assert (line.battle_points, line.fleet_points, line.left_out, line.by_month) == (13, 230, (0,), (4, 4, 4, 5))


def test_fleet_points_are_of_the_months_that_count_and_none_is_for_attendance():
    (line,) = season(months_of("6/300 2/280"), rules=SeasonRules(best_of=1, for_attendance=1))

    assert (line.battle_points, line.fleet_points, line.attendance) == (8, 300, 2)


def test_who_has_too_few_months_is_no_fleet_admiral_even_in_front_of_everybody():
    (first, *_), (alone, *_) = (season(months_of(FOUR), rules=SeasonRules(at_least=least)) for least in (5, 4))

    assert (first.rank, first.shared, first.title) == (1, False, "")
    assert (alone.rank, alone.title) == (1, "Fleet Admiral")


def test_equal_points_do_not_share_a_rank_where_one_has_too_few_months():
    lines = season(months_of("3 3\n6 -"), rules=SeasonRules(at_least=2))

    assert [(line.player, line.rank, line.shared) for line in lines] == [(1, 1, False), (2, 2, False)]


PICKED = [
    pytest.param(SeasonRules(), "", id="no grand prize"),
    pytest.param(SeasonRules(pick_order="rank"), "1:1 2:2 3:4 4:3", id="the first in rank first"),
    pytest.param(SeasonRules(pick_order="reversed"), "1:3 2:4 3:2 4:1", id="the last in rank first"),
    pytest.param(SeasonRules(pick_order="months"), "1:1 2:2 3:4 4:3", id="the most months first, then by rank"),
    pytest.param(SeasonRules(best_of=1, pick_order="months"), "1:1 2:4 3:2 4:3", id="months before rank"),
    pytest.param(SeasonRules(best_of=3, pick_order="rank"), "1=1 1=2 3:4 4:3", id="who shares the rank, the turn too"),
    pytest.param(SeasonRules(best_of=3, pick_order="reversed"), "1:3 2:4 3=1 3=2", id="and from the other end"),
    pytest.param(SeasonRules(at_least=3, pick_order="reversed"), "1:4 2:2 3:1", id="who has too few months has none"),
    pytest.param(SeasonRules(at_least=5, pick_order="rank"), "", id="nobody has enough yet"),
]


@pytest.mark.parametrize(("rules", "picked"), PICKED)
def test_who_picks_a_grand_prize_first(rules: SeasonRules, picked: str):
    """Rule 5.8: turn and player, "=" where the turn is shared."""
    lines = [line for line in season(months_of(FOUR), rules=rules) if line.pick is not None]
    lines.sort(key=lambda line: (line.pick, line.rank))

    assert " ".join(f"{line.pick}{'=' if line.pick_shared else ':'}{line.player}" for line in lines) == picked


def test_the_best_months_are_not_told_from_sums():
    with pytest.raises(ValueError, match="best months"):
        season([[MonthRecord(1, 6, 300)]], [MonthRecord(1, 9, 500, months=2)], SeasonRules(best_of=2))


NAMES = ("January", "February", "March", "April")
SAID = [
    pytest.param(SeasonRules(best_of=3), 1, "Best 3 of 4 months: 6 + 5 + 4. Not counted: 2 in April.", id="best of"),
    pytest.param(
        SeasonRules(best_of=1), 4, "Best 1 of 3 months: 6. Not counted: 4 in January and 3 in February.", id="two not"
    ),
    pytest.param(SeasonRules(best_of=3), 2, "3 months: 5 + 5 + 5.", id="no more than count"),
    pytest.param(SeasonRules(best_of=3), 3, "1 month: 6.", id="one month"),
    pytest.param(SeasonRules(for_attendance=2), 3, "1 month: 6. Plus 2 for 1 month played.", id="attendance"),
    pytest.param(
        SeasonRules(best_of=1, for_attendance=1),
        2,
        "Best 1 of 3 months: 5. Not counted: 5 in February and 5 in March. Plus 3 for 3 months played.",
        id="attendance of months that don't count",
    ),
    pytest.param(SeasonRules(at_least=3), 3, "1 month: 6. Played 1 of at least 3 months.", id="too few"),
    pytest.param(SeasonRules(pick_order="rank"), 4, "3 months: 6 + 4 + 3. Grand prize pick 3.", id="pick"),
    pytest.param(
        SeasonRules(best_of=3, pick_order="rank"),
        2,
        "3 months: 5 + 5 + 5. Grand prize pick 1, tied: a roll-off decides.",
        id="shared pick",
    ),
    pytest.param(
        SeasonRules(at_least=2, pick_order="rank"), 3, "1 month: 6. Played 1 of at least 2 months.", id="no pick"
    ),
]


@pytest.mark.parametrize(("rules", "player", "said"), SAID)
def test_each_line_says_why(rules: SeasonRules, player: int, said: str):
    (line,) = (line for line in season(months_of(FOUR), rules=rules) if line.player == player)

    assert str(why(line, rules, NAMES)) == said


def test_of_many_months_only_the_number_is_said():
    rules = SeasonRules(best_of=2, for_attendance=1)
    (long,) = season(months_of("6 " * 20), rules=rules)
    (plain,) = season(months_of("6 " * 20), rules=SeasonRules(pick_order="rank"))

    months = [f"M{number}" for number in range(20)]
    assert str(why(long, rules, months)) == (
        "Best 2 of 20 months: 6 + 6. 18 other months don’t count. Plus 20 for 20 months played."
    )
    assert str(why(plain, SeasonRules(pick_order="rank"), months)) == "All 20 months count. Grand prize pick 1."


RULES_SAID = [
    (SeasonRules(), ["Every finished month counts."]),
    (SeasonRules(best_of=1), ["Each player’s best month counts."]),
    (
        SeasonRules(best_of=3, at_least=2, for_attendance=1, pick_order="months"),
        [
            "Each player’s best 3 months count.",
            "Every month played adds 1 Battle Point.",
            "Players with fewer than 2 months rank behind everyone else and pick no grand prize.",
            "Grand prizes are picked by months played, then by season rank.",
        ],
    ),
    (
        SeasonRules(for_attendance=2, pick_order="reversed"),
        [
            "Every finished month counts.",
            "Every month played adds 2 Battle Points.",
            "Grand prizes are picked by season rank, from the last to the first.",
        ],
    ),
    (
        SeasonRules(at_least=3),
        ["Every finished month counts.", "Players with fewer than 3 months rank behind everyone else."],
    ),
    (
        SeasonRules(pick_order="rank"),
        ["Every finished month counts.", "Grand prizes are picked by season rank."],
    ),
]


@pytest.mark.parametrize(("rules", "said"), RULES_SAID)
def test_the_rules_are_said_in_words(rules: SeasonRules, said: list[str]):
    assert list(map(str, rules_said(rules))) == said
