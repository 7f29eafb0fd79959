"""Rule 7.11: a resource is in play until the first of the month it retires in."""

from datetime import date

import pytest

from fleets.domain.cards import Card, CardKind
from fleets.domain.legality import Format, violations
from fleets.domain.resources import RESOURCES, in_play, is_called, released_on
from fleets.domain.sheet import Sheet
from tests.support.fleets_for_tests import Numbered, captain_card, ship_card


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


PRINTED = (
    *(
        "Elite Attack Die",
        "Command Tokens",
        "Reinforcement Sideboard",
        "Flagship Cards",
        "Hideki Class Attack Fighters",
    ),
    *("Federation Attack Fighters", "Skilled Helmsman", "Chief Engineer", "Counter Attack Die", "Fleet Captain Cards"),
    *("Officer Cards", "Improved Shields", "Advanced Targeting Systems", "High Yield Photon Torpedoes"),
    *("Officer Exchange Program", "Master Strategist Tokens", "Evasive Action Template", "Damage Control Team Cards"),
    *("Ready Room Card", "Emergency Force Fields", "Condition Alert", "Sabotage", "Protocol Resource"),
    *("Advanced Technology Resource", "Main Power Grid Resource", "Tactics", "Structural Damage Check"),
    *("General Orders Resource", "Emergency Power Resource", "Improved Hull Resource"),
)


def test_the_thirty_names_are_recognized_as_the_publisher_prints_them():
    assert [[one.name for one in RESOURCES if is_called(name, one.name)] for name in PRINTED] == [
        [one.name] for one in RESOURCES
    ]


@pytest.mark.parametrize(
    ("title", "day"),
    [
        ("Command Tokens", date(2013, 10, 1)),
        ("Senior Staff", date(2017, 2, 15)),
        ("Co-Pilot Resource", date(2017, 4, 15)),
        ("Home-made Resource", None),
    ],
)
def test_7_11_what_was_released_after_the_list_has_a_day_too(title, day):
    assert released_on(title) == day


@pytest.mark.parametrize(("on", "wrong"), [(date(2017, 2, 14), {"7.11"}), (date(2017, 2, 15), set())])
def test_7_11_a_resource_waits_for_its_release(on, wrong):
    numbered = Numbered()
    ships = (numbered.ship(ship_card(), captain_card()),)
    sheet = Sheet(ships, numbered.line(Card(CardKind.RESOURCE, "Senior Staff", key="x")))

    assert {one.rule for one in violations(sheet, Format(100, available=True), on)} == wrong
