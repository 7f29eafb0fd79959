"""Rules 7.5 to 7.7: what cards cost on a ship, as a sum."""

import pytest

from fleets.domain.cards import Card, Kind
from fleets.domain.cost import Part, costs
from fleets.domain.sheet import Sheet
from tests.fleets_for_tests import Numbered, captain_card, card, ship_card

PENALTY = Part("other faction than the ship", 1)
KLINGON = ("KLI",)


def printed(points: int) -> Part:
    return Part("printed", points)


def parts(ship: Card, *cards: Card) -> list[Part]:
    """The sum of the last card."""
    numbered = Numbered()
    return list(costs(Sheet((numbered.ship(ship, *cards),))).lines[-1].parts)


@pytest.mark.parametrize(
    ("rule", "ship", "cards", "expected"),
    [
        ("own faction", ship_card(), [card(Kind.CREW, "Quill", 3)], [printed(3)]),
        (
            "7.6 upgrade",
            ship_card(),
            [card(Kind.CREW, "Quill", 3, factions=KLINGON)],
            [printed(3), PENALTY],
        ),
        ("7.6 captain", ship_card(), [captain_card(factions=KLINGON)], [printed(3), PENALTY]),
        (
            "7.6 a captain printed at 0 pays none",
            ship_card(),
            [captain_card(cost=0, factions=KLINGON)],
            [printed(0)],
        ),
        (
            "7.6 admiral",
            ship_card(),
            [card(Kind.ADMIRAL, "Brine", 4, factions=KLINGON)],
            [printed(4), Part(PENALTY.label, 3)],
        ),
        (
            "7.6 any matching faction",
            ship_card(),
            [card(Kind.TECH, "Relay", 3, factions=("KLI", "FED"))],
            [printed(3)],
        ),
        (
            "7.6 any matching faction of the ship",
            ship_card(factions=("ROM", "KLI")),
            [card(Kind.TECH, "Relay", 3, factions=KLINGON)],
            [printed(3)],
        ),
        (
            "a typed card without a faction pays none",
            ship_card(),
            [Card(Kind.CREW, "Quill", cost=3)],
            [printed(3)],
        ),
        (
            "a flagship card adds its faction",
            ship_card(),
            [card(Kind.FLAGSHIP, "Flagship", 0, factions=("IND",)), card(Kind.CREW, "Quill", 3, factions=("IND",))],
            [printed(3)],
        ),
        (
            "its own text: no penalty",
            ship_card(),
            [captain_card(factions=("IND",), rules=("no penalty",))],
            [printed(3)],
        ),
        (
            "no penalty on the ship of another faction only",
            ship_card(),
            [captain_card(factions=("IND",), rules=("no penalty on faction BAJ",))],
            [printed(3), PENALTY],
        ),
        (
            "the captain's text: upgrades without penalty",
            ship_card(),
            [captain_card(rules=("upgrade without penalty",)), card(Kind.TECH, "Relay", 4, factions=("FER",))],
            [printed(4)],
        ),
        (
            "but not for those it does not speak of",
            ship_card(),
            [captain_card(rules=("talent without penalty",)), card(Kind.TECH, "Relay", 4, factions=("FER",))],
            [printed(4), PENALTY],
        ),
        (
            "7.7 more on other ships",
            ship_card(),
            [card(Kind.TECH, "Relay", 4, rules=("costs 5 more unless on class Defiant Class",))],
            [printed(4), Part("not Defiant Class", 5)],
        ),
        (
            "7.7 not on its own",
            ship_card(ship_class="Defiant Class"),
            [card(Kind.TECH, "Relay", 4, rules=("costs 5 more unless on class Defiant Class",))],
            [printed(4)],
        ),
        (
            "7.7 more under another captain",
            ship_card(),
            [captain_card(skill=6), card(Kind.TECH, "Relay", 4, rules=("costs 5 more unless under skill up to 5",))],
            [printed(4), Part("not captain skill 5 or less", 5)],
        ),
        (
            "7.7 printed, then penalties, then discounts",
            ship_card(),
            [
                captain_card(rules=("weapon costs 1 less",)),
                card(Kind.WEAPON, "Torpedoes", 4, factions=("DOM",), rules=("costs 5 more unless on faction DOM",)),
            ],
            [printed(4), Part("not Dominion", 5), PENALTY, Part("by Captain Vor", -1)],
        ),
        (
            "7.7 never below 0",
            ship_card(),
            [captain_card(rules=("weapon costs 3 less",)), card(Kind.WEAPON, "Torpedoes", 2)],
            [printed(2), Part("by Captain Vor", -2)],
        ),
        (
            "a discount for one faction",
            ship_card(),
            [captain_card(rules=("KLI upgrade costs 1 less",)), card(Kind.WEAPON, "Torpedoes", 2)],
            [printed(2)],
        ),
        (
            "talents at a price of their own",
            ship_card(),
            [captain_card(rules=("talent costs 3",)), card(Kind.TALENT, "Feint", 5)],
            [Part("printed 5, by Captain Vor", 3)],
        ),
    ],
)
def test_7_6_and_7_7_a_card_costs(rule, ship, cards, expected):
    assert parts(ship, *cards) == expected


def test_7_15_a_cost_by_hand_stands_for_everything_and_says_so():
    numbered = Numbered()
    crew = numbered.line(card(Kind.CREW, "Quill", 5, factions=KLINGON), cost_by_hand=0, note="General Orders")
    sheet = Sheet((numbered.ship(ship_card(), crew),))

    assert costs(sheet).of(crew.id).parts == (Part("by hand: General Orders", 0),)
    assert [line.by_hand for line in sheet.lines] == [False, True]


def test_7_3_totals_of_ships_resource_other_and_all():
    numbered = Numbered()
    first = numbered.ship(ship_card(), captain_card(), card(Kind.CREW, "Quill", 5, factions=KLINGON))
    second = numbered.ship(ship_card("Lark", 22), captain_card("Captain Onyx", 4))
    resource = numbered.line(card(Kind.RESOURCE, "Command Tokens", 5, factions=()))
    other = numbered.line(card(Kind.OTHER, "Orders", 2, factions=()))

    found = costs(Sheet((first, second), resource, other=(other,)))

    assert (found.ships, found.resource, found.other, found.total) == ((29, 26), 5, 2, 62)
    assert (
        [cost.line.id for cost in found.lines]
        == [1, 2, 3, 4, 5, 6, 7]
        == [line.id for line in (*first, *second)] + [6, 7]
    )


def test_a_captain_can_make_the_ship_cheaper():
    numbered = Numbered()
    ship = numbered.ship(ship_card(cost=20), captain_card(rules=("ship costs 2 less", "upgrade costs 1 less")))

    assert costs(Sheet((ship,))).ships == (18 + 3,)
