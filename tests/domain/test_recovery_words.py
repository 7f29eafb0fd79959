"""The four words of a card: enough of them, none like another, read as people type them."""

from itertools import combinations
from math import log2
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.domain.naming import is_one_typo_apart
from tourney.domain.recovery_words import COUNT, LONGEST_TYPED, WORDS, new_words, read_words


def test_four_words_are_not_guessed():
    assert len(WORDS) == len(set(WORDS))
    assert COUNT * log2(len(WORDS)) > 37


def test_no_word_is_like_another():
    assert all(word.isascii() and word.isalpha() and word.islower() and 4 <= len(word) <= 8 for word in WORDS)
    alike = [
        two
        for two in combinations(WORDS, 2)
        if is_one_typo_apart(*two) or two[0].startswith(two[1]) or two[1].startswith(two[0])
    ]
    assert alike == []
    assert COUNT * (8 + 2) <= LONGEST_TYPED


def test_all_words_come_up_and_the_same_chance_gives_the_same():
    assert new_words(Random(1)) == new_words(Random(1)) != new_words(Random(2))
    assert len({word for seed in range(3000) for word in new_words(Random(seed)).split()}) > len(WORDS) - 5


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("amber tiger canoe violin", "amber tiger canoe violin"),
        ("  Amber, TIGER\n3. canoe – violin!", "amber tiger canoe violin"),
        ("ámber tiger canoe violín", "amber tiger canoe violin"),
        ("ambr tigerr cnaoe voolin", "amber tiger canoe violin"),
        ("amber tiger canoe", None),
        ("amber tiger canoe violin amber", None),
        ("amber tiger canoe xyzzy", None),
        ("ambr amxer tgr canoe", None),
        ("", None),
        ("\0", None),
        ("x " * 5000, None),
    ],
)
def test_what_people_type_is_read(typed, read):
    assert read_words(typed) == read


@given(st.integers(), st.data())
def test_one_wrong_letter_in_each_word_is_still_those_words(seed, data):
    words = new_words(Random(seed))
    letters = st.sampled_from("abcdefghijklmnopqrstuvwxyz")
    typed = []
    for word in words.split():
        place = data.draw(st.integers(0, len(word) - 1))
        typed.append(word[:place] + data.draw(letters) + word[place + 1 :])

    read = read_words(" ".join(typed))

    # A letter that makes it one typo from two words may be read as the other: never as nothing.
    assert read is not None
    assert len(read.split()) == COUNT


@given(st.text(max_size=200))
def test_nonsense_is_never_more_than_nothing(typed):
    read = read_words(typed)
    assert read is None or set(read.split()) <= set(WORDS)
