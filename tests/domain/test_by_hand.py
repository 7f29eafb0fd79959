"""Rule 3.9: what a hand makes of a draft."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.domain.by_hand import NoMove, Spot, moved, unpaired

# 1 and 2 sit at table 1, 3 and 4 at table 2, 5 has the bye, 6 and 7 wait.
PLACES = {1: (1, 2), 2: (3, 4), None: (5,)}
FREE = 9


@pytest.mark.parametrize(
    ("who", "to", "expected"),
    [
        (1, 3, {1: (3, 2), 2: (1, 4), None: (5,)}),
        (1, 5, {1: (5, 2), 2: (3, 4), None: (1,)}),
        (5, 4, {1: (1, 2), 2: (3, 5), None: (4,)}),
        (6, 1, {1: (6, 2), 2: (3, 4), None: (5,)}),
        (1, 6, {1: (6, 2), 2: (3, 4), None: (5,)}),
        (6, 7, {1: (1, 2), 2: (3, 4), None: (5,), FREE: (6, 7)}),
        (6, 5, {1: (1, 2), 2: (3, 4), FREE: (6, 5)}),
        (6, Spot.BYE, {1: (1, 2), 2: (3, 4), None: (6,)}),
        (1, Spot.BYE, {1: (5, 2), 2: (3, 4), None: (1,)}),
        (5, Spot.WAITING, {1: (1, 2), 2: (3, 4)}),
        (1, Spot.WAITING, {2: (3, 4), None: (5,)}),
    ],
)
def test_3_9_a_player_goes_where_a_hand_puts_them(who, to, expected):
    assert moved(PLACES, who, to, free=FREE) == expected


def test_3_9_who_gets_a_bye_that_nobody_had_leaves_the_opponent_waiting():
    assert moved({1: (1, 2), 2: (3, 4)}, 3, Spot.BYE, free=FREE) == {1: (1, 2), None: (3,)}


def test_3_9_both_of_a_broken_table_wait():
    assert unpaired(PLACES, 2) == {1: (1, 2), None: (5,)}


@pytest.mark.parametrize(
    ("who", "to", "sentence"),
    [
        (1, 1, "Choose two different players in this draft."),
        (1, 2, "These two already play each other, so swapping them would change nothing."),
        (5, Spot.BYE, "This player already has the bye."),
        (6, Spot.WAITING, "This player is already waiting."),
    ],
)
def test_3_9_what_would_change_nothing_is_refused(who, to, sentence):
    with pytest.raises(NoMove, match=sentence):
        moved(PLACES, who, to, free=FREE)


def test_3_9_a_table_that_is_gone_is_not_broken():
    with pytest.raises(NoMove, match="Table 8 is no longer in this draft"):
        unpaired(PLACES, 8)


PLAYERS = st.integers(1, 7)


@given(st.lists(st.tuples(PLAYERS, PLAYERS | st.sampled_from(Spot)), max_size=12))
def test_3_9_whatever_a_hand_does_nobody_sits_twice_and_one_has_the_bye_at_most(moves):
    places = PLACES
    for turn, (who, to) in enumerate(moves):
        try:
            places = moved(places, who, to, free=FREE + turn)
        except NoMove:
            continue
        seated = [one for pair in places.values() for one in pair]
        assert len(seated) == len({*seated})
        assert all(len(pair) == (1 if table is None else 2) for table, pair in places.items())
