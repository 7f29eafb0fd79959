"""Rule 7.14: cards that the publisher corrected."""

from dataclasses import replace

import pytest

from fleets.domain.cards import Card, Kind
from fleets.domain.errata import corrected

DEFIANT = Card(Kind.SHIP, "Mirror Universe Starship", ("MIR",), 20, ship_class="Defiant Class (Mirror)")
MAKE_IT_SO = Card(Kind.TALENT, "Make It So!", ("MIR",), 3, unique=True)
PHASER_BANKS = Card(Kind.SQUADRON, "Galor Class Phaser Banks", ("DOM",), 7)


@pytest.mark.parametrize(
    ("card", "expected"),
    [
        (DEFIANT, replace(DEFIANT, cost=22)),
        (replace(DEFIANT, ship_class="Galaxy Class (MU)"), replace(DEFIANT, ship_class="Galaxy Class (MU)")),
        (Card(Kind.CAPTAIN, "Ferengi", ("FER",), unique=True), Card(Kind.CAPTAIN, "Ferengi", ("FER",))),
        (Card(Kind.CAPTAIN, "Kuvak", ("FED",), 2), Card(Kind.CAPTAIN, "Kuvak", ("VUL",), 2)),
        (Card(Kind.WEAPON, "Tactical Station"), Card(Kind.WEAPON, "Tactical Station", unique=True)),
        (MAKE_IT_SO, replace(MAKE_IT_SO, unique=False, mirror_unique=True)),
        (replace(MAKE_IT_SO, title="make it so", factions=("FED",)),) * 2,
        (
            PHASER_BANKS,
            replace(PHASER_BANKS, rules=("one per ship", "only on class Hideki Class Attack Squadron")),
        ),
    ],
    ids=lambda card: f"{card.title} {'/'.join(card.factions)}",
)
def test_7_14_a_card_counts_as_corrected(card, expected):
    assert corrected(card) == expected
    assert corrected(expected) == expected
