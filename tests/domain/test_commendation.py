"""Who gets the Commendation Award Token (rules 6.1, 6.2)."""

import pytest

from scoring.domain.commendation import holder, why

NAMES = {1: "Vor", 2: "Kestrel", 3: "the Harrier"}


@pytest.mark.parametrize(
    ("previous_order", "present", "expected", "sentence"),
    [
        pytest.param((1, 2, 3), {1, 2, 9}, 1, "Vor gets the token as Admiral of the previous month.", id="6.1"),
        pytest.param(
            (1, 2, 3),
            {3, 9},
            3,
            "The Harrier gets the token: Vor, Admiral of the previous month, is absent, "
            "and rank 3 is the highest present.",
            id="6.2 the next highest present",
        ),
        pytest.param(
            (1, 2, 3),
            {9},
            None,
            "Nobody who played the previous month is present, so nobody gets the token.",
            id="6.2 nobody present",
        ),
        pytest.param((), {1, 2}, None, "There is no previous month, so nobody gets the token.", id="6.1 first month"),
    ],
)
def test_the_token_goes_to_the_highest_of_last_month_who_is_present(previous_order, present, expected, sentence):
    assert holder(previous_order, present) == expected
    assert why(previous_order, present, NAMES) == sentence
