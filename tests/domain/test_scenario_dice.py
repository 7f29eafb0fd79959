"""What the months' scenarios decide by dice (S1 month 6, S3 month 2), each with the dice in sight."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.domain.roll_offs import ATTACK_DIE, DEFENSE_DIE, roll_faces
from tourney.judge.domain.scenario_dice import AwayTeam, away_battle, target, too_many_beams, tractor_check

DICE = {"attack": ATTACK_DIE, "defense": DEFENSE_DIE}
FACES = {"H": "hit", "C": "critical", "B": "battle stations", "E": "evade", ".": "blank"}


def falling(*hands):
    """Dice that fall as written, one hand after another: H hit, C critical, B Battle Stations, E evade, . blank."""
    coming = iter(hands)

    def roll(asked):
        hand = next(coming)
        assert len(hand) == asked.dice
        return tuple(FACES[letter] for letter in hand)

    return roll


def by(seed):
    """Dice of the software (rule 4.3)."""
    return lambda asked: roll_faces(seed, asked.number, asked.player, asked.dice, DICE[asked.die])


@pytest.mark.parametrize(
    ("names", "hands", "expected"),
    [
        (("Vor", "Kestrel"), ("BB...", "B...."), "DS9 fires at Kestrel: fewest Battle Stations (1)."),
        (("Vor", "Kestrel"), ("....H", "BBBBB"), "DS9 fires at Vor: fewest Battle Stations (0)."),
        (
            ("Vor", "Kestrel"),
            ("B....", "....B", "BB...", "BBB.."),
            "DS9 fires at Vor: fewest Battle Stations (2) after 2 rolls.",
        ),
        (
            ("Vor", "Kestrel", "Anvil"),
            ("B....", "BB...", "B....", "H....", "B...."),
            "DS9 fires at Vor: fewest Battle Stations (0) after 2 rolls.",
        ),
    ],
)
def test_ds9_fires_at_the_fewest_battle_stations(names, hands, expected):
    assert str(target(names, falling(*hands)).sentence) == expected


def test_only_those_who_share_the_fewest_roll_again():
    outcome = target(("Vor", "Kestrel", "Anvil"), falling("B....", "BB...", "B....", "H....", "B...."))

    assert [[(hand.who, hand.count) for hand in hands] for hands in outcome.rolls] == [
        [("Vor", 1), ("Kestrel", 2), ("Anvil", 1)],
        [("Vor", 0), ("Anvil", 1)],
    ]


@pytest.mark.parametrize(
    ("first", "second", "hands", "sentence", "how"),
    [
        (  # the higher skill attacks first, those who were discarded strike back no more
            AwayTeam("Vor", 3, 5),
            AwayTeam("Kestrel", 4, 8),
            ("HHC.", "E..", "HH", "BE.."),
            "No one controls DS9: Vor has 2 cards aboard, Kestrel has 3 cards.",
            (
                "Kestrel attacks first: captain skill 8 against 5.",
                "Kestrel rolls 2 Hits against 1 Evade: Vor discards 1 card.",
                "Vor rolls 2 Hits against 1 Evade: Kestrel discards 1 card.",
            ),
        ),
        (  # nobody is left to strike back
            AwayTeam("Vor", 2, 9),
            AwayTeam("Kestrel", 1, 1),
            ("HH", "."),
            "Vor controls DS9 with 2 cards left aboard.",
            (
                "Vor attacks first: captain skill 9 against 1.",
                "Vor rolls 2 Hits against 0 Evades: Kestrel discards 1 card.",
                "No one on Kestrel’s team is left to strike back.",
            ),
        ),
        (  # equal skill: the defeated fire too
            AwayTeam("Vor", 1, 6),
            AwayTeam("Kestrel", 2, 6),
            ("H", "..", "HH", "."),
            "Kestrel controls DS9 with 1 card left aboard.",
            (
                "Both have captain skill 6, so they attack at the same time, each with all their cards.",
                "Vor rolls 1 Hit against 0 Evades: Kestrel discards 1 card.",
                "Kestrel rolls 2 Hits against 0 Evades: Vor discards 1 card.",
            ),
        ),
        (
            AwayTeam("Vor", 1, 6),
            AwayTeam("Kestrel", 1, 6),
            ("H", ".", "H", "B"),
            "No one is left aboard, so no one controls DS9.",
            (
                "Both have captain skill 6, so they attack at the same time, each with all their cards.",
                "Vor rolls 1 Hit against 0 Evades: Kestrel discards 1 card.",
                "Kestrel rolls 1 Hit against 0 Evades: Vor discards 1 card.",
            ),
        ),
        (  # a critical hit is no hit, an evade too many cancels nothing
            AwayTeam("Vor", 2, 7),
            AwayTeam("Kestrel", 2, 6),
            ("CC", "EE", "HB", "EE"),
            "No one controls DS9: Vor has 2 cards aboard, Kestrel has 2 cards.",
            (
                "Vor attacks first: captain skill 7 against 6.",
                "Vor rolls 0 Hits against 2 Evades: Kestrel loses no cards.",
                "Kestrel rolls 1 Hit against 2 Evades: Vor loses no cards.",
            ),
        ),
    ],
)
def test_away_teams_attack_by_captain_skill(first, second, hands, sentence, how):
    outcome = away_battle(first, second, falling(*hands))

    assert (str(outcome.sentence), tuple(map(str, outcome.how))) == (sentence, how)


@pytest.mark.parametrize(
    ("attack", "defense", "expected"),
    [
        (
            "BB...",
            "B....",
            "Kestrel loses the tractor beam: 2 Battle Stations against 1. Remove its Target Lock Tokens.",
        ),
        (
            "B....",
            "B....",
            "Kestrel loses the tractor beam: 1 Battle Station against 1; the attacker wins ties. "
            "Remove its Target Lock Tokens.",
        ),
        (
            "HHHHH",
            "EEEEE",
            "Kestrel loses the tractor beam: 0 Battle Stations against 0; the attacker wins ties. "
            "Remove its Target Lock Tokens.",
        ),
        ("B....", "BB...", "Kestrel keeps the tractor beam: only 1 Battle Station against 2."),
    ],
)
def test_a_tie_breaks_the_tractor_beam(attack, defense, expected):
    assert str(tractor_check("Kestrel", "Vor", falling(attack, defense)).sentence) == expected


@pytest.mark.parametrize(
    ("tokens", "hands", "expected"),
    [
        (1, (), "No roll needed: 2 tokens are safe – the ship’s own and one more."),
        (2, (), "No roll needed: 2 tokens are safe – the ship’s own and one more."),
        (3, ("H",), "The small craft holds: no Critical Hit on 1 die."),
        (4, ("B.",), "The small craft holds: no Critical Hit on 2 dice."),
        (3, ("C",), "Vor’s beam destroys the small craft: a Critical Hit."),
        (5, ("H.C",), "Vor’s beam destroys the small craft: a Critical Hit."),
    ],
)
def test_more_than_two_beams_endanger_the_small_craft(tokens, hands, expected):
    assert str(too_many_beams("Vor", tokens, falling(*hands)).sentence) == expected


teams = st.tuples(st.integers(1, 12), st.integers(1, 10))


@given(teams, teams, st.text(max_size=8))
def test_the_same_seed_always_leads_to_the_same_end(first, second, seed):
    one, other = (away_battle(AwayTeam("Vor", *first), AwayTeam("Kestrel", *second), by(seed)) for _ in range(2))

    assert one == other
    assert target(("Vor", "Kestrel"), by(seed)) == target(("Vor", "Kestrel"), by(seed))


@given(teams, teams, st.text(max_size=8))
def test_whoever_is_left_strikes_back_with_a_die_for_each_card(first, second, seed):
    outcome = away_battle(AwayTeam("Vor", *first), AwayTeam("Kestrel", *second), by(seed))
    is_simultaneous, is_second_first = first[1] == second[1], second[1] > first[1]
    beginner, other = (second, first) if is_second_first else (first, second)
    hits, evades = outcome.rolls[0]
    left = other[0] - min(other[0], max(0, hits.count - evades.count))
    back = other[0] if is_simultaneous else left

    dice = [tuple(len(hand.faces) for hand in hands) for hands in outcome.rolls]

    assert dice == [(beginner[0], other[0]), (back, beginner[0])][: 2 if back else 1]
