"""Rule 7.11: a resource is in play until the first of the month it retires in."""

from datetime import date

import pytest

from fleets.domain.resources import RESOURCES, in_play


@pytest.mark.parametrize(
    ("on", "expected"),
    [
        (date(2013, 8, 31), ()),
        (date(2013, 10, 5), ("Elite Attack Die", "Command Tokens")),
        (date(2017, 9, 30), ("Emergency Power", "Improved Hull")),
        (date(2017, 11, 30), ("Improved Hull",)),
        (date(2017, 12, 1), ()),
    ],
)
def test_only_released_and_not_retired_resources_are_in_play(on, expected):
    assert tuple(resource.name for resource in in_play(on)) == expected


def test_the_list_has_thirty_resources_in_the_order_of_their_release():
    assert len(RESOURCES) == 30
    assert list(RESOURCES) == sorted(RESOURCES, key=lambda resource: resource.released)
