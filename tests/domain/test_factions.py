"""The victorious faction and the best of each (rules 5.3, 5.4)."""

import pytest

from scoring.domain.factions import FactionLine, faction_table, faction_tie
from scoring.domain.pack import MonthPack
from scoring.domain.points import Score
from scoring.domain.roll_offs import DiceRoll, RollOffRolls
from scoring.domain.standings import Participant, standings

RULES = MonthPack(slug="a-month", storyline="A Storyline", sp_limit=120)


def evening(players):
    """Standings and participants from {id: (faction, Battle Points, Fleet Points)}, after one round."""
    participants = [Participant(id, faction) for id, (faction, _, _) in players.items()]
    scores = {id: Score(battle, fleet, (), "win") for id, (_, battle, fleet) in players.items()}
    return standings(RULES, participants, [scores]), participants


def test_most_combined_battle_points_win_then_fleet_points():
    """Rules 5.3, 5.4: sums, not means; the champion is the highest-ranked player of the faction."""
    table, participants = evening(
        {
            1: ("Klingon", 2, 120),
            2: ("Federation", 1, 40),
            3: ("Federation", 1, 60),
            4: ("Romulan", 1, 30),
            5: ("", 2, 90),
        }
    )

    assert faction_table(table, participants) == (
        FactionLine("Klingon", 1, False, 2, 120, 1, 1),
        FactionLine("Federation", 2, False, 2, 100, 3, 2),
        FactionLine("Romulan", 3, False, 1, 30, 4, 1),
    )
    assert faction_tie(table, participants) == ()


TIED = {
    1: ("Klingon", 2, 60),
    2: ("Federation", 2, 50),
    3: ("Klingon", 1, 40),
    4: ("Federation", 1, 50),
    5: ("Dominion", 1, 20),
    6: ("Romulan", 1, 20),
}


def test_factions_that_are_tied_share_the_rank_until_their_champions_roll():
    """Rules 5.2, 5.3 (decision)."""
    table, participants = evening(TIED)

    assert [(line.faction, line.rank, line.shared) for line in faction_table(table, participants)] == [
        ("Federation", 1, True),
        ("Klingon", 1, True),
        ("Dominion", 3, True),
        ("Romulan", 3, True),
    ]
    assert faction_tie(table, participants) == (1, 2)


def test_the_champions_roll_off_decides_the_victory():
    """Rule 5.3 (decision)."""
    table, participants = evening(TIED)
    level = RollOffRolls(1, (1, 2), (DiceRoll(((1, 2), (2, 2))),))
    broken = RollOffRolls(1, (1, 2), (DiceRoll(((1, 2), (2, 2))), DiceRoll(((1, 3), (2, 1)))))

    assert faction_tie(table, participants, [level]) == (1, 2)
    assert faction_tie(table, participants, [broken]) == ()
    assert [(line.faction, line.rank) for line in faction_table(table, participants, [broken])] == [
        ("Klingon", 1),
        ("Federation", 2),
        ("Dominion", 3),
        ("Romulan", 3),
    ]


def test_a_tie_behind_the_victory_is_not_rolled():
    """Rule 5.3: only the victorious faction is decided."""
    table, participants = evening(TIED | {7: ("Klingon", 1, 0)})

    assert faction_tie(table, participants) == ()


def test_a_half_broken_roll_off_of_three_names_all_three_champions():
    """Rules 4.1, 5.3."""
    table, participants = evening({1: ("Klingon", 2, 60), 2: ("Federation", 2, 60), 3: ("Romulan", 2, 60)})
    half = RollOffRolls(1, (1, 2, 3), (DiceRoll(((1, 3), (2, 3), (3, 0))),))
    decided = RollOffRolls(1, (1, 2, 3), (DiceRoll(((1, 0), (2, 3), (3, 0))),))

    assert faction_tie(table, participants, [half]) == (1, 2, 3)
    assert faction_tie(table, participants, [decided]) == ()


def test_a_roll_off_of_another_round_or_other_players_does_not_count():
    """Rule 4.3."""
    table, participants = evening(TIED)
    other_round = RollOffRolls(2, (1, 2), (DiceRoll(((1, 3), (2, 1))),))
    other_players = RollOffRolls(1, (1, 4), (DiceRoll(((1, 3), (4, 1))),))

    assert faction_tie(table, participants, [other_round, other_players]) == (1, 2)


SAME_POINTS = TIED | {2: ("Federation", 2, 60), 4: ("Federation", 1, 40)}
"""The champions, 1 and 2, are tied in the standings too."""

THREE = {1: ("Klingon", 2, 60), 2: ("Federation", 2, 60), 3: ("Romulan", 2, 60)}


def for_ranks(*rolls, group=(1, 2), round=1):
    """A roll-off for ranks: in each roll a number of Battle Stations for each of the group."""
    return RollOffRolls(round, group, tuple(DiceRoll(tuple(zip(group, roll, strict=True))) for roll in rolls if roll))


@pytest.mark.parametrize(
    ("players", "roll_off", "for_victory", "victor", "champions"),
    [
        pytest.param(SAME_POINTS, for_ranks((1, 3)), None, "Federation", (), id="exactly they rolled: it counts"),
        pytest.param(SAME_POINTS, for_ranks((3, 1)), None, "Klingon", (), id="the other way round"),
        pytest.param(SAME_POINTS, for_ranks((2, 2)), None, "", (1, 2), id="still level"),
        pytest.param(SAME_POINTS, for_ranks((2, 2), (0, 1)), None, "Federation", (), id="level, then decided"),
        pytest.param(SAME_POINTS, for_ranks((1, 3), round=2), None, "", (1, 2), id="after another round"),
        pytest.param(TIED, for_ranks((1, 3)), None, "", (1, 2), id="void: they share no rank any more"),
        pytest.param(
            SAME_POINTS | {7: ("", 2, 60)},
            for_ranks((1, 3, 0), group=(1, 2, 7)),
            None,
            "",
            (1, 2),
            id="one more rolled with them",
        ),
        pytest.param(THREE, for_ranks((1, 3, 2), group=(1, 2, 3)), None, "Federation", (), id="three champions"),
        pytest.param(THREE, for_ranks((1, 3, 3), group=(1, 2, 3)), None, "", (1, 2, 3), id="two of three still level"),
        pytest.param(SAME_POINTS, for_ranks((1, 3)), (3, 1), "Klingon", (), id="dice for the victory itself go first"),
        pytest.param(SAME_POINTS, for_ranks((1, 3)), (2, 2), "Federation", (), id="unless they decided nothing"),
    ],
)
def test_the_champions_roll_for_their_ranks_counts_for_the_victory(players, roll_off, for_victory, victor, champions):
    """Rules 4.3, 5.3."""
    table, participants = evening(players)
    own = [for_ranks(for_victory)] if for_victory else []

    first = faction_table(table, participants, own, [roll_off])[0]

    assert ("" if first.shared else first.faction) == victor
    assert faction_tie(table, participants, own, [roll_off]) == champions


def test_without_factions_there_is_no_table():
    """Rule 1.4: a pack may have no allegiance at all."""
    table, participants = evening({1: ("", 2, 60), 2: ("", 1, 60)})

    assert faction_table(table, participants) == ()
    assert faction_tie(table, participants) == ()
    assert faction_table((), ()) == ()
