"""The Rule of 3, case by case (rule 8)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.judge.domain.rule_of_three import Fixed, Modifier, Question, answer, clamped

CLOAKED = (Fixed(None, "Cloak"),)


def modifiers(*numbers):
    return tuple(map(Modifier, numbers))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (Question(1, CLOAKED, modifiers=modifiers(4, -2)), 7),
        (Question(1, CLOAKED, modifiers=modifiers(-1)), 4),
        (Question(1, modifiers=modifiers(-1)), 0),
        (Question(1, CLOAKED), 5),
        (Question(0, modifiers=modifiers(4)), 3),
        (Question(1, modifiers=modifiers(4)), 4),
        (Question(2, modifiers=modifiers(4)), 5),
        (Question(3, modifiers=modifiers(-5)), 0),
        (Question(4, modifiers=modifiers(-5)), 1),
        (Question(5, modifiers=modifiers(-5)), 2),
        (Question(3, modifiers=modifiers(3), range_bonus=1), 7),
        (Question(3, modifiers=modifiers(2, 2), range_bonus=1), 7),
        (Question(2, CLOAKED, modifiers=modifiers(5), range_bonus=1), 10),
    ],
)
def test_the_worked_examples_in_play(question, expected):
    """Rule 8."""
    assert answer(question).value == expected


@pytest.mark.parametrize(
    ("printed", "change", "expected"),
    [
        (20, -10, 10),
        (20, -15, 5),
        (5, 6, 11),
        (85, 20, 105),
        (5, -10, -5),
    ],
)
def test_a_building_cost_and_fleet_points_know_no_rule_of_three(printed, change, expected):
    """Rule 8: a discount of 10 or 15 SP, a penalty of 6 SP and a bonus of 20 Fleet Points stay whole."""
    found = answer(Question(printed, modifiers=modifiers(change), in_play=False))

    assert (found.value, found.kept, found.cut) == (expected, change, 0)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (Question(3, (Fixed(5),)), 5),
        (Question(3, (Fixed(5), Fixed(1))), 1),
        (Question(1, (Fixed(4), Fixed(None))), 5),
        (Question(1, (Fixed(None), Fixed(4))), 4),
        (Question(4, times=2), 8),
        (Question(4, divided_by=2), 2),
        (Question(5, divided_by=2), 3),
        (Question(5, times=2, divided_by=2), 5),
        (Question(3, (Fixed(5),), times=2, modifiers=modifiers(-2)), 8),
        (Question(1, CLOAKED, divided_by=2, modifiers=modifiers(1)), 4),
    ],
)
def test_replacements_come_before_modifiers_and_are_never_cut(question, expected):
    """Rule 8, steps 2 and 3; *decisions*: the last fixed one counts, a half is rounded up, once."""
    assert answer(question).value == expected


def test_the_six_steps_are_written_out_as_a_sum():
    question = Question(
        1, CLOAKED, modifiers=(Modifier(4, "Evasive pattern"), Modifier(1), Modifier(-1, "Scan")), range_bonus=1
    )

    found = answer(question)

    assert [(str(step.name), str(step.sum), step.number) for step in found.steps] == [
        ("Printed value", "on the card", 1),
        ("Fixed replacement", "Cloak: 1 + 4", 5),
        ("Double or half", "none", 5),
        ("Sum of the modifiers", "+4 Evasive pattern, +1, −1 Scan", 4),
        ("Rule of 3", "+4 is cut to +3", 3),
        ("Range bonus", "outside the Rule of 3", 1),
    ]
    assert (found.base, found.modifiers, found.kept, found.cut, found.range_bonus, found.value) == (5, 4, 3, 1, 1, 9)
    assert found.notes == ()


def test_what_the_rules_leave_open_is_said():
    question = Question(1, (Fixed(None), Fixed(3)), times=2, divided_by=4, modifiers=modifiers(-9))

    assert tuple(map(str, answer(question).notes)) == (
        "There are 2 fixed replacements. The rules don’t say which one counts; the last one is used here.",
        "The rules give no order for doubling and halving. Here a value is doubled, then halved, then rounded once.",
        "The rules don’t say how to round a half. Here it’s rounded up.",
        "The sum is −1. No value falls below 0, so it counts as 0.",
    )
    assert tuple(map(str, answer(Question(5, modifiers=modifiers(-10), in_play=False)).notes)) == (
        "A cost can’t go below 0 SP (rule 7.7); Fleet Points can.",
    )


numbers = st.integers(-12, 12)
changes = st.lists(st.builds(Modifier, numbers), max_size=8).map(tuple)
fixed = st.lists(st.builds(Fixed, st.none() | st.integers(0, 12)), max_size=3).map(tuple)
questions = st.builds(
    Question,
    printed=st.integers(0, 12),
    fixed=fixed,
    times=st.sampled_from((1, 2)),
    divided_by=st.sampled_from((1, 2)),
    modifiers=changes,
    range_bonus=st.sampled_from((0, 1)),
    in_play=st.booleans(),
)


@given(questions, st.randoms(use_true_random=False))
def test_the_order_of_the_modifiers_never_matters(question, random):
    mixed = list(question.modifiers)
    random.shuffle(mixed)

    found = answer(Question(**fields_of(question) | {"modifiers": tuple(mixed)}))

    assert (found.value, found.raw, found.cut) == (
        answer(question).value,
        answer(question).raw,
        answer(question).cut,
    )


@given(questions)
def test_modifiers_move_a_value_in_play_by_three_at_most(question):
    found, without = answer(question), answer(Question(**fields_of(question) | {"modifiers": ()}))

    if question.in_play:
        assert abs(found.raw - without.raw) <= 3
        assert found.value >= 0
    else:
        assert found.raw - without.raw == sum(one.number for one in question.modifiers)
    assert found.kept + found.cut == found.modifiers


@given(questions)
def test_the_last_three_steps_add_to_the_third(question):
    found = answer(question)

    _, _, base, _, kept, bonus = (step.number for step in found.steps)

    assert base + kept + bonus == found.raw


@given(questions, changes)
def test_what_comes_later_is_worked_out_from_the_printed_value(question, later):
    """Rule 8: not from what was worked out before, in which something may have been cut."""
    after = Question(**fields_of(question) | {"modifiers": (*question.modifiers, *later)})
    numbers = [one.number for one in (*question.modifiers, *later)]
    start = question.printed
    for one in question.fixed:
        start = question.printed + 4 if one.number is None else one.number
    exact = Fraction(start) * question.times / question.divided_by
    whole = exact.numerator // exact.denominator + (exact.denominator > 1)
    total = sum(numbers)
    expected = whole + (min(3, max(-3, total)) + question.range_bonus if question.in_play else total)

    assert answer(after).raw == expected


@given(numbers)
def test_the_clamp_keeps_what_lies_within_three(number):
    assert clamped(number) == sorted((-3, number, 3))[1]


def fields_of(question):
    return {name: getattr(question, name) for name in Question.__slots__}
