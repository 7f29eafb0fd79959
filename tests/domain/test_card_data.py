"""Cards and sheets as data: what goes out comes back the same, and nothing else comes in."""

import json

import pytest
from hypothesis import given

from fleets.domain.card_data import InvalidData, card_as_data, card_from_data, sheet_as_data, sheet_from_data
from fleets.domain.cards import Card, CardKind
from fleets.domain.cost import costs
from fleets.domain.sheet import Sheet
from tests.support.fleets_for_tests import Numbered, captain_card, ship_card
from tests.support.sheets_by_dice import sheets


@given(sheets())
def test_every_sheet_survives_export_and_import(sheet):
    assert sheet_from_data(json.loads(json.dumps(sheet_as_data(sheet)))) == sheet


@given(sheets())
def test_every_sheet_has_costs_that_add_up(sheet):
    found = costs(sheet)

    assert found.total == sum(cost.total for cost in found.lines)
    assert all(cost.total >= 0 for cost in found.lines)


def data() -> dict:
    sheet = Sheet((Numbered().ship(ship_card(), captain_card()),))
    return json.loads(json.dumps(sheet_as_data(sheet)))


def as_line(id: int, card: Card) -> dict:
    return {"id": id, "card": card_as_data(card)}


QUILL, RESOURCE = Card(CardKind.CREW, "Quill"), Card(CardKind.RESOURCE, "Command Tokens")
ONE_LINE = "should be one line of 1 to 120 characters"


@pytest.mark.parametrize(
    ("where", "change", "message"),
    [
        ("fleet", {"format": "other"}, "the fleet should have format “flagship-fleet” and version 1"),
        ("fleet", {"ships": 3}, "ships should be a list of at most 200"),
        ("fleet", {"ships": [3]}, "ships[0] should be an object"),
        ("fleet", {"ships": [{}]}, "ships[0].ship should be an object"),
        ("fleet", {"resource_at": 77}, "the resource is assigned to line 77, which doesn’t exist"),
        ("fleet", {"resource": as_line(3, RESOURCE), "resource_at": 3}, "the resource is assigned to itself"),
        ("fleet", {"resource": as_line(3, QUILL)}, "line 3 should be a resource"),
        (
            "fleet",
            {"ships": [{"ship": as_line(1, QUILL), "cards": []}]},
            "line 1 should be a ship, but its kind is “crew”",
        ),
        (
            "fleet",
            {"other": [as_line(3, ship_card())]},
            "line 3 is a ship, so it can’t be on a ship or among the other cards",
        ),
        ("fleet", {"other": [as_line(id, QUILL) for id in range(3, 202)]}, "the fleet has 201 lines; the limit is 200"),
        ("line", {"id": 0}, "ships[0].ship.id should be a number from 1 to 1000000"),
        ("line", {"id": True}, "ships[0].ship.id should be a number from 1 to 1000000"),
        ("line", {"id": 2}, "two lines of the fleet have the same id"),
        ("line", {"cost_by_hand": -1}, "ships[0].ship.cost_by_hand should be a number from 0 to 999"),
        ("card", {"title": ""}, f"ships[0].ship.card.title {ONE_LINE}"),
        ("card", {"title": "a\nb"}, f"ships[0].ship.card.title {ONE_LINE}"),
        ("card", {"factions": ["ABC"]}, "ships[0].ship.card.factions should hold codes like FED, KLI, ROM"),
        ("card", {"sails": 3}, "ships[0].ship.card has an unknown field “sails”"),
        ("card", {"rules": ["fly"]}, "ships[0].ship.card.rules: “fly” isn’t a rule for cards"),
        ("card", {"unique": "yes"}, "ships[0].ship.card.unique should be true or false"),
    ],
)
def test_what_is_no_sheet_is_refused_by_its_field(where, change, message):
    changed = data()
    line = changed["ships"][0]["ship"]
    {"fleet": changed, "line": line, "card": line["card"]}[where].update(change)

    with pytest.raises(InvalidData) as refused:
        sheet_from_data(changed)
    assert str(refused.value) == message


@pytest.mark.parametrize("value", [None, 3, "x", [], {}, {"kind": "sail", "title": "x"}])
def test_what_is_no_card_is_refused(value):
    with pytest.raises(InvalidData):
        card_from_data(value)


def test_a_card_leaves_out_what_it_does_not_have():
    assert card_as_data(Card(CardKind.CREW, "Quill", cost=3)) == {"kind": "crew", "title": "Quill", "cost": 3}
