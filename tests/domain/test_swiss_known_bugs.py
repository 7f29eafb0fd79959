"""What other tournament programs are known to get wrong, one file for each: the field, and the one right answer."""

import json
from pathlib import Path

import pytest

from tests.domain.pairing_oracle import best_cost
from tourney.domain.swiss import Contender, pair

CASES = sorted((Path(__file__).parent / "known_bugs").glob("*.json"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_mistake_known_from_elsewhere_is_not_made(path):
    case = json.loads(path.read_text())
    contenders = [Contender(**{**facts, "met": tuple(facts["met"])}) for facts in case["contenders"]]
    found = pair(contenders, seed=1, rounds_left=case["rounds_left"])

    assert ([[seat.a, seat.b] for seat in found.tables], found.bye) == (case["tables"], case["bye"])
    assert found.costs == best_cost(contenders, rounds_left=case["rounds_left"])


def test_all_of_them_are_read():
    assert len(CASES) == 7
