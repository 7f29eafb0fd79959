"""Fleets made up by chance are legal, whatever the month asks for."""

from datetime import date
from random import Random

import pytest

from fleets.domain.by_dice import NoFleet, fleet_by_dice
from fleets.domain.cost import costs
from fleets.domain.legality import Format, Tournament, violations
from fleets.starter import starter_list
from tests.support.fleets_for_tests import captain_card, ship_card

CARDS = [entry.card for entry in starter_list().entries]
DAY = date(2016, 6, 18)
FORMATS = {
    "a month": Format(100),
    "a storyline": Format(100, resources=("Federation Attack Fighters", "Command Tokens")),
    "without resources": Format(120, resource_rule="none"),
    "2016": Format(130, resource_rule="at most one", retire=True, tournament=Tournament()),
}


@pytest.mark.many(each=["name", "faction"])
@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("faction", ["FED", "KLI", "ROM", "DOM", ""])
def test_a_fleet_by_dice_is_legal_and_well_filled(name, faction):
    for seed in range(8):
        sheet = fleet_by_dice(CARDS, FORMATS[name], DAY, random=Random(seed), faction=faction)

        assert violations(sheet, FORMATS[name], DAY) == ()
        assert len(sheet.ships) >= 2
        assert costs(sheet).total >= FORMATS[name].sp_limit * 3 // 4, seed


def test_the_same_random_gives_the_same_fleet_in_whatever_order_the_cards_come():
    first, again = (
        fleet_by_dice(cards, FORMATS["a month"], DAY, random=Random(3), faction="KLI")
        for cards in (CARDS, list(reversed(CARDS)))
    )

    assert first == again


def test_where_there_are_no_upgrades_a_fleet_is_ships_and_captains():
    cards = [ship_card(), captain_card(unique=False)]

    sheet = fleet_by_dice(cards, FORMATS["without resources"], DAY, random=Random(1))

    assert [[line.card.title for line in ship] for ship in sheet.ships] == [["Kestrel", "Captain Vor"]] * 4


@pytest.mark.parametrize("cards", [[], [ship_card()], [captain_card()]], ids=["nothing", "no captain", "no ship"])
def test_where_no_fleet_can_be_made_it_says_so(cards):
    count = "1 card" if len(cards) == 1 else f"{len(cards)} cards"
    said = rf"No legal fleet can be built from {count}\. The fleet has no ships\. Add one\."

    with pytest.raises(NoFleet, match=said):
        fleet_by_dice(cards, FORMATS["without resources"], DAY, random=Random(1))
