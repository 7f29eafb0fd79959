"""Rule 7.14: cards that the publisher corrected."""

from dataclasses import replace

import pytest

from fleets.domain.cards import Card, CardKind
from fleets.domain.errata import corrected

DEFIANT = Card(CardKind.SHIP, "Mirror Universe Starship", ("MIR",), 20, ship_class="Defiant Class (Mirror)")
MAKE_IT_SO = Card(CardKind.TALENT, "Make It So!", ("MIR",), 3, unique=True)
PHASER_BANKS = Card(CardKind.SQUADRON, "Galor Class Phaser Banks", ("DOM",), 7)


@pytest.mark.parametrize(
    ("card", "expected"),
    [
        (DEFIANT, replace(DEFIANT, cost=22)),
        (replace(DEFIANT, ship_class="Galaxy Class (MU)"), replace(DEFIANT, ship_class="Galaxy Class (MU)")),
        (Card(CardKind.CAPTAIN, "Ferengi", ("FER",), unique=True), Card(CardKind.CAPTAIN, "Ferengi", ("FER",))),
        (Card(CardKind.CAPTAIN, "Kuvak", ("FED",), 2), Card(CardKind.CAPTAIN, "Kuvak", ("VUL",), 2)),
        (Card(CardKind.WEAPON, "Tactical Station"), Card(CardKind.WEAPON, "Tactical Station", unique=True)),
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
