"""Rules 7.5 to 7.7: what cards cost on a ship, as a sum."""

from datetime import date
from time import process_time

import pytest

from fleets.domain.cards import Card, CardKind
from fleets.domain.cost import CostTerm, costs
from fleets.domain.legality import Format, violations
from fleets.domain.sheet import FLEET, Sheet
from fleets.domain.surviving import left, reachable
from tests.support.fleets_for_tests import Numbered, captain_card, card, ship_card
from tests.support.saying import in_english

PENALTY = CostTerm("faction penalty", 1)
KLINGON = ("KLI",)


def printed(points: int) -> CostTerm:
    return CostTerm("printed", points)


def resource_card(cost: int, *rules: str) -> Card:
    return card(CardKind.RESOURCE, "Resource", cost, factions=(), rules=rules)


def parts(ship: Card, *cards: Card) -> list[CostTerm]:
    """The sum of the last card."""
    numbered = Numbered()
    return list(costs(Sheet((numbered.ship(ship, *cards),))).lines[-1].parts)


@pytest.mark.parametrize(
    ("rule", "ship", "cards", "expected"),
    [
        ("own faction", ship_card(), [card(CardKind.CREW, "Quill", 3)], [printed(3)]),
        (
            "7.6 upgrade",
            ship_card(),
            [card(CardKind.CREW, "Quill", 3, factions=KLINGON)],
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
            [card(CardKind.ADMIRAL, "Brine", 4, factions=KLINGON)],
            [printed(4), CostTerm(PENALTY.label, 3)],
        ),
        (
            "7.6 any matching faction",
            ship_card(),
            [card(CardKind.TECH, "Relay", 3, factions=("KLI", "FED"))],
            [printed(3)],
        ),
        (
            "7.6 any matching faction of the ship",
            ship_card(factions=("ROM", "KLI")),
            [card(CardKind.TECH, "Relay", 3, factions=KLINGON)],
            [printed(3)],
        ),
        (
            "a typed card without a faction pays none",
            ship_card(),
            [Card(CardKind.CREW, "Quill", cost=3)],
            [printed(3)],
        ),
        (
            "a flagship card adds its faction",
            ship_card(),
            [
                card(CardKind.FLAGSHIP, "Flagship", 0, factions=("IND",)),
                card(CardKind.CREW, "Quill", 3, factions=("IND",)),
            ],
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
            [captain_card(rules=("upgrade without penalty",)), card(CardKind.TECH, "Relay", 4, factions=("FER",))],
            [printed(4)],
        ),
        (
            "but not for those it does not speak of",
            ship_card(),
            [captain_card(rules=("talent without penalty",)), card(CardKind.TECH, "Relay", 4, factions=("FER",))],
            [printed(4), PENALTY],
        ),
        (
            "7.7 more on other ships",
            ship_card(),
            [card(CardKind.TECH, "Relay", 4, rules=("costs 5 more unless on class Defiant Class",))],
            [printed(4), CostTerm("not Defiant Class", 5)],
        ),
        (
            "7.7 not on its own",
            ship_card(ship_class="Defiant Class"),
            [card(CardKind.TECH, "Relay", 4, rules=("costs 5 more unless on class Defiant Class",))],
            [printed(4)],
        ),
        (
            "7.7 more under another captain",
            ship_card(),
            [
                captain_card(skill=6),
                card(CardKind.TECH, "Relay", 4, rules=("costs 5 more unless under skill up to 5",)),
            ],
            [printed(4), CostTerm("not captain skill 5 or less", 5)],
        ),
        (
            "7.7 printed, then penalties, then discounts",
            ship_card(),
            [
                captain_card(rules=("weapon costs 1 less",)),
                card(CardKind.WEAPON, "Torpedoes", 4, factions=("DOM",), rules=("costs 5 more unless on faction DOM",)),
            ],
            [printed(4), CostTerm("not Dominion", 5), PENALTY, CostTerm("by Captain Vor", -1)],
        ),
        (
            "7.7 never below 0",
            ship_card(),
            [captain_card(rules=("weapon costs 3 less",)), card(CardKind.WEAPON, "Torpedoes", 2)],
            [printed(2), CostTerm("by Captain Vor", -2)],
        ),
        (
            "7.7 at 0 no further discount is told",
            ship_card(),
            [
                captain_card(rules=("weapon costs 3 less",)),
                card(CardKind.CREW, "Quill", rules=("weapon costs 1 less",)),
                card(CardKind.WEAPON, "Torpedoes", 2),
            ],
            [printed(2), CostTerm("by Captain Vor", -2)],
        ),
        (
            "a discount for one faction",
            ship_card(),
            [captain_card(rules=("KLI upgrade costs 1 less",)), card(CardKind.WEAPON, "Torpedoes", 2)],
            [printed(2)],
        ),
        (
            "the penalty twice",
            ship_card(),
            [
                captain_card(rules=("non-FED upgrade with double penalty",)),
                card(CardKind.CREW, "Onyx", factions=KLINGON),
            ],
            [printed(2), CostTerm(PENALTY.label, 2)],
        ),
        (
            "the dearest of a faction alone is cheaper",
            ship_card(),
            [
                captain_card(rules=("one DOM upgrade costs 2 less",)),
                card(CardKind.CREW, "Onyx", 3, factions=("DOM", "FED")),
                card(CardKind.WEAPON, "Torpedoes", 4, factions=("DOM", "FED")),
            ],
            [printed(4), CostTerm("by Captain Vor", -2)],
        ),
        (
            "and no other",
            ship_card(),
            [
                captain_card(rules=("one DOM upgrade costs 2 less",)),
                card(CardKind.WEAPON, "Torpedoes", 4, factions=("DOM", "FED")),
                card(CardKind.WEAPON, "Torpedoes", 4, factions=("DOM", "FED")),
            ],
            [printed(4)],
        ),
        (
            "only up to a printed cost",
            ship_card(),
            [
                card(CardKind.CREW, "Quill", rules=("weapon up to 5 SP costs 2 less",)),
                card(CardKind.WEAPON, "Torpedoes", 6),
            ],
            [printed(6)],
        ),
        (
            "all but one faction",
            ship_card(),
            [card(CardKind.CREW, "Quill", rules=("non-BOR tech costs 1 less",)), card(CardKind.TECH, "Relay", 4)],
            [printed(4), CostTerm("by Quill", -1)],
        ),
        (
            "but that one not",
            ship_card(factions=("FED", "BOR")),
            [
                card(CardKind.CREW, "Quill", rules=("non-BOR tech costs 1 less",)),
                card(CardKind.TECH, "Relay", 4, factions=("BOR",)),
            ],
            [printed(4)],
        ),
        (
            "a card by its title",
            ship_card(),
            [captain_card(rules=("title Feint costs 2 less",)), card(CardKind.TALENT, "Feint", 5)],
            [printed(5), CostTerm("by Captain Vor", -2)],
        ),
        (
            "as much as the attack of the ship",
            ship_card(attack=4),
            [card(CardKind.WEAPON, "Phasers", 0, rules=("costs attack plus 1",))],
            [CostTerm("attack 4 of Kestrel plus 1", 5)],
        ),
        (
            "and then the penalty",
            ship_card(attack=4),
            [card(CardKind.WEAPON, "Phasers", 1, factions=KLINGON, rules=("costs attack",))],
            [CostTerm("attack 4 of Kestrel", 4), PENALTY],
        ),
        (
            "talents at a price of their own",
            ship_card(),
            [captain_card(rules=("talent costs 3",)), card(CardKind.TALENT, "Feint", 5)],
            [CostTerm("printed 5, set by Captain Vor", 3)],
        ),
    ],
)
def test_7_6_and_7_7_a_card_costs(rule, ship, cards, expected):
    assert in_english(parts(ship, *cards)) == expected


def test_7_15_a_cost_by_hand_stands_for_everything_and_says_so():
    numbered = Numbered()
    crew = numbered.line(card(CardKind.CREW, "Quill", 5, factions=KLINGON), cost_by_hand=0, note="General Orders")
    sheet = Sheet((numbered.ship(ship_card(), crew),))

    assert in_english(costs(sheet).of(crew.id).parts) == (CostTerm("by hand: General Orders", 0),)
    assert [line.by_hand for line in sheet.lines] == [False, True]


def test_7_3_totals_of_ships_resource_other_and_all():
    numbered = Numbered()
    first = numbered.ship(ship_card(), captain_card(), card(CardKind.CREW, "Quill", 5, factions=KLINGON))
    second = numbered.ship(ship_card("Lark", 22), captain_card("Captain Onyx", 4))
    resource = numbered.line(card(CardKind.RESOURCE, "Command Tokens", 5, factions=()))
    other = numbered.line(card(CardKind.OTHER, "Orders", 2, factions=()))

    found = costs(Sheet((first, second), resource, other=(other,)))

    assert (found.ships, found.resource, found.other, found.total) == ((29, 26), 5, 2, 62)
    assert (
        [cost.line.id for cost in found.lines]
        == [1, 2, 3, 4, 5, 6, 7]
        == [line.id for line in (*first, *second)] + [6, 7]
    )


@pytest.mark.parametrize(
    ("rule", "ships", "resource", "at", "expected"),
    [
        ("printed", [[ship_card()]], resource_card(5), FLEET, [printed(5)]),
        (
            "half of the shields, rounded up",
            [[ship_card(shields=4)], [ship_card("Lark", shields=5)], [ship_card("Midge", shields=6)]],
            resource_card(0, "costs half of all shields"),
            FLEET,
            [CostTerm("half of 15 shields, rounded up", 8)],
        ),
        (
            "half of the hull, whatever it is assigned to",
            [[ship_card(hull=4)], [ship_card("Lark", hull=2)]],
            resource_card(0, "costs half of all hull"),
            1,
            [CostTerm("half of 6 hull, rounded up", 3)],
        ),
        (
            "a flagship card counts with its ship",
            [[ship_card(hull=4), card(CardKind.FLAGSHIP, "Flagship", 0, hull=1, shields=1)]],
            resource_card(0, "costs half of all hull"),
            FLEET,
            [CostTerm("half of 5 hull, rounded up", 3)],
        ),
        (
            "no ship, no cost",
            [],
            resource_card(0, "costs half of all hull"),
            FLEET,
            [CostTerm("half of 0 hull, rounded up", 0)],
        ),
        (
            "each hull point over 3 of its ship",
            [[ship_card(hull=6)], [ship_card("Lark", hull=5)]],
            resource_card(3, "costs 2 for each hull over 3"),
            1,
            [printed(3), CostTerm("hull points over 3: 3 × 2", 6)],
        ),
        (
            "a small ship adds nothing and takes nothing",
            [[ship_card(hull=2)]],
            resource_card(3, "costs 2 for each hull over 3"),
            1,
            [printed(3), CostTerm("hull points over 3: 0 × 2", 0)],
        ),
        (
            "assigned to the fleet, each ship with a hull over 3",
            [[ship_card(hull=6)], [ship_card("Lark", hull=4)], [ship_card("Midge", hull=3)]],
            resource_card(3, "costs 2 for each hull over 3"),
            FLEET,
            [printed(3), CostTerm("ships with hull over 3: 2 × 2", 4)],
        ),
        (
            "assigned to a card, its ship",
            [[ship_card(hull=4), captain_card()]],
            resource_card(3, "costs 2 for each hull over 3"),
            2,
            [printed(3), CostTerm("hull points over 3: 1 × 2", 2)],
        ),
        (
            "1 for each talent beyond the slots",
            [[ship_card(), captain_card(), card(CardKind.CREW, "Quill"), *[card(CardKind.TALENT, "Feint")] * 2]],
            resource_card(0, "extra talents for 1"),
            FLEET,
            [CostTerm("extra talents: 1 × 1", 1)],
        ),
        (
            "nothing where its cost is printed on a card of the fleet",
            [[ship_card(), card(CardKind.FLEET_CAPTAIN, "Federation", 5)]],
            resource_card(5, "no cost beside kind fleet captain"),
            FLEET,
            [printed(5), CostTerm("included with Federation", -5)],
        ),
        (
            "but without that card what is printed",
            [[ship_card()]],
            resource_card(5, "no cost beside kind fleet captain"),
            FLEET,
            [printed(5)],
        ),
    ],
)
def test_7_11_a_resource_costs_by_formula(rule, ships, resource, at, expected):
    numbered = Numbered()
    built = tuple(numbered.ship(*cards) for cards in ships)
    found = costs(Sheet(built, numbered.line(resource), at))

    assert in_english(list(found.lines[-1].parts)) == expected
    assert found.resource == sum(part.points for part in expected)


def test_7_15_a_resource_by_hand_is_not_computed():
    numbered = Numbered()
    ship = numbered.ship(ship_card(hull=6))
    resource = numbered.line(resource_card(0, "costs half of all hull"), cost_by_hand=2)

    assert in_english(costs(Sheet((ship,), resource)).lines[-1].parts) == (CostTerm("by hand", 2),)


def test_3_sp_for_each_officer_are_paid_with_the_officers_themselves():
    numbered = Numbered()
    officers = [card(CardKind.OFFICER, name, 3, factions=("IND",)) for name in ("First Officer", "Science Officer")]
    ship = numbered.ship(ship_card(), *officers)
    found = costs(Sheet((ship,), numbered.line(resource_card(0))))

    assert (found.resource, found.ships) == (0, (26,))


def test_2_4_a_resource_by_formula_counts_as_it_was_built_whatever_is_lost_later():
    numbered = Numbered()
    ships = (numbered.ship(ship_card(hull=5)), numbered.ship(ship_card("Lark", 22, hull=4)))
    sheet = Sheet(ships, numbered.line(resource_card(0, "costs half of all hull")))

    assert left(sheet, [1]).sp == 22 + 5
    assert reachable(sheet) == (0, 20 + 5, 22 + 5, 42 + 5)


def test_a_captain_can_make_the_ship_cheaper():
    numbered = Numbered()
    ship = numbered.ship(ship_card(cost=20), captain_card(rules=("ship costs 2 less", "upgrade costs 1 less")))

    assert costs(Sheet((ship,))).ships == (18 + 3,)


@pytest.mark.parametrize(
    ("rules", "open_total", "hidden_total"),
    [
        (("crew costs 1 less",), 20 + 5 + 4 + 2, 20 + 3 + 3),
        (("crew costs 2 less for all ships",), 20 + 5 + 4 + 1, 20 + 3 + 3),
        (("gives faction KLI",), 20 + 5 + 4 + 3, 20 + 3 + 3 + 1),
        (("crew without penalty",), 20 + 5 + 4 + 3, 20 + 3 + 3 + 1),
        (("crew with double penalty",), 20 + 5 + 4 + 3 + 2, 20 + 3 + 3 + 1),
        (("one crew costs 0",), 20 + 5 + 4, 20 + 3 + 3),
    ],
)
def test_a_card_that_lies_face_down_changes_no_cost(rules, open_total, hidden_total):
    is_of_another = any("KLI" in rule or "penalty" in rule for rule in rules)
    crew = card(CardKind.CREW, "Quill", 3, factions=("KLI",) if is_of_another else ("FED",))
    relay = card(CardKind.TECH, "Relay", 4, rules=rules)
    totals = []
    for cover in (card(CardKind.TECH, "Cover", 5), card(CardKind.TECH, "Cover", 3, rules=("hides 1 tech up to 4 SP",))):
        numbered = Numbered()
        totals.append(costs(Sheet((numbered.ship(ship_card(cost=20), cover, relay, crew),))).total)

    assert totals == [open_total, hidden_total]


@pytest.mark.parametrize(
    "rules",
    [
        ("hides 1 tech up to 5 SP",),
        (
            "adds tech 1 for cost up to 3",
            "tech costs 1 less for all ships",
            "one tech costs 2",
            "one tech without penalty",
        ),
        ("turns 1 tech, crew into weapon, tech", "fits tech, crew, weapon", "adds crew 20 for title Zed"),
    ],
)
def test_a_full_sheet_whose_every_card_changes_the_others_is_counted_in_a_moment(rules):
    numbered = Numbered()
    cards = [card(CardKind.TECH, f"Relay {number}", 4, rules=rules) for number in range(198)]
    sheet = Sheet((numbered.ship(ship_card(), *cards),))
    start = process_time()

    assert len(costs(sheet).lines) == 199
    assert violations(sheet, Format(100), date(2014, 6, 1))
    assert process_time() - start < 10
