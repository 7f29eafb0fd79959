"""The order of the players, ties, roll-offs and why (rules 4.1–4.4, 5.1, 5.2, 5.5)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.domain.pack import MonthPack
from scoring.domain.points import Score
from scoring.domain.roll_offs import DiceRoll, RollOffRolls, still_tied
from scoring.domain.standings import Participant, Standing, standings, tied, ties, why
from tests.support.software_rolls import software_roll

RULES = MonthPack(slug="a-month", storyline="A Storyline", sp_limit=120)
NAMES = {1: "Vor", 2: "Kestrel", 3: "Ensign Quill", 4: "Nine of Ten", 5: "the Harrier"}


def score(battle_points, fleet_points):
    return Score(battle_points, fleet_points, (), "win" if battle_points == 2 else "loss")


def rounds(*columns):
    """One mapping per round from {entrant: (Battle Points, Fleet Points)}."""
    return [{entrant: score(*points) for entrant, points in column.items()} for column in columns]


def entrants(*ids, **changes):
    return [changes.get(f"_{id}", Participant(id)) for id in ids]


def roll(**counts):
    return DiceRoll(tuple((int(entrant[1:]), count) for entrant, count in counts.items()))


def order(participants, played, roll_offs=()):
    return [(line.id, line.rank, line.shared) for line in standings(RULES, participants, played, roll_offs)]


def test_a_line_holds_sums_rounds_and_title():
    """Rules 5.1, 2.1, 2.2."""
    played = rounds({1: (2, 120), 2: (1, 35)}, {1: (1, 80), 2: (2, 90)})

    assert standings(RULES, entrants(1, 2), played) == (
        Standing(1, 1, False, 3, 200, (score(2, 120), score(1, 80)), False, "Admiral"),
        Standing(2, 2, False, 3, 125, (score(1, 35), score(2, 90)), False, "Vice Admiral"),
    )


@pytest.mark.parametrize(
    ("participants", "played", "roll_offs", "expected"),
    [
        pytest.param(
            entrants(1, 2, 3),
            rounds({1: (1, 119), 2: (2, 20), 3: (2, 30)}),
            [],
            [(3, 1, False), (2, 2, False), (1, 3, False)],
            id="5.1 Battle Points, then Fleet Points",
        ),
        pytest.param(
            entrants(1, 2, 3, 4),
            rounds({1: (1, 40), 2: (1, 90), 3: (2, 100), 4: (1, 90)}),
            [],
            [(3, 1, False), (2, 2, True), (4, 2, True), (1, 4, False)],
            id="5.2 shared ranks are 1-2-2-4",
        ),
        pytest.param(
            entrants(1, 2, 3, 4),
            rounds({1: (1, 40), 2: (1, 90), 3: (2, 100), 4: (1, 90)}),
            [RollOffRolls(1, (2, 4), (roll(_2=1, _4=3),))],
            [(3, 1, False), (4, 2, False), (2, 3, False), (1, 4, False)],
            id="4.1 a roll-off breaks the tie",
        ),
        pytest.param(
            entrants(1, 2, 3),
            rounds({1: (1, 90), 2: (1, 90), 3: (1, 90)}),
            [RollOffRolls(1, (1, 2, 3), (roll(_1=2, _2=4, _3=2),))],
            [(2, 1, False), (1, 2, True), (3, 2, True)],
            id="4.1 part of a group of three is still level",
        ),
        pytest.param(
            entrants(1, 2, 3),
            rounds({1: (1, 90), 2: (1, 90), 3: (1, 90)}),
            [RollOffRolls(1, (1, 2, 3), (roll(_1=2, _2=4, _3=2), roll(_1=0, _3=1)))],
            [(2, 1, False), (3, 2, False), (1, 3, False)],
            id="4.1 those still level roll again",
        ),
        pytest.param(
            entrants(1, 2),
            rounds({1: (2, 90), 2: (1, 60)}, {1: (1, 60), 2: (2, 90)}),
            [RollOffRolls(1, (1, 2), (roll(_1=5, _2=0),))],
            [(1, 1, True), (2, 1, True)],
            id="4.3 a roll-off of another round does not count",
        ),
        pytest.param(
            entrants(1, 2, 3),
            rounds({1: (1, 90), 2: (1, 90), 3: (1, 90)}),
            [RollOffRolls(1, (1, 2), (roll(_1=5, _2=0),))],
            [(1, 1, True), (2, 1, True), (3, 1, True)],
            id="4.3 a roll-off of another group does not count",
        ),
        pytest.param(
            entrants(1, 2, 3, _1=Participant(1, dropped_from=1)),
            rounds({1: (1, 90), 2: (1, 90), 3: (1, 89)}),
            [],
            [(2, 1, False), (1, 2, False), (3, 3, False)],
            id="5.5 who dropped stands behind who stayed with the same points",
        ),
        pytest.param(
            entrants(1, 2, _1=Participant(1, dropped_from=2)),
            rounds({1: (1, 90), 2: (1, 90)}),
            [],
            [(1, 1, True), (2, 1, True)],
            id="5.5 a drop counts from its round on",
        ),
        pytest.param(
            entrants(1, 2, 3, _3=Participant(3, first_round=2)),
            rounds({1: (2, 90), 2: (0, 0)}),
            [],
            [(1, 1, False), (2, 2, False), (3, 3, False)],
            id="late arrivals stand behind who played",
        ),
        pytest.param(
            entrants(1, 2, 3, _1=Participant(1, dropped_from=1), _2=Participant(2, first_round=2)),
            rounds({1: (0, 0), 3: (0, 0)}),
            [],
            [(3, 1, False), (1, 2, False), (2, 3, False)],
            id="5.5 stayed, dropped, still to play",
        ),
        pytest.param(entrants(2, 1), [], [], [(1, 1, True), (2, 1, True)], id="before the first round"),
        pytest.param([], [], [], [], id="nobody"),
    ],
)
def test_everybody_stands_in_the_order_of_the_rules(participants, played, roll_offs, expected):
    assert order(participants, played, roll_offs) == expected


def test_fleet_points_not_known_yet_count_nothing():
    """Rule 2.10: the bye's Fleet Points come with the last result of the round."""
    played = [{1: Score(2, None, (), "bye"), 2: score(2, 1)}]

    assert [(line.id, line.fleet_points) for line in standings(RULES, entrants(1, 2), played)] == [
        (2, 1),
        (1, 0),
    ]


def test_a_shared_rank_has_no_title_yet():
    """Rules 5.1, 5.2."""
    table = standings(RULES, entrants(1, 2, 3), rounds({1: (1, 90), 2: (1, 90), 3: (1, 10)}))

    assert [(line.rank, line.title) for line in table] == [(1, ""), (1, ""), (3, "")]


@pytest.mark.parametrize(
    ("participants", "played", "roll_offs", "expected"),
    [
        pytest.param(
            entrants(1, 2, 3, 4, 5),
            rounds({5: (2, 90), 4: (1, 50), 3: (1, 50), 2: (2, 90), 1: (0, 0)}),
            [],
            ((2, 5), (3, 4)),
            id="4.4 every tie, best first",
        ),
        pytest.param(
            entrants(1, 2, 3),
            rounds({1: (1, 90), 2: (1, 90), 3: (1, 90)}),
            [RollOffRolls(1, (1, 2, 3), (roll(_1=2, _2=4, _3=2),))],
            ((1, 2, 3),),
            id="4.1 a half-broken tie is named as it was first",
        ),
        pytest.param(
            entrants(1, 2),
            rounds({1: (1, 90), 2: (1, 90)}),
            [RollOffRolls(1, (1, 2), (roll(_1=2, _2=4),))],
            (),
            id="4.1 a broken tie is gone",
        ),
        pytest.param(
            entrants(1, 2, 3, 4, _3=Participant(3, first_round=2), _4=Participant(4, first_round=2)),
            rounds({1: (2, 90), 2: (1, 30)}),
            [],
            (),
            id="4.1 who has not played does not roll",
        ),
        pytest.param(entrants(1, 2), [], [], (), id="4.1 nobody rolls before the first round"),
        pytest.param(
            entrants(1, 2, _1=Participant(1, dropped_from=1)),
            rounds({1: (1, 90), 2: (1, 90)}),
            [],
            (),
            id="5.5 a drop breaks a tie without dice",
        ),
    ],
)
def test_ties_to_roll_are_found(participants, played, roll_offs, expected):
    assert ties(RULES, participants, played, roll_offs) == expected


@pytest.mark.parametrize(
    ("played", "roll_off", "expected"),
    [
        (rounds({1: (1, 90), 2: (1, 90), 3: (2, 0)}), RollOffRolls(1, (2, 1)), False),
        (rounds({1: (1, 90), 2: (1, 91), 3: (2, 0)}), RollOffRolls(1, (1, 2)), True),
        (rounds({1: (1, 90), 2: (1, 90), 3: (1, 90)}), RollOffRolls(1, (1, 2)), True),
        (
            rounds({1: (1, 90), 2: (1, 90), 3: (2, 0)}, {1: (2, 10), 2: (1, 0), 3: (1, 0)}),
            RollOffRolls(1, (1, 2)),
            False,
        ),
    ],
    ids=["still level", "corrected apart", "corrected into a larger tie", "a later round"],
)
def test_a_roll_off_is_void_when_its_tie_is_gone(played, roll_off, expected):
    """Rule 4.3."""
    level = tied(entrants(1, 2, 3), played[: roll_off.round])

    assert (tuple(sorted(roll_off.group)) not in level) is expected


def test_a_voided_roll_off_counts_again_when_its_tie_is_back():
    """Rule 4.3."""
    rolled = [RollOffRolls(1, (1, 2), (roll(_1=0, _2=4),))]

    apart = order(entrants(1, 2), rounds({1: (1, 91), 2: (1, 90)}), rolled)
    level = order(entrants(1, 2), rounds({1: (1, 90), 2: (1, 90)}), rolled)

    assert (apart, level) == ([(1, 1, False), (2, 2, False)], [(2, 1, False), (1, 2, False)])


@pytest.mark.parametrize(
    ("participants", "played", "roll_offs", "expected"),
    [
        pytest.param(
            entrants(1, 2, 3, 4),
            rounds({1: (2, 90), 2: (2, 80), 3: (1, 100), 4: (0, 0)}),
            [],
            {
                1: "Vor is rank 1: tied with Kestrel on 2 Battle Points, but with more Fleet Points, 90 to 80.",
                2: "Kestrel is rank 2: tied with Vor on 2 Battle Points, but Vor has more Fleet Points, 90 to 80.",
                3: "Ensign Quill is rank 3: Kestrel has more Battle Points, 2 to 1.",
                4: "Nine of Ten is rank 4: Ensign Quill has more Battle Points, 1 to 0.",
            },
            id="5.1 points",
        ),
        pytest.param(
            entrants(5, 2),
            rounds({5: (2, 90), 2: (1, 80)}),
            [],
            {
                5: "The Harrier is rank 1 with more Battle Points than Kestrel, 2 to 1.",
                2: "Kestrel is rank 2: the Harrier has more Battle Points, 2 to 1.",
            },
            id="5.1 a name without a capital",
        ),
        pytest.param(
            entrants(1, 2, 3),
            rounds({1: (1, 90), 2: (1, 90), 3: (1, 90)}),
            [],
            {
                1: "Vor shares rank 1 with Kestrel and Ensign Quill: "
                "tied on 1 Battle Point and 90 Fleet Points until they roll off.",
            },
            id="5.2 shared",
        ),
        pytest.param(
            entrants(1, 2, 3),
            rounds({1: (1, 90), 2: (1, 90), 3: (1, 90)}),
            [RollOffRolls(1, (1, 2, 3), (roll(_1=2, _2=4, _3=2), roll(_1=0, _3=1)))],
            {
                2: "Kestrel is rank 1: tied with Ensign Quill on Battle Points and Fleet Points, "
                "and won the roll-off, 4 Battle Stations to 2.",
                3: "Ensign Quill is rank 2: tied with Kestrel on Battle Points and Fleet Points, "
                "but Kestrel won the roll-off, 4 Battle Stations to 2.",
                1: "Vor is rank 3: tied with Ensign Quill on Battle Points and Fleet Points, "
                "but Ensign Quill won the roll-off, 1 Battle Stations to 0.",
            },
            id="4.1 rolled off",
        ),
        pytest.param(
            entrants(1, 2, _1=Participant(1, dropped_from=1)),
            rounds({1: (1, 90), 2: (1, 90)}),
            [],
            {
                2: "Kestrel is rank 1: tied with Vor on Battle Points and Fleet Points, "
                "but players who dropped rank below those who stayed.",
                1: "Vor is rank 2: tied with Kestrel on Battle Points and Fleet Points, "
                "but players who dropped rank below those who stayed.",
            },
            id="5.5 dropped",
        ),
        pytest.param(
            entrants(1, 2, _2=Participant(2, first_round=2)),
            rounds({1: (0, 0)}),
            [],
            {
                1: "Vor is rank 1: tied with Kestrel on Battle Points and Fleet Points, but Kestrel hasn’t played yet.",
                2: "Kestrel is rank 2: tied with Vor on Battle Points and Fleet Points, but Kestrel hasn’t played yet.",
            },
            id="late arrival",
        ),
        pytest.param(entrants(1), rounds({1: (2, 0)}), [], {1: "Vor is rank 1, as the only player."}, id="alone"),
    ],
)
def test_every_rank_is_explained_in_one_sentence(participants, played, roll_offs, expected):
    """Rule 3.8."""
    table = standings(RULES, participants, played, roll_offs)

    assert {id: str(why(table, NAMES, roll_offs)[id]) for id in expected} == expected


def test_only_the_dice_of_those_who_are_tied_now_explain_a_rank():
    """Rule 4.3: Vor once rolled against Ensign Quill, and before with Kestrel and Nine of Ten together."""
    played = rounds({1: (2, 90), 2: (2, 90), 3: (2, 80), 4: (1, 40)})
    roll_offs = [
        RollOffRolls(1, (1, 2, 4), (roll(_1=0, _2=5, _4=1),)),
        RollOffRolls(1, (1, 2), (roll(_1=2, _2=2), roll(_1=4, _2=1))),
        RollOffRolls(1, (1, 3), (roll(_1=3, _3=0),)),
        RollOffRolls(2, (1, 2), (roll(_1=0, _2=3),)),
    ]
    table = standings(RULES, entrants(1, 2, 3, 4), played, roll_offs)

    assert str(why(table, NAMES, roll_offs)[2]) == (
        "Kestrel is rank 2: tied with Vor on Battle Points and Fleet Points, but Vor won the roll-off, "
        "4 Battle Stations to 1."
    )


def test_before_the_first_round_nobody_is_told_to_roll():
    """Rules 4.1, 5.2."""
    table = standings(RULES, entrants(1, 2), [])

    assert str(why(table, NAMES)[1]) == "Vor shares rank 1 with Kestrel: none of them has a result yet."


def test_only_who_are_tied_with_somebody_are_tied():
    """Rules 4.1, 4.3."""
    assert tied(entrants(1, 2, 3), rounds({1: (2, 90), 2: (1, 40), 3: (1, 40)})) == ((2, 3),)


def test_four_who_share_a_rank_and_those_around_them_are_explained():
    """Rules 3.8, 5.2: of those above the last is named, of those below the first; nothing is 0 Battle Points."""
    played = rounds({1: (2, 90), 2: (1, 40), 3: (1, 40), 4: (1, 40), 5: (1, 40), 6: (0, 0)})
    found = why(standings(RULES, entrants(1, 2, 3, 4, 5, 6), played), {id: f"P{id}" for id in range(1, 7)})

    assert {id: str(sentence) for id, sentence in found.items()} == {
        1: "P1 is rank 1 with more Battle Points than P2, 2 to 1.",
        2: "P2 shares rank 2 with P3, P4 and P5: tied on 1 Battle Point and 40 Fleet Points until they roll off.",
        3: "P3 shares rank 2 with P2, P4 and P5: tied on 1 Battle Point and 40 Fleet Points until they roll off.",
        4: "P4 shares rank 2 with P2, P3 and P5: tied on 1 Battle Point and 40 Fleet Points until they roll off.",
        5: "P5 shares rank 2 with P2, P3 and P4: tied on 1 Battle Point and 40 Fleet Points until they roll off.",
        6: "P6 is rank 6: P5 has more Battle Points, 1 to 0.",
    }


def test_nobody_has_0_battle_point():
    table = standings(RULES, entrants(1, 2), rounds({1: (0, 40), 2: (0, 30)}))

    assert str(why(table, NAMES)[1]) == (
        "Vor is rank 1: tied with Kestrel on 0 Battle Points, but with more Fleet Points, 40 to 30."
    )


def test_two_who_share_a_rank_are_named_once_each():
    """Rule 5.2."""
    table = standings(RULES, entrants(1, 2), rounds({1: (2, 90), 2: (2, 90)}))

    assert str(why(table, NAMES)[2]) == (
        "Kestrel shares rank 1 with Vor: tied on 2 Battle Points and 90 Fleet Points until they roll off."
    )


@given(
    st.integers(1, 12).flatmap(
        lambda count: st.lists(
            st.fixed_dictionaries(
                {id: st.tuples(st.integers(0, 2), st.sampled_from([0, 60])) for id in range(1, count + 1)}
            ),
            min_size=1,
            max_size=3,
        )
    ),
    st.sets(st.integers(1, 12)),
)
def test_after_all_roll_offs_the_order_is_total(columns, dropped):
    """Rules 4.4, 5.1, 5.5: each rank once, by points, and whoever dropped behind who stayed."""
    participants = [Participant(id, dropped_from=2 if id in dropped else None) for id in columns[0]]
    played = rounds(*columns)
    roll_offs = []
    for group in ties(RULES, participants, played):
        rolls = []
        while level := [id for one in still_tied(group, rolls) for id in one]:
            rolls.append(software_roll("seed", len(rolls) + 1, level))
        roll_offs.append(RollOffRolls(len(played), group, tuple(rolls)))

    table = standings(RULES, participants, played, roll_offs)

    assert ties(RULES, participants, played, roll_offs) == ()
    assert [line.rank for line in table] == list(range(1, len(participants) + 1))
    assert {line.id for line in table} == set(columns[0])
    keys = [(-line.battle_points, -line.fleet_points, line.dropped) for line in table]
    assert keys == sorted(keys)
