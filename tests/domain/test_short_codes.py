"""Short codes: one for each number, without letters that look alike, and no words."""

import re
from itertools import pairwise

import pytest

from tourney.domain.short_codes import PATTERN, code_of, number_of

NUMBERS = [*range(1, 7000), 90_943, 90_944, 90_945, 90_946, 10**6, 10**9]


def test_each_number_has_a_code_of_its_own_that_gives_it_back_in_capitals_or_not():
    codes = [code_of(number) for number in NUMBERS]

    assert len(set(codes)) == len(NUMBERS)
    assert [number_of(code) for code in codes] == [number_of(code.lower()) for code in codes] == NUMBERS


def test_codes_get_longer_when_half_of_a_length_is_used():
    room = 8 * 28 * 28

    assert [len(code_of(number)) for number in (1, room // 2, room // 2 + 1, room // 2 * 29, room // 2 * 29 + 1)] == [
        *(3, 3, 4, 4, 5)
    ]


def test_a_code_begins_with_a_digit_and_has_no_vowel_and_nothing_that_looks_like_another():
    codes = [code_of(number) for number in NUMBERS]

    assert [code for code in codes if not re.fullmatch(PATTERN, code)] == []
    assert {code[0] for code in codes} <= set("23456789")
    assert not set("".join(codes)) & set("01AEIOUY")


def test_codes_that_follow_each_other_do_not_look_alike():
    codes = [code_of(number) for number in range(1, 3000)]

    assert all(one[:2] != next_one[:2] for one, next_one in pairwise(codes))


@pytest.mark.parametrize("number", [1, 17, 3136, 3137])
def test_half_of_all_codes_lead_nowhere(number):
    length = len(code_of(number))
    last = "23456789BCDFGHJKLMNPQRSTVWXZ"
    near = [number_of(code_of(number)[: length - 1] + letter) for letter in last]

    assert 8 <= near.count(None) <= 20
