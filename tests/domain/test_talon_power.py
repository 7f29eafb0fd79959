"""The Talon power record: every case of rule 10 and of the source's examples, and rounds played by chance."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.saying import in_english
from tourney.judge.domain.talon_power import (
    CLASSES,
    IMPULSES,
    SPENDINGS,
    WITH_NUMBER,
    Act,
    Curve,
    Marker,
    NotNow,
    ShipRecord,
    ShipState,
    SpeedOption,
    TalonLine,
    TalonStep,
    after,
    breaks_apart,
    impulses_of,
    most_markers,
    options,
    played,
    warning,
    why_not,
    why_not_reinforced,
)
from tourney.judge.domain.talon_words import curves_of, steps_of, told, written

TERRAN = CLASSES[0].curves
NEXT = TalonStep(Act.NEXT)
LOST = "No speed is legal. She breaks apart at the end of the Power Phase."


def ship(speed: int, **more) -> ShipState:
    return ShipState(TERRAN, speed, **more)


def reached(text: str, of: ShipState) -> ShipRecord:
    """The record after these steps, all of which fit."""
    found = played(of, steps_of(text))
    assert found.refused is None
    return found.now


def test_the_terran_ca_has_the_curves_of_the_source():
    assert [str(curve) for curve in TERRAN] == ["4-2-1", "3-3-2", "2-4-2", "1-5-3"]


@pytest.mark.parametrize(
    ("speed", "modifier", "legal", "illegal"),
    [
        (3, 0, "4-2-1 3-3-2 2-4-2", ""),
        (2, 0, "4-2-1 3-3-2", ""),
        (5, 0, "2-4-2 1-5-3", ""),
        (2, -1, "3-2-1 2-3-2", ""),
        (5, -2, "0-4-2", "−1-5-3"),
        (4, -3, "0-3-2", "−1-4-2 −2-5-3"),
        (5, -3, "", "−1-4-2 −2-5-3"),
        (2, -5, "", "−1-2-1 −2-3-2"),
    ],
)
def test_a_ship_keeps_its_speed_or_goes_one_up_or_down_to_a_power_of_0_or_more(speed, modifier, legal, illegal):
    """Rules 10.1 and 10.2."""
    found = options(ship(speed, hull=modifier))

    assert [str(option.curve) for option in found if not option.why_not] == legal.split()
    assert [str(option.curve) for option in found if option.why_not] == illegal.split()


def test_hull_and_criticals_are_added_to_the_power_together():
    """Rule 10.2."""
    assert in_english(options(ship(3, hull=-1, criticals=-2))) == (
        SpeedOption(Curve(1, 2, 1)),
        SpeedOption(Curve(0, 3, 2)),
        SpeedOption(Curve(-1, 4, 2), "Her Power would be −1."),
    )


def test_a_speed_that_the_class_does_not_have_is_never_in_reach():
    """Rule 10.1: a class with a gap in its table."""
    assert options(ShipState(curves_of("4-2-1 2-4-2"), 2)) == (SpeedOption(Curve(4, 2, 1)),)


@pytest.mark.parametrize(
    ("of", "lost", "says"),
    [
        (ship(3), False, None),
        (ship(5, hull=-2), False, "Speed 5 would put her Power below 0. She must go to speed 4."),
        (
            ShipState(curves_of("4-2-1 0-3-2 4-4-3"), 3, hull=-1),
            False,
            "Speed 3 would put her Power below 0. She must go to speed 2 or 4.",
        ),
        (ship(5, hull=-2, may_slow=False), True, LOST),
        (ship(5, hull=-2, criticals=-1), True, LOST),
        (ship(2, hull=-4), False, "If she loses one more point of Power, she breaks apart."),
    ],
)
def test_a_ship_without_a_legal_speed_breaks_apart_and_is_warned_before(of, lost, says):
    """Rule 10.2."""
    assert (breaks_apart(of), in_english(warning(of))) == (lost, says)


@pytest.mark.parametrize(
    ("number", "letters"), [(0, ""), (1, "F"), (2, "CF"), (3, "BDF"), (4, "ACDF"), (5, "ABCF"), (6, "ABCDEF"), (-1, "")]
)
def test_the_row_of_a_number_says_in_which_impulses_it_counts(number, letters):
    """Rule 10.3; the row of 5 without the mark that no source decides."""
    assert "".join(impulses_of(number)) == letters


@pytest.mark.parametrize(("fifth", "letters"), [("D", "ABCDF"), ("E", "ABCEF")])
def test_the_fifth_mark_of_five_is_where_somebody_read_it(fifth, letters):
    assert "".join(impulses_of(5, fifth)) == letters
    assert impulses_of(4, fifth) == impulses_of(4)


def test_every_row_of_the_chart_holds_as_many_marks_as_its_number_says_but_the_undecided_one():
    assert [len(impulses_of(number)) for number in range(1, 7)] == [1, 2, 3, 4, 4, 6]
    assert len(impulses_of(5, "D")) == len(impulses_of(5, "E")) == 5


def test_power_four_and_speed_two_bring_points_in_a_c_d_f_and_moves_in_c_f():
    """Rule 10.3: 4-2-1."""
    record = reached("v2", ship(3))
    seen = []
    while record.impulse:
        seen.append((record.impulse, record.ap, record.moves))
        record = after(record, NEXT)

    assert seen == [
        ("A", 1, False),
        ("B", 0, False),
        ("C", 1, True),
        ("D", 1, False),
        ("E", 0, False),
        ("F", 1, True),
    ]
    assert (record.round, record.ap) == (2, 0)


def test_a_point_can_be_spent_on_nine_things():
    """Rule 10.3."""
    assert len(SPENDINGS) == 9
    record = reached("v2", ship(3))

    assert {act: why_not(record, TalonStep(act)) for act in SPENDINGS} == dict.fromkeys(SPENDINGS)
    assert {after(record, TalonStep(act)).ap for act in SPENDINGS} == {0}


def test_a_point_is_spent_once_and_is_gone_with_its_impulse():
    record = reached("v2", ship(3))

    spent = after(record, TalonStep(Act.CHARGE))
    assert str(why_not(spent, TalonStep(Act.CHARGE))) == "There is no power to spend now."
    assert after(record, NEXT).ap == 0


@pytest.mark.parametrize(
    ("power", "on_ship", "why"),
    [
        (3, 0, None),
        (3, 1, "Power 3 allows only 1 reinforcement."),
        (4, 1, None),
        (4, 2, "Power 4 allows only 2 reinforcements."),
        (1, 0, None),
        (1, 1, "Power 1 allows only 1 reinforcement."),
        (6, 2, None),
        (6, 3, "Power 6 allows only 3 reinforcements."),
    ],
)
def test_reinforcements_are_placed_while_fewer_than_half_the_power_are_on_the_ship(power, on_ship, why):
    """Rule 10.4: 3-3-2 with one, 4-2-1 with one, 1-5-3 with none, and around them."""
    markers = [Marker(arc, "A") for arc in range(1, on_ship + 1)]

    assert in_english(why_not_reinforced(power, 0, markers)) == why


def test_an_arc_that_is_down_or_has_one_gets_no_reinforcement():
    """Rule 10.4."""
    assert str(why_not_reinforced(6, 0, [], {0})) == "This arc is down."
    assert str(why_not_reinforced(6, 0, [Marker(0, "A")])) == "This arc is already reinforced."


@pytest.mark.parametrize(("power", "most"), [(0, 1), (1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (6, 3)])
def test_the_limit_is_half_the_power_rounded_down_and_at_least_one(power, most):
    """Rule 10.4."""
    assert most_markers(power) == most


def test_the_limit_counts_the_power_after_damage():
    """Rules 10.2 and 10.4: 4-2-1 with −1 is 3-2-1."""
    record = reached("v2.n", ship(2, hull=-1, markers=frozenset({Marker(1, "C")})))

    assert str(record.curve) == "3-2-1"
    assert (record.impulse, record.ap) == ("B", 1)
    assert str(why_not(record, TalonStep(Act.REINFORCE, 0))) == "Power 3 allows only 1 reinforcement."


@pytest.mark.parametrize("letter", "ACDF")
def test_a_reinforcement_lasts_until_the_next_impulse_of_its_letter(letter):
    """Rule 10.4."""
    until = ".n" * (ord(letter) - ord("A"))
    around = ".n" * (5 - (ord(letter) - ord("A")))
    placed = reached(f"v2{until}.r1", ship(2))
    assert placed.ship.markers == {Marker(0, letter)}

    just_before = reached(f"v2{until}.r1.n{around}.v2{until[:-2]}" if until else f"v2.r1.n{around}", ship(2))
    assert just_before.ship.markers == {Marker(0, letter)}
    at_its_letter = after(just_before, NEXT if until else TalonStep(Act.SPEED, 2))
    assert (at_its_letter.impulse, at_its_letter.round, at_its_letter.ship.markers) == (letter, 2, frozenset())
    assert why_not(at_its_letter, TalonStep(Act.REINFORCE, 0)) is None


def test_a_reinforcement_absorbs_one_damage_or_is_removed_at_will():
    """Rule 10.4; the arc or another one can then be reinforced again."""
    placed = reached("v3.n.r1", ship(3))

    for act in (Act.ABSORB, Act.REMOVE):
        gone = after(placed, TalonStep(act, 0))
        assert gone.ship.markers == frozenset()
        assert str(why_not(gone, TalonStep(act, 0))) == "There is no reinforcement on Front."
        assert reached(f"v3.n.r1.{act}1.n.n.r2", ship(3)).ship.markers == {Marker(1, "D")}


def test_a_side_slip_marker_goes_with_the_next_move():
    """Rule 10.3: 4-2-1 moves in C and F; a marker of A waits, one of C is used at once."""
    assert [reached(f"v2.s{'.n' * count}", ship(2)).side_slip for count in range(4)] == [True, True, True, False]
    assert not reached("v2.n.n.s.n", ship(2)).side_slip


def test_damage_counts_from_the_next_power_phase_on():
    """Rule 10.2: it is applied in the Power Phase."""
    record = reached("v2.h2", ship(2))
    assert str(record.curve) == "4-2-1"

    assert [str(option.curve) for option in options(reached("v2.h2.n.n.n.n.n.n", ship(2)).ship)] == ["2-2-1", "1-3-2"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("n", "Choose a speed first."),
        ("v5", "Speed 5 is out of reach from speed 3."),
        ("v3.v3", "Speed is chosen in the Power Phase."),
        ("h4.v3", "Her Power would be −1."),
        ("v3.w", "There is no power to spend now."),
        ("r1", "There is no power to spend now."),
        ("v3.n.o1.r1", "This arc is down."),
        ("v3.n.r9", "This ship has no such shield arc."),
        ("v3.n.r0", "This ship has no such shield arc."),
        ("o1.o1", "Front is already down."),
        ("u1", "Front isn’t down."),
        ("v2.s.n.n.s", "She already has a side slip marker."),
    ],
)
def test_what_does_not_fit_is_refused_in_words_and_the_steps_before_it_stay(text, why):
    found = played(ship(3), steps_of(text))

    assert str(found.refused) == why
    assert [line.step for line in found.lines] == list(steps_of(text)[:-1])


@pytest.mark.parametrize(
    "text", ["4-2-1 3-3-2 2-4-2 1-5-3", "421 332 242 153", "421332242153", "1–5–3, 2/4/2, 3 3 2, 4:2:1"]
)
def test_curves_are_read_however_they_are_typed(text):
    assert curves_of(text) == TERRAN


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Type three numbers for each speed, such as 4-2-1: Power, Speed, turn radius."),
        ("4-2", "Type three numbers for each speed, such as 4-2-1: Power, Speed, turn radius."),
        ("7-2-1", "7-2-1 doesn’t fit. The impulse chart has Power 0 to 6 and Speed 1 to 6."),
        ("4-0-1", "4-0-1 doesn’t fit. The impulse chart has Power 0 to 6 and Speed 1 to 6."),
        ("4-2-1 3-2-2", "Speed 2 has two curves. Remove one of them."),
    ],
)
def test_curves_that_cannot_be_are_refused_in_words(text, why):
    with pytest.raises(ValueError, match=f"^{re.escape(why)}$"):
        curves_of(text)


@pytest.mark.parametrize("text", ["z", "v", "n1", "r12", "v3..n", "n.", "N"])
def test_an_address_that_was_changed_is_refused_in_words(text):
    with pytest.raises(ValueError, match="is not a step of a round"):
        steps_of(text)


def test_what_happened_is_told_in_sentences():
    text = "v2.r1.n.n.s.n.n.h2.k1.n.n.v2.o2.u2.n.n.n.n.n.r3.a3.n.k0.v3.n"
    found = played(ship(3), steps_of(text))

    assert written(line.step for line in found.lines) == text

    assert found.refused is None
    assert [str(told(line)) for line in found.lines] == [
        "Slows down to 2, curve 4-2-1.",
        "1 AP: Front reinforced, marker A.",
        "Doesn’t move.",
        "Doesn’t move.",
        "1 AP: side slip.",
        "Moves 1 hex and can side slip.",
        "Doesn’t move. 1 AP was not spent.",
        "Hull damage −2 from the next Power Phase.",
        "Criticals −1 from the next Power Phase.",
        "Doesn’t move.",
        "Moves 1 hex. 1 AP was not spent.",
        "Keeps speed 2, curve 1-2-1. In A the reinforcement on Front expires.",
        "Right is down.",
        "Right is up again.",
        *["Doesn’t move."] * 2,
        "Moves 1 hex.",
        *["Doesn’t move."] * 2,
        "1 AP: Rear reinforced, marker F.",
        "The reinforcement on Rear absorbs 1 damage.",
        "Moves 1 hex.",
        "Criticals 0.",
        "Speeds up to 3, curve 1-3-2.",
        "Doesn’t move.",
    ]


tables = st.lists(st.integers(1, 6), min_size=1, unique=True).flatmap(
    lambda speeds: st.tuples(
        *(st.builds(Curve, st.integers(0, 6), st.just(speed), st.integers(0, 9)) for speed in sorted(speeds))
    )
)
ships = tables.flatmap(
    lambda curves: st.builds(
        ShipState,
        curves=st.just(curves),
        speed=st.sampled_from([curve.speed for curve in curves]),
        hull=st.integers(-3, 0),
        criticals=st.integers(-1, 0),
        may_slow=st.booleans(),
        fifth=st.sampled_from(["", "D", "E"]),
    )
)
steps = st.lists(
    st.one_of(
        st.just(NEXT),
        *(st.builds(TalonStep, st.just(act), st.integers(0, 6 if act in WITH_NUMBER else 0)) for act in Act),
    ),
    max_size=60,
)


def fitting(of: ShipState, wished: list[TalonStep]) -> list[TalonStep]:
    """Those of the wished steps that can happen, one after the other."""
    record, found = ShipRecord(of), []
    for step in wished:
        if not why_not(record, step):
            record = after(record, step)
            found.append(step)
    return found


@given(ships, steps)
def test_a_round_worked_out_from_scratch_is_the_one_that_was_played(of, wished):
    record, happened = ShipRecord(of), fitting(of, wished)
    for step in happened:
        record = after(record, step)

    found = played(of, happened)
    assert (found.now, found.refused) == (record, None)
    assert steps_of(written(happened)) == tuple(happened)


@given(ships, steps)
def test_undoing_returns_the_record_before(of, wished):
    happened = fitting(of, wished)
    for count, line in enumerate(played(of, happened).lines):
        assert played(of, happened[:count]).now == line.before


@given(ships, steps)
def test_power_is_never_negative_and_no_arc_has_two_reinforcements(of, wished):
    for line in played(of, fitting(of, wished)).lines:
        record, markers = line.after, line.after.ship.markers
        assert record.ap in (0, 1)
        assert record.impulse in ("", *IMPULSES)
        assert record.curve.power >= 0
        assert len({marker.arc for marker in markers}) == len(markers)
        if line.step.act == Act.REINFORCE:
            assert len(markers) <= most_markers(record.curve.power)
            assert line.step.number not in record.ship.down


@given(ships, steps, steps)
def test_a_step_happens_exactly_when_nothing_stands_against_it(of, wished, tried):
    record = played(of, fitting(of, wished)).now
    for step in tried:
        if why_not(record, step):
            with pytest.raises(NotNow):
                after(record, step)
        else:
            assert str(told(TalonLine(record, step, after(record, step)))).endswith(".")
