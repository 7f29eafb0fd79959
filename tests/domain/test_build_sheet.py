"""Rule 7.3: what stands on the Fleet Build Sheet, filled and empty."""

from dataclasses import replace
from datetime import date

from fleets.domain.build_sheet import (
    AfterRow,
    BeforeRow,
    BuildSheet,
    CardRow,
    ShipGrid,
    Total,
    blank,
    build_sheet,
)
from fleets.domain.cards import Card, CardKind
from fleets.domain.sheet import Sheet
from tests.support.fleets_for_tests import Numbered, captain_card, card, ship_card
from tests.support.saying import in_english

DAY = date(2026, 11, 21)
FACTS = {"date": DAY, "event": "The last battle", "faction": "Federation", "name": "Kestrel"}

RULINGS = {("7.10", 4, "No slot."): "the box says so", ("7.5", 0, "Too much."): "a guest tonight"}


def a_sheet() -> Sheet:
    numbered = Numbered()
    free = numbered.line(card(CardKind.TALENT, "Sigma", 5), cost_by_hand=0, note="free this month")
    quill = card(CardKind.CREW, "Quill", 2, factions=("ROM", "MIR"))
    ship = numbered.ship(ship_card("Kestrel", 20), captain_card(), free, quill)
    resource = numbered.line(card(CardKind.RESOURCE, "Command Tokens", 5, factions=()))
    orders = numbered.line(Card(CardKind.OTHER, "Orders", cost=2))
    return Sheet((ship, numbered.ship(ship_card("Lark", 18))), resource, ship.line.id, (orders,))


def test_7_3_every_card_stands_there_with_code_factions_and_cost_and_what_is_said_of_it():
    before = (BeforeRow(1, "Vor", "V"),)
    after = (AfterRow(1, "W", 2, 105, 105, "V"),)

    assert in_english(
        build_sheet(a_sheet(), **FACTS, rulings=RULINGS, notes="Watch out.", rounds=2, before=before, after=after)
    ) == BuildSheet(
        **FACTS,
        ships=(
            ShipGrid(
                1,
                (
                    CardRow("Ship", "Kestrel", ("FED",), 20),
                    CardRow("Cap", "Captain Vor", ("FED",), 3),
                    CardRow("E", "Sigma", ("FED",), 0, by_hand=True, note="free this month"),
                    CardRow("C", "Quill", ("ROM", "MIR"), 3, allowed="the box says so"),
                ),
                26,
            ),
            ShipGrid(2, (CardRow("Ship", "Lark", ("FED",), 18),), 18),
        ),
        resource=CardRow("Res", "Command Tokens", (), 5),
        resource_at="Kestrel",
        other=(CardRow("", "Orders", (), 2, by_hand=True),),
        totals=(Total("Ship 1", 26), Total("Ship 2", 18), Total("Resource", 5), Total("Other", 2), Total("Total", 51)),
        notes=("Watch out.", "Allowed: a guest tonight."),
        before=(*before, BeforeRow(2)),
        after=(*after, AfterRow(2)),
    )


def test_a_fleet_without_resource_says_so_with_0():
    found = build_sheet(replace(a_sheet(), resource=None, resource_at=0, other=()), **FACTS)

    assert (found.resource, found.resource_at) == (CardRow(), "")
    assert in_english([(total.label, total.points) for total in found.totals[2:]]) == [
        ("Resource", 0),
        ("Other", 0),
        ("Total", 44),
    ]
    assert (found.before, found.after) == ((), ())


def test_a_blank_sheet_has_room_for_four_ships_every_round_and_explains_the_codes():
    found = blank(date=DAY, event="The last battle", rounds=3)

    assert [(ship.number, ship.title, len(ship.rows), ship.total) for ship in found.ships] == [
        (number, "", 12, None) for number in (1, 2, 3, 4)
    ]
    assert in_english(
        [total.label for total in found.totals]
    ) == "Ship 1|Ship 2|Ship 3|Ship 4|Resource|Other|Total".split("|")
    assert {total.points for total in found.totals} == {None}
    assert (found.before, found.after) == (
        tuple(BeforeRow(number) for number in (1, 2, 3)),
        tuple(AfterRow(number) for number in (1, 2, 3)),
    )
    types, factions = found.legend
    assert ("FlCp", "Fleet captain") in in_english(types)
    assert ("KLI", "Klingon") in factions


def test_a_filled_sheet_explains_the_codes_that_stand_on_it():
    assert in_english(build_sheet(a_sheet(), **FACTS).legend) == (
        (("Cap", "Captain"), ("E", "Elite talent"), ("C", "Crew"), ("Res", "Resource")),
        (("FED", "Federation"), ("ROM", "Romulan"), ("MIR", "Mirror Universe")),
    )
