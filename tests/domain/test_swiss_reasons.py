"""Rule 3.8: the sentence of every kind, and that no kind is used where its sentence would be false."""

import json
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.domain.test_swiss import have_met, standing
from tests.domain.test_swiss_promise import Night
from tourney.domain.swiss import Contender, Options, Reason, pair, sentence
from tourney.domain.swiss.sentences import FIRST_FOR_BYE, PHRASES, UNKNOWN, read_reason, sayable

NAMES = {1: "Vor", 2: "Kestrel", 3: "Ensign Quill", 4: "Nine of Ten", 5: "Harrier", 6: "Tarn"}

SENTENCES = [
    (
        Reason("rematch", (1, 2), (1,)),
        "Vor and Kestrel have already met once: "
        "no pairing of this round has fewer repeat opponents (rules 3.3 b and 3.7).",
    ),
    (
        Reason("rematch_chosen", (1, 2), (2,)),
        "Vor and Kestrel have already met 2 times: the desk chose the oldest meeting (rule 3.7).",
    ),
    (Reason("drawn", (), (1234,)), "Round 1 is drawn at random (rule 3.1)."),
    (
        Reason("drawn_apart", (), (1234,)),
        "Drawn at random for round 1, then changed as little as possible to keep players apart "
        "as requested (rules 3.1 and 3.3 f).",
    ),
    (
        Reason("neighbours", (1, 2), (4,)),
        "Both have 4 Battle Points and are next to each other in the order of those playing (rule 3.2).",
    ),
    (
        Reason("neighbours_drawn", (1, 2), (1, 9)),
        "Both have 1 Battle Point and are next to each other in the order of those playing. "
        "Places still tied were drawn (rule 3.2).",
    ),
    (
        Reason("halves", (1, 2), (4,)),
        "Both have 4 Battle Points: Vor from the top half of that group meets Kestrel from the bottom half (rule 3.2).",
    ),
    (
        Reason("drawn_in_group", (1, 2), (4, 9)),
        "Both have 4 Battle Points and were drawn within that group (rule 3.2).",
    ),
    (
        Reason("group_odd", (1, 2), (4, 3, 2)),
        "An odd number of players (3) is seated with 4 Battle Points, so Vor plays down against Kestrel, "
        "who has 2 (rule 3.3 d).",
    ),
    (
        Reason("group_odd", (1, 2), (6, 1, 4)),
        "Vor is the only one seated with 6 Battle Points and so plays down against Kestrel, who has 4 (rule 3.3 d).",
    ),
    (
        Reason("rest_of_group_odd", (1, 2), (3, 2, 2, 1)),
        "With 1 of the 2 players on 3 Battle Points playing up, an odd number is left, "
        "so Vor plays down against Kestrel, who has 2 (rule 3.3 d).",
    ),
    (
        Reason("later_round", (1, 2)),
        "Another pairing looks as good or better for this round alone, "
        "but then not all planned rounds could avoid a rematch or a second bye (rule 3.4).",
    ),
    (
        Reason("differences", (1, 2), (4, 2)),
        "4 Battle Points against 2: after repeat opponents and the bye, "
        "this pairing keeps the differences across the whole round smallest (rule 3.3 d).",
    ),
    (
        Reason("whole_round", (1, 2), (4,)),
        "Both have 4 Battle Points. After everything that comes first, "
        "this is the closest pairing of the whole round (rule 3.3 g).",
    ),
    (
        Reason("beside_met", (1, 2, 3)),
        "Ensign Quill is next to Vor in the order of those playing, but they have already met (rule 3.3 b). "
        "Across the whole round this is the closest pairing left (rule 3.3 g).",
    ),
    (
        Reason("beside_apart", (1, 2, 3)),
        "Ensign Quill is next to Vor in the order of those playing, but they are to be kept apart (rule 3.3 f). "
        "Across the whole round this is the closest pairing left (rule 3.3 g).",
    ),
    (Reason("by_hand"), "Paired by hand by the organizer (rule 3.9)."),
    (UNKNOWN, "The reason for this pairing can’t be read."),
    (Reason("bye_drawn", (1,), (1234,)), "The bye of round 1 is drawn at random (rule 3.1)."),
    (Reason("bye_battle_points", (1,), (2, 40, 0, 0, 9)), "Vor has the fewest Battle Points, 2 (rule 3.5)."),
    (
        Reason("bye_battle_points", (1, 2), (2, 40, 0, 1, 9)),
        "Of the players without a bye, Vor has the fewest Battle Points, 2 (rule 3.5). "
        "Lower in the order, but with a bye already: Kestrel.",
    ),
    (
        Reason("bye_fleet_points", (1, 2, 3), (2, 40, 1, 1, 9)),
        "Of the players with the fewest byes, Vor has the fewest Battle Points, 2, and of those tied "
        "the fewest Fleet Points, 40 (rule 3.5). "
        "Lower in the order, but with more byes already: Kestrel and Ensign Quill.",
    ),
    (
        Reason("bye_place", (1,), (2, 40, 1, 0, 9)),
        "Everyone has had a bye. Vor has the fewest Battle Points, 2, "
        "and of those tied on all points the lowest place (rule 3.5).",
    ),
    (
        Reason("bye_lot", (1,), (2, 40, 0, 0, 9)),
        "Vor has the fewest Battle Points, 2, tied with others, and was drawn at random (rule 3.5).",
    ),
    (Reason("bye_only", (1,), (2, 40, 0, 1, 9)), "Vor is the only one who has not had a bye yet (rule 3.5)."),
    (
        Reason("bye_only", (1,), (2, 40, 1, 1, 9)),
        "Vor is the only one who has had fewer byes than everyone else (rule 3.5).",
    ),
    (
        Reason("bye_rematch", (1, 2)),
        "Kestrel is first in line for the bye (rule 3.5), but then more opponents would meet again (rule 3.3 b).",
    ),
    (
        Reason("bye_later_round", (1, 2)),
        "For this round alone the bye would go to Kestrel (rule 3.5), "
        "but then not all planned rounds could avoid a rematch or a second bye (rule 3.4).",
    ),
    (
        Reason("second_bye_all", (1,), (1,)),
        "Vor gets another bye: everyone has had one (rules 3.5 and 3.7).",
    ),
    (
        Reason("paired_again", (1, 2), (4, 1)),
        "Vor with 4 Battle Points against Kestrel with 1: "
        "no pairing of the players who had not started is better (rules 3.3 and 3.4).",
    ),
    (
        Reason("paired_again_fewest", (1, 2), (4, 4)),
        "Vor with 4 Battle Points against Kestrel with 4: no pairing of the players who had not started "
        "is better (rules 3.3 and 3.4), and none as good changes fewer tables.",
    ),
    (
        Reason("stayed", (1, 2), (4, 1)),
        "Vor with 4 Battle Points against Kestrel with 1: "
        "this table stayed as it was when others were re-paired (rule 3.9).",
    ),
    (
        Reason("rematch_stayed", (1, 2), (1,)),
        "Vor and Kestrel have already met once: their table stayed as it was "
        "when others were re-paired (rules 3.3 b and 3.9).",
    ),
    (Reason("bye_stayed", (1,)), "Vor kept the bye when others were re-paired (rule 3.9)."),
    (
        Reason("second_bye_stayed", (1,), (1,)),
        "Vor gets another bye, which stayed as it was when others were re-paired (rules 3.5 and 3.9).",
    ),
    (
        Reason("rematch_again", (1, 2), (1,)),
        "Vor and Kestrel have already met once: no pairing of the players who had not started "
        "has fewer repeat opponents (rules 3.3 b and 3.7).",
    ),
    (
        Reason("bye_again", (1,)),
        "Of the players who had not started, Vor is first in line for the bye (rule 3.5).",
    ),
    (
        Reason("bye_again_rematch", (1,)),
        "Of the players who had not started, Vor has the bye: "
        "giving it to anyone earlier in line would make more opponents meet again (rules 3.3 b and 3.5).",
    ),
    (
        Reason("bye_again_later", (1,)),
        "Of the players who had not started, Vor has the bye: otherwise fewer of the planned rounds "
        "could avoid a rematch or a second bye (rule 3.4).",
    ),
    (
        Reason("second_bye_again", (1,), (1,)),
        "Vor gets another bye: no player who had not started could have it "
        "with fewer byes and no more repeat opponents (rules 3.5 and 3.7).",
    ),
    (
        Reason("second_bye_rematch", (1,), (1,)),
        "Vor gets another bye: giving it to a player without one would make more opponents meet again "
        "(rules 3.3 b and 3.7).",
    ),
]


@pytest.mark.parametrize(("reason", "expected"), SENTENCES)
def test_3_8_each_reason_is_one_plain_sentence(reason, expected):
    assert str(sentence(reason, NAMES)) == expected


@pytest.mark.parametrize("kind", FIRST_FOR_BYE)
@pytest.mark.parametrize(("byes", "others_had_more"), [(0, 0), (1, 0), (0, 1), (1, 1)])
def test_3_8_what_is_said_of_the_first_in_line_has_all_its_numbers(kind, byes, others_had_more):
    said = str(sentence(Reason(kind, (1, 2), (2, 40, byes, others_had_more, 9)), NAMES))

    assert "Vor" in said
    assert "Kestrel" in said
    assert "{" not in said
    assert said.count("(rule 3.5") == 1


def test_3_8_no_kind_is_without_a_case_here():
    assert {reason.kind for reason, _ in SENTENCES} == set(PHRASES)


@pytest.mark.parametrize(("reason", "_"), SENTENCES)
def test_a_reason_survives_json(reason, _):
    stored = json.loads(json.dumps(reason.as_data()))

    assert Reason.from_data(stored) == read_reason(stored) == sayable(stored, NAMES) == reason


@pytest.mark.parametrize(
    "stored",
    [
        {},
        {"kind": "never heard of", "ids": [], "numbers": []},
        {"kind": ["by_hand"], "ids": [], "numbers": []},
        {"kind": "rematch", "ids": [1], "numbers": [1]},
        {"kind": "rematch", "ids": [1, 2], "numbers": []},
        {"kind": "rematch", "ids": ["1", "2"], "numbers": [1]},
        {"kind": "rematch", "ids": 12, "numbers": [1]},
        ["rematch"],
        None,
    ],
)
def test_a_stored_reason_of_which_no_sentence_comes_is_not_read(stored):
    with pytest.raises((LookupError, TypeError, ValueError)):
        read_reason(stored)

    assert sayable(stored, NAMES) == UNKNOWN


def test_a_reason_that_names_somebody_who_is_not_there_cannot_be_said():
    stored = Reason("rematch", (1, 99), (1,)).as_data()

    assert read_reason(stored)
    assert sayable(stored, NAMES) == UNKNOWN


SPOILING = have_met(standing(5, 4, 3, 3, 2, 2), (1, 4), (2, 5), (3, 6), (1, 6), (2, 3), (4, 5))


@pytest.mark.parametrize(
    ("rule", "contenders", "asked", "kinds"),
    [
        ("3.2", standing(4, 4, 2, 2), {}, ["neighbours", "neighbours"]),
        (
            "3.2 a tie of three",
            [Contender(1, 4, 0, 1), Contender(2, 4, 0, 1), Contender(3, 4, 0, 1), Contender(4, 4, 0, 4)],
            {},
            ["neighbours_drawn", "neighbours_drawn"],
        ),
        (
            "3.2 a tie of two who meet needs no draw",
            [Contender(1, 4, 0, 1), Contender(2, 4, 0, 1), Contender(3, 4, 0, 3), Contender(4, 4, 0, 4)],
            {},
            ["neighbours", "neighbours"],
        ),
        ("3.2 halves", standing(4, 4, 4, 4), {"options": Options("halves")}, ["halves", "halves"]),
        ("3.2 halves of each group", standing(*[4] * 4, *[2] * 4), {"options": Options("halves")}, ["halves"] * 4),
        ("3.2 random", standing(4, 4, 2, 2), {"options": Options("random")}, ["drawn_in_group", "drawn_in_group"]),
        ("3.3 d", standing(4, 4, 4, 2, 2, 2), {}, ["neighbours", "group_odd", "neighbours"]),
        ("3.3 d in a chain", standing(6, 4, 4, 2), {}, ["group_odd", "rest_of_group_odd"]),
        ("3.3 d, two down", have_met(standing(4, 4, 2, 2), (1, 2)), {}, ["differences", "differences"]),
        ("3.3 b", have_met(standing(4, 4, 4, 4), (1, 2)), {}, ["beside_met", "beside_met"]),
        ("3.3 b, moved by others", have_met(standing(4, 4, 4, 4), (3, 4)), {}, ["beside_met", "beside_met"]),
        (
            "3.3 f",
            standing(4, 4, 4, 4, _1={"group": "north"}, _2={"group": "north"}),
            {},
            ["beside_apart", "beside_apart"],
        ),
        ("3.1", standing(0, 0, 0, 0), {"first_round": True}, ["drawn", "drawn"]),
        ("3.4", SPOILING, {"rounds_left": 1}, ["group_odd", "later_round", "later_round"]),
        ("3.4 not needed", SPOILING, {}, ["group_odd", "neighbours", "neighbours"]),
        ("3.7", have_met(standing(4, 4), (1, 2)), {}, ["rematch"]),
        ("3.7", have_met(standing(4, 4), (1, 2)), {"options": Options(no_second_bye=True)}, ["rematch_chosen"]),
    ],
)
def test_3_8_which_reason_a_table_has(rule, contenders, asked, kinds):
    found = [seat.reason.kind for seat in pair(contenders, seed=1, **asked).tables]

    assert found == kinds


@pytest.mark.parametrize(
    ("rule", "contenders", "asked", "reason"),
    [
        ("3.1", standing(0, 0, 0), {"first_round": True}, Reason("bye_drawn", (1,), (1,))),
        ("3.5", standing(6, 3, 0), {}, Reason("bye_battle_points", (3,), (0, 0, 0, 0, 1))),
        (
            "3.5 had one",
            standing(6, 5, 3, 0, 0, _4={"byes": 1}, _5={"byes": 1}),
            {},
            Reason("bye_battle_points", (3, 4, 5), (3, 0, 0, 1, 1)),
        ),
        (
            "3.5 had one and is level",
            [Contender(1, 4, 90, 1), Contender(2, 2, 40, 2), Contender(3, 2, 40, 2, byes=1)],
            {},
            Reason("bye_battle_points", (2,), (2, 40, 0, 1, 1)),
        ),
        (
            "3.5 Fleet Points",
            [Contender(1, 2, 90, 1), Contender(2, 2, 40, 2), Contender(3, 4, 10, 3)],
            {},
            Reason("bye_fleet_points", (2,), (2, 40, 0, 0, 1)),
        ),
        (
            "3.5 roll-off",
            [Contender(1, 2, 40, 3), Contender(2, 2, 40, 2), Contender(3, 4, 10, 1)],
            {},
            Reason("bye_place", (1,), (2, 40, 0, 0, 1)),
        ),
        (
            "3.5 drawn",
            [Contender(id, 2, 40, 1) for id in (1, 2, 3)],
            {},
            Reason("bye_lot", (1,), (2, 40, 0, 0, 1)),
        ),
        (
            "3.5 the only one",
            standing(6, 3, 0, _2={"byes": 1}, _3={"byes": 1}),
            {},
            Reason("bye_only", (1, 2, 3), (6, 0, 0, 1, 1)),
        ),
        ("3.3 b", have_met(standing(6, 3, 0), (1, 2)), {}, Reason("bye_rematch", (2, 3))),
        (
            "3.4",
            have_met(standing(5, 4, 3, 3, 1, _4={"byes": 1}), (1, 3), (2, 5), (1, 4), (2, 3)),
            {"rounds_left": 2},
            Reason("bye_later_round", (3, 5)),
        ),
        ("3.3 a", standing(6, 3), {}, None),
    ],
)
def test_3_8_which_reason_the_bye_has(rule, contenders, asked, reason):
    assert pair(contenders, seed=1, **asked).bye_reason == reason


def true_of(reason, seat, contenders, pairing, style) -> bool:
    """What the sentence of a table claims, checked against the field itself."""
    by_id = {one.id: one for one in contenders}
    a, b = by_id[seat.a], by_id[seat.b]
    seated = [one for one in contenders if one.id != pairing.bye]
    order = sorted(seated, key=lambda one: (-one.battle_points, -one.fleet_points, one.place))
    group = [one for one in order if one.battle_points == a.battle_points]
    level, met = a.battle_points == b.battle_points, b.id in a.met
    down = [s for s in pairing.tables if by_id[s.a].battle_points == a.battle_points > by_id[s.b].battle_points]
    up = [s for s in pairing.tables if by_id[s.a].battle_points > a.battle_points == by_id[s.b].battle_points]
    claims = {
        "rematch": lambda: met and reason.numbers == (a.met.count(b.id),),
        "drawn": lambda: True,
        "neighbours": lambda: level and order.index(b) == order.index(a) + 1,
        "halves": lambda: level and group.index(a) < len(group) / 2 - 0.5 < group.index(b),
        "drawn_in_group": lambda: level and style == "random",
        "group_odd": lambda: not level and len(group) % 2 == 1 and down == [seat] and not up,
        "rest_of_group_odd": lambda: (
            not level and (len(group) - len(up)) % 2 == 1 and down == [seat] and len(up) == reason.numbers[3] > 0
        ),
        "differences": lambda: not level,
        "whole_round": lambda: level,
        "later_round": lambda: pairing.costs >= pair(contenders, seed=pairing.seed, options=Options(style)).costs,
        "beside_met": lambda: reason.ids[2] in by_id[reason.ids[0]].met and {*reason.ids[:2]} == {a.id, b.id},
    }
    return (met == (reason.kind == "rematch")) and claims[reason.kind]()


@given(
    players=st.integers(3, 13),
    seed=st.integers(0, 10**6),
    style=st.sampled_from(("neighbours", "halves", "random")),
    leaving=st.lists(st.integers(0, 2), min_size=6, max_size=6),
)
def test_3_8_every_reason_of_whole_random_events_is_true_and_can_be_said(players, seed, style, leaving):
    night = Night(players, seed)
    for round in range(1, 7):
        contenders = night.contenders()
        names = {one.id: f"Call sign {one.id}" for one in contenders}
        pairing = pair(contenders, seed=seed, rounds_left=6 - round, options=Options(style), first_round=round == 1)
        false = [seat for seat in pairing.tables if not true_of(seat.reason, seat, contenders, pairing, style)]
        said = [seat.reason for seat in pairing.tables] + [pairing.bye_reason] * (pairing.bye is not None)
        assert false == []
        assert {str(sentence(reason, names))[-1] for reason in said} == {"."}
        night.play(pairing)
        for id in night.dice.sample(sorted(night.points), min(leaving[round - 1], len(night.points) - 3)):
            night.leave(id)


def lower_in_line(one: Contender, other: Contender) -> bool:
    return (one.battle_points, one.fleet_points, -one.place) < (
        other.battle_points,
        other.fleet_points,
        -other.place,
    )


@given(players=st.sampled_from((3, 5, 7, 9, 11)), seed=st.integers(0, 10**6))
def test_3_5_the_bye_is_explained_by_what_is_so(players, seed):
    night = Night(players, seed)
    for _ in range(5):
        contenders = night.contenders()
        pairing = pair(contenders, seed=seed)
        kind = pairing.bye_reason.kind
        bye = next(one for one in contenders if one.id == pairing.bye)
        equally_few = [one for one in contenders if one.byes == bye.byes and one is not bye]
        if kind == "bye_battle_points":
            assert min(one.battle_points for one in equally_few) > bye.battle_points
        elif kind == "bye_fleet_points":
            level = [one for one in equally_few if one.battle_points == bye.battle_points]
            assert min(one.fleet_points for one in level) > bye.fleet_points
        elif kind == "bye_rematch":
            first = next(one for one in contenders if one.id == pairing.bye_reason.ids[1])
            assert first == min(contenders, key=lambda one: (one.byes, one.battle_points, one.fleet_points, -one.place))
        if kind != "bye_rematch":
            passed_over = {one.id for one in contenders if one.byes > bye.byes and lower_in_line(one, bye)}
            assert set(pairing.bye_reason.ids[1:]) == passed_over
            assert min(one.byes for one in contenders) == bye.byes
        night.play(pairing)


def test_round_1_says_where_a_wish_has_moved_somebody():
    factions = [Contender(id, faction="Klingon" if id <= 2 else f"Faction {id}") for id in range(1, 5)]
    found = set()
    for seed in range(20):
        pairing = pair(factions, seed=seed, first_round=True, options=Options(keep_factions_apart=True))
        plain = pair(factions, seed=seed, first_round=True)
        moved = [(seat.a, seat.b) for seat in pairing.tables] != [(seat.a, seat.b) for seat in plain.tables]
        kinds = {seat.reason.kind for seat in pairing.tables}
        assert kinds == ({"drawn_apart"} if moved else {"drawn"})
        found |= kinds
    assert found == {"drawn", "drawn_apart"}


def test_every_pair_of_a_small_field_can_be_explained_when_all_have_met():
    everybody = have_met(standing(6, 5, 4, 3), *combinations(range(1, 5), 2))
    pairing = pair(everybody, seed=1, rounds_left=2)

    assert [str(sentence(reason, NAMES)) for reason in pairing.relaxed] == [
        "Vor and Kestrel have already met once: "
        "no pairing of this round has fewer repeat opponents (rules 3.3 b and 3.7).",
        "Ensign Quill and Nine of Ten have already met once: "
        "no pairing of this round has fewer repeat opponents (rules 3.3 b and 3.7).",
    ]
