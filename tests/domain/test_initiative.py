"""Rule 7.16: the lower fleet total, then the order of the factions, then chance."""

import pytest

from fleets.domain.initiative import EARLIER_FACTION, LOWER_TOTAL, Bid, Initiative, initiative
from tests.support.saying import in_english

ROLL, COMPARE = "tied totals, same faction: roll", "tied totals: compare factions, then roll"


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (Bid(98), Bid(100), Initiative(0, LOWER_TOTAL)),
        (Bid(100, "Q Continuum"), Bid(98, "Mirror Universe"), Initiative(1, LOWER_TOTAL)),
        (Bid(100, "Federation"), Bid(100, "Q Continuum"), Initiative(1, EARLIER_FACTION)),
        (Bid(100, "Federation"), Bid(100, "Klingon"), Initiative(0, EARLIER_FACTION)),
        (Bid(100, "Mirror Universe"), Bid(100, "Independent"), Initiative(1, EARLIER_FACTION)),
        (Bid(100, "romulan"), Bid(100, "Romulan"), Initiative(None, ROLL)),
        (Bid(100, "House of Duras"), Bid(100, "Klingon"), Initiative(None, COMPARE)),
        (Bid(100), Bid(100), Initiative(None, COMPARE)),
        (Bid(None), Bid(100), None),
        (Bid(0), Bid(None), None),
    ],
)
def test_7_16_who_has_the_initiative(first, second, expected):
    assert in_english(initiative([first, second])) == in_english(expected)
