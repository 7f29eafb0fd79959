"""What dice decided, in words."""

import pytest

from tourney.domain.roll_offs import outcome

NAMES = dict(enumerate("Vor Kestrel Quill Onyx Talon".split(), start=1))


@pytest.mark.parametrize(
    ("levels", "sentence"),
    [
        ([(1, 2)], "Vor and Kestrel are tied and roll again."),
        ([(2,), (1,)], "Kestrel is ahead of Vor."),
        ([(1, 2, 3)], "Vor, Kestrel and Quill are tied and roll again."),
        ([(1,), (2, 3)], "Vor is first. Kestrel and Quill roll again."),
        ([(2, 3), (1,)], "Kestrel and Quill roll again. Vor is third."),
        ([(4, 5), (1,), (2, 3)], "Onyx and Talon roll again. Vor is third. Kestrel and Quill roll again."),
        ([(3,), (1,), (2,)], "Quill is first. Vor is second. Kestrel is third."),
    ],
)
def test_an_outcome_says_who_stands_where_and_who_rolls_again(levels, sentence):
    """Rule 4.1."""
    assert str(outcome(levels, NAMES)) == sentence


def test_places_beyond_the_tenth_are_numbers():
    names = {number: f"Cadet {number}" for number in range(1, 12)}

    said = str(outcome([(number,) for number in names], names))

    assert said.endswith("Cadet 10 is tenth. Cadet 11 is number 11.")
