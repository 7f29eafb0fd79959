"""Rules 3.1 to 3.8 through whole events, each pairing checked by a second opinion (tests/support/nights_by_dice.py)."""

import pytest
from hypothesis import settings

from tests.soak import failures

NIGHTS = 12 * settings.default.max_examples
CHUNKS = 20


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_whole_nights_go_by_the_rules(chunk):
    assert failures(range(chunk, NIGHTS, CHUNKS)) == []


def test_a_night_that_goes_wrong_is_reported_with_its_seed_first():
    (report,) = failures(([],))

    assert report.startswith("seed []\nTraceback")
    assert "TypeError" in report
