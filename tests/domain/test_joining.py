"""How quickly people may register themselves, and what counts as tonight's word."""

from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from tourney.domain.joining import (
    LONGEST_WORD,
    MOST_BY_PHONE,
    MOST_ENTRANTS,
    OF_ADDRESS,
    OF_EVENT,
    WORDS,
    RateLimit,
    is_word,
    most_in_a_minute,
    new_word,
    plain_word,
    why_no_more,
)

AT = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)


def after(seconds: float) -> datetime:
    return AT + timedelta(seconds=seconds)


def let_in(pace: RateLimit, asked: list[float]) -> list[float]:
    """Of those who ask at these seconds, the ones who are let in."""
    there: list[datetime] = []
    for second in asked:
        if not pace.wait(there, after(second)):
            there.append(after(second))
    return [(at - AT).total_seconds() for at in there]


def test_so_many_at_once_and_then_one_every_so_many_seconds():
    pace = RateLimit(burst=3, seconds=10)
    there = [AT, AT, AT]

    assert [pace.wait(there[:many], AT) for many in range(4)] == [0, 0, 0, 10]
    assert pace.wait(there, after(4)) == 6
    assert pace.wait(there, after(10)) == 0
    assert pace.wait([*there, after(10)], after(10)) == 10


def test_after_a_pause_there_is_room_for_as_many_at_once_again_and_not_for_more():
    pace = RateLimit(burst=3, seconds=10)

    assert let_in(pace, [0] * 5 + [3600] * 5) == [0, 0, 0, 3600, 3600, 3600]


def test_what_another_process_with_a_fast_clock_wrote_counts_as_now():
    assert RateLimit(burst=1, seconds=10).wait([after(60)], AT) == 10


def test_64_people_of_one_store_are_let_in_within_five_minutes_however_they_come():
    evenly = [place * 300 / 64 for place in range(64)]
    in_crowds = sorted([0.0] * 20 + [60.0] * 20 + [150.0] * 24)

    assert let_in(OF_ADDRESS, evenly) == evenly
    assert let_in(OF_ADDRESS, in_crowds) == in_crowds


def test_64_people_who_all_press_at_once_and_again_when_they_are_told_are_in_within_two_minutes():
    waiting, there, now = 64, [], 0
    while waiting:
        wait = OF_ADDRESS.wait(there, after(now))
        if wait:
            now += wait
        else:
            there.append(after(now))
            waiting -= 1

    assert now == 120


def test_300_posts_of_one_address_in_22_seconds_are_no_more_than_44_people():
    assert len(let_in(OF_ADDRESS, [place * 22 / 300 for place in range(300)])) == 44


def test_many_addresses_together_do_not_fill_200_places_in_a_minute():
    assert len(let_in(OF_EVENT, [place / 20 for place in range(1200)])) == 139


def test_most_in_a_minute_finds_the_fullest_minute():
    assert most_in_a_minute([]) == 0
    assert most_in_a_minute([after(0), after(60), after(90), after(119), after(121)]) == 3


@pytest.mark.parametrize(
    "typed", ["amber 47", "AMBER47", " amber-47 ", "ａｍｂｅｒ　４７", "Amber\u200b 47", "\ud800amber 47"]
)
def test_the_word_counts_whatever_its_capitals_spaces_and_width(typed):
    assert is_word(typed, "Amber 47")


@pytest.mark.parametrize("typed", ["", "amber", "amber 48", "amber 477", "ambér 47"])
def test_another_word_does_not_count(typed):
    assert not is_word(typed, "amber 47")


def test_new_words_are_plain_and_short_and_seldom_the_same():
    words = {new_word(Random(seed)) for seed in range(200)}

    assert len(words) > 190
    assert len(set(WORDS)) == len(WORDS) > 150
    assert all(word.isascii() and len(word) <= LONGEST_WORD and plain_word(word).isalnum() for word in words)


# how many


@pytest.mark.parametrize(
    ("there", "more", "by_self", "begins"),
    [
        (MOST_BY_PHONE - 1, 1, True, None),
        (MOST_BY_PHONE, 1, True, "You can’t join by phone any more: 200 players are registered."),
        (MOST_BY_PHONE, 0, True, None),
        (MOST_BY_PHONE, 1, False, None),
        (MOST_ENTRANTS - 5, 5, False, None),
        (
            MOST_ENTRANTS - 5,
            6,
            False,
            "An event has at most 2000 players. 1995 are registered, and this list has 6 more.",
        ),
        (MOST_ENTRANTS, 0, False, None),
    ],
)
def test_an_event_takes_so_many_by_phone_and_so_many_in_all(there, more, by_self, begins):
    reasons = why_no_more(there, more, by_self=by_self)

    assert len(reasons) == (begins is not None)
    assert all(str(reason).startswith(begins) for reason in reasons)
