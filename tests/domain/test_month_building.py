"""Rule 7.17: what a month prints about building is checked and counted, month by month."""

from dataclasses import replace
from datetime import date
from random import Random

import pytest

from fleets.domain import editing
from fleets.domain.by_dice import fleet_by_dice
from fleets.domain.card_data import sheet_as_data, sheet_from_data
from fleets.domain.cards import FACTIONS, Card, CardKind
from fleets.domain.cost import CostTerm, costs
from fleets.domain.legality import Format, violations
from fleets.domain.month_checks import why_not_this_month
from fleets.domain.sheet import CardLine, Sheet
from fleets.domain.surviving import left
from scoring.domain.building import FACTION_NAMES, CardLimit, CostChange, FleetFormat
from scoring.domain.pack import MonthPack
from scoring.shipped import shipped_pack
from tests.support.fleets_for_tests import Numbered, captain_card, card, ship_card
from tests.support.saying import in_english
from tourney.queries.building import month_rules

DAY = date(2017, 8, 12)
CUBE = ship_card("Cube 7", 40, ship_class="Borg Cube", factions=("BOR",))
FEDERATION = ship_card("Kestrel", 24)
KLINGON = ship_card("Wing", 22, factions=("KLI",))
ROMULAN = ship_card("Talon", 26, factions=("ROM",))
BORG = ship_card("Sphere 4", 30, factions=("BOR",), slots=((CardKind.CREW, 2), (CardKind.BORG, 2)))
VOR = captain_card("Captain Vor", 3)
DRONE = captain_card("Drone", 4, factions=("BOR",))
QUILL = card(CardKind.CREW, "Quill", 2)
RAIDER = card(CardKind.CREW, "Raider", 3, factions=("KLI",))
NANITES = card(CardKind.BORG, "Nanites", 3, factions=("BOR",))
WARP_JUMP = card(CardKind.TECH, "Warp Jump", 5)
TOKENS = card(CardKind.RESOURCE, "Command Tokens", 5, factions=())
SABOTAGE = card(CardKind.RESOURCE, "Sabotage", 5, factions=())
CREW = tuple(card(CardKind.CREW, f"Crew {number}", 4) for number in range(1, 8))


def fleet(*ships: tuple[Card, ...], beside: tuple[Card, ...] = (), side: str = "") -> Sheet:
    numbered = Numbered()
    built = tuple(numbered.ship(*ship) for ship in ships)
    resources = [one for one in beside if one.kind is CardKind.RESOURCE][:1]
    resource = numbered.line(resources[0]) if resources else None
    other = tuple(numbered.line(one) for one in beside if one not in resources)
    return Sheet(built, resource, other=other, side=side)


def format_of(pack: MonthPack) -> Format:
    return Format(pack.sp_limit or 130, resource_rule=pack.resource.rule, month=month_rules(pack))


def wrong(sheet: Sheet, pack: MonthPack | str) -> list[tuple[str, int]]:
    """What is against rule 7.17, with its line."""
    pack = shipped_pack(pack) if isinstance(pack, str) else pack
    return [(one.sentence, one.line) for one in violations(sheet, format_of(pack), DAY) if one.rule == "7.17"]


def at(sheet: Sheet, pack: MonthPack | str) -> Sheet:
    """The sheet as that month counts it."""
    pack = shipped_pack(pack) if isinstance(pack, str) else pack
    return replace(sheet, month=month_rules(pack))


@pytest.mark.parametrize(
    ("month", "sheet", "sentences"),
    [
        ("chronological-chaos", fleet((FEDERATION, VOR, QUILL)), []),
        ("chronological-chaos", fleet((CUBE, DRONE)),
         [("Cube 7 has an oversized base, which isn’t allowed this month.", 1)]),
        ("chronological-chaos", fleet((FEDERATION, VOR, WARP_JUMP)), [("Warp Jump is banned this month.", 3)]),
        ("chronological-chaos", fleet((FEDERATION, VOR, card(CardKind.TECH, "warp jump", 9, factions=("ROM",)))),
         [("warp jump is banned this month.", 3)]),
        ("classic-movies-2", fleet((FEDERATION, VOR), beside=CREW[:6]), []),
        ("classic-movies-2", fleet((FEDERATION, VOR)),
         [("The away team has no crew cards; this month requires 6.", 0)]),
        ("classic-movies-2", fleet((FEDERATION, VOR), beside=CREW),
         [("The away team has room for 6 crew cards, so Crew 7 is one too many.", 9),
          ("The away team costs 28 SP as printed. Limit: 24 SP.", 0)]),
        ("klingon-civil-war-1", fleet((FEDERATION, VOR, RAIDER)), []),
        ("klingon-civil-war-1", fleet((FEDERATION, VOR, QUILL)),
         [("This month requires at least one Klingon card. Add one.", 0)]),
        ("klingon-civil-war-2", fleet((KLINGON, VOR)), []),
        ("klingon-civil-war-2", fleet((FEDERATION, VOR), beside=(card(CardKind.OTHER, "Oath", 0, factions=("KLI",)),)),
         [("This month requires at least one Klingon card. Add one.", 0)]),
        ("klingon-civil-war-3", fleet((ROMULAN, captain_card("Onyx", 2, factions=("KLI",)))), []),
        ("klingon-civil-war-3", fleet((ROMULAN, VOR)),
         [("This month requires at least one Klingon card. Add one.", 0)]),
        ("resistance-is-futile-2", fleet((BORG, DRONE), side="Borg"), []),
        ("resistance-is-futile-2", fleet((FEDERATION, VOR), side="Rebel"), []),
        ("resistance-is-futile-2", fleet((FEDERATION, VOR)), [("Choose the fleet’s side: Borg or Rebel.", 0)]),
        ("resistance-is-futile-2", fleet((FEDERATION, VOR), side="Gorn"),
         [("Choose the fleet’s side: Borg or Rebel.", 0)]),
        ("resource-rumble", fleet((FEDERATION, VOR), beside=(TOKENS,)), []),
        ("resource-rumble", fleet((FEDERATION, VOR), (KLINGON, DRONE), beside=(TOKENS, SABOTAGE)), []),
        ("resource-rumble", fleet((FEDERATION, VOR)),
         [("This month requires at least one resource. Add one.", 0)]),
        ("resource-rumble", fleet((FEDERATION, VOR), beside=(TOKENS, SABOTAGE)),
         [("This month allows one resource per ship, so Sabotage is one too many.", 4)]),
    ],
)  # fmt: skip
def test_7_17_each_month_allows_what_it_prints_and_nothing_else(month, sheet, sentences):
    assert in_english(wrong(sheet, month)) == sentences


def of_month(*limits: CardLimit, **fleet_facts) -> MonthPack:
    facts = {"fleet": FleetFormat(**fleet_facts), "card_limits": limits}
    return MonthPack(slug="a-month", storyline="A Storyline", sp_limit=200, **facts)


TWO_KLINGONS = fleet((FEDERATION, VOR, RAIDER), (KLINGON, DRONE))


@pytest.mark.parametrize(
    ("pack", "sheet", "sentences"),
    [
        (of_month(allowed_factions=("Klingon", "Romulan")), TWO_KLINGONS,
         [("Kestrel is Federation. Only Klingon or Romulan ships are allowed this month.", 1)]),
        (of_month(allowed_factions=("Klingon", "Federation"), factions_of="ships and captains"), TWO_KLINGONS,
         [("Drone is Borg. Only Klingon or Federation ships and captains are allowed this month.", 5)]),
        (of_month(allowed_factions=("Klingon",), factions_of="cards"), fleet((KLINGON, VOR, RAIDER), beside=(TOKENS,)),
         [("Captain Vor is Federation. Only Klingon cards are allowed this month.", 2)]),
        (of_month(CardLimit("none", faction="Borg", kind="captain")), TWO_KLINGONS,
         [("Drone is banned this month, like every Borg captain.", 5)]),
        (of_month(CardLimit("none", "Raider", cost=3)), TWO_KLINGONS, [("Raider is banned this month.", 3)]),
        (of_month(CardLimit("none", "Raider", cost=4)), TWO_KLINGONS, []),
        (of_month(CardLimit("none", "Raider", "captain")), TWO_KLINGONS, []),
        (of_month(CardLimit("none", "Sabotage")), fleet((FEDERATION, VOR), beside=(SABOTAGE,)),
         [("Sabotage is banned this month.", 3)]),
        (of_month(CardLimit("at most one", faction="Klingon")), TWO_KLINGONS,
         [("This month allows only one Klingon card, but the fleet has Raider and Wing.", 4)]),
        (of_month(CardLimit("exactly one", kind="ship")), fleet((FEDERATION, VOR)), []),
        (of_month(CardLimit("exactly one", kind="admiral")), fleet((FEDERATION, VOR)),
         [("This month requires exactly one admiral. Add one.", 0)]),
        (of_month(CardLimit("at least one", kind="captain", faction="Borg")), TWO_KLINGONS, []),
        (of_month(oversized=1), fleet((CUBE, DRONE)), []),
        (of_month(oversized=1), fleet((CUBE, DRONE), (ship_card("Cube 8", 40, ship_class="Borg Cube"), VOR)),
         [("Cube 8 has an oversized base. This month allows 1 ship with one.", 3)]),
    ],
)  # fmt: skip
def test_7_17_a_pack_bans_and_asks_for_cards(pack, sheet, sentences):
    assert in_english(wrong(sheet, pack)) == sentences


@pytest.mark.parametrize(
    ("month", "sheet", "sums"),
    [
        ("klingon-civil-war-1", fleet((KLINGON, VOR)), {"Wing": "22 −2", "Captain Vor": "3 +1"}),
        ("klingon-civil-war-2", fleet((FEDERATION, VOR, RAIDER)), {"Kestrel": "24 −2", "Raider": "3 +1"}),
        ("klingon-civil-war-2", fleet((FEDERATION, VOR, RAIDER, RAIDER), (ROMULAN, VOR)),
         {"Kestrel": "24 −2", "Talon": "26"}),
        ("klingon-civil-war-3", fleet((ROMULAN, RAIDER)), {"Talon": "26 −2"}),
        ("resistance-is-futile-2", fleet((BORG, DRONE, QUILL, NANITES), side="Borg"),
         {"Sphere 4": "30", "Drone": "4 −1", "Quill": "2 +1", "Nanites": "3 −1"}),
        ("resistance-is-futile-2", fleet((FEDERATION, DRONE, NANITES), side="Borg"),
         {"Drone": "4 −1", "Nanites": "3 −1"}),
        ("resistance-is-futile-2", fleet((FEDERATION, DRONE, QUILL), side="Rebel"), {"Drone": "4 +1", "Quill": "2 −1"}),
        ("resistance-is-futile-2", fleet((FEDERATION, captain_card("Ensign", 0), QUILL), side="Rebel"),
         {"Ensign": "0", "Quill": "2 −1"}),
        ("resistance-is-futile-2", fleet((FEDERATION, DRONE, QUILL)), {"Drone": "4 +1", "Quill": "2"}),
        ("classic-movies-2", fleet((FEDERATION, RAIDER), beside=(CREW[0],)), {"Raider": "3 +1", "Crew 1": "4 −4"}),
    ],
)  # fmt: skip
def test_7_17_costs_change_as_printed_after_the_penalty_and_never_below_0(month, sheet, sums):
    found = {cost.line.card.title: cost for cost in costs(at(sheet, month)).lines}

    said = {
        title: " ".join(
            [str(found[title].parts[0].points), *(f"{part.points:+}" for part in found[title].parts[1:])]
        ).replace("-", "−")
        for title in sums
    }
    assert said == sums


def test_7_17_a_sum_says_why():
    parts = costs(at(fleet((FEDERATION, VOR, RAIDER)), "klingon-civil-war-1")).lines[0].parts

    assert in_english(parts) == (
        CostTerm("printed", 24),
        CostTerm("this month: Klingon ship, or ship with a Klingon card", -2),
    )


def test_7_7_the_month_adds_before_any_discount_and_a_cost_by_hand_stands():
    dearer = CostChange("crew", points=2)
    pack = MonthPack(slug="a-month", storyline="A Storyline", cost_changes=(dearer, CostChange("crew", points=-9)))
    typed = CardLine(9, QUILL, cost_by_hand=1)
    sheet = at(editing.add(fleet((FEDERATION, VOR, RAIDER)), QUILL, 1), pack)
    by_hand = at(Sheet((Numbered().ship(FEDERATION, typed),)), pack)

    assert [part.points for part in costs(sheet).of(3).parts] == [3, 2, 1]
    assert costs(by_hand).of(9).total == 1


def test_2_3_what_is_left_of_a_fleet_counts_with_the_months_costs():
    sheet = at(fleet((KLINGON, VOR), (FEDERATION, VOR)), "klingon-civil-war-1")

    assert left(sheet, {3}).sp == 22 - 2 + 4
    assert left(sheet, {1}).sp == 24 + 3


def test_the_builder_hears_what_speaks_against_a_card_before_it_is_added():
    sheet = at(fleet((FEDERATION, VOR)), "chronological-chaos")

    assert in_english(why_not_this_month(sheet, WARP_JUMP, sheet.ships[0])) == ("Warp Jump is banned this month.",)
    assert why_not_this_month(sheet, QUILL, sheet.ships[0]) == ()
    assert in_english(why_not_this_month(sheet, CUBE, None)) == (
        "Cube 7 has an oversized base, which isn’t allowed this month.",
    )
    full = at(fleet((FEDERATION, VOR), beside=(TOKENS,)), "resource-rumble")
    assert in_english(why_not_this_month(full, SABOTAGE, None)) == (
        "This month allows one resource per ship, so Sabotage is one too many.",
    )


def test_a_side_is_one_of_the_months():
    sheet = at(fleet((BORG, DRONE)), "resistance-is-futile-2")

    assert editing.choose_side(sheet, "Borg").side == "Borg"
    with pytest.raises(editing.CannotEdit, match="This month has no such side"):
        editing.choose_side(sheet, "Gorn")


@pytest.mark.many
@pytest.mark.parametrize(
    "month",
    [
        "chronological-chaos",
        "classic-movies-2",
        "klingon-civil-war-1",
        "klingon-civil-war-3",
        "resistance-is-futile-2",
        "resource-rumble",
    ],
)
def test_a_fleet_by_dice_is_legal_in_each_of_these_months(month):
    ships = [ship_card(f"{code} {n}", 20 + n, factions=(code,)) for code in ("FED", "KLI", "BOR") for n in range(4)]
    captains = [captain_card(f"Captain {code} {n}", n, factions=(code,)) for code in ("FED", "KLI") for n in range(4)]
    known = [*ships, *captains, *CREW, *[card(CardKind.CREW, f"Mate {n}", n) for n in range(6)], WARP_JUMP, TOKENS]
    format = format_of(shipped_pack(month))

    for seed in range(5):
        assert violations(fleet_by_dice(known, format, DAY, random=Random(seed), faction="FED"), format, DAY) == ()


def test_7_4_the_factions_of_packs_are_those_of_cards():
    assert set(FACTION_NAMES) == set(FACTIONS.values())


def test_7_12_a_month_of_the_2016_format_says_itself_how_many_may_be_oversized():
    assert month_rules(of_month(format="2016", oversized=0)).oversized is None


def test_7_17_a_sheet_keeps_its_side_and_not_the_months_rules():
    sheet = at(fleet((BORG, DRONE), side="Borg"), "resistance-is-futile-2")
    again = sheet_from_data(sheet_as_data(sheet))

    assert (again, again.side, again.side_in_play, sheet.side_in_play) == (sheet, "Borg", "", "Borg")
