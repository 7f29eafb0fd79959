"""Rule 7.1: what somebody changed on a sheet, in lines that can be compared with the cards on the table."""

from dataclasses import replace

from fleets.domain.cards import CardKind
from fleets.domain.difference import difference, lines_in_words
from fleets.domain.sheet import CardLine, Sheet, Ship
from tests.support.fleets_for_tests import captain_card, card, ship_card

KESTREL = Ship(CardLine(1, ship_card()), (CardLine(2, captain_card()), CardLine(3, card(CardKind.WEAPON, "Darts"))))
LARK = Ship(CardLine(4, ship_card("Lark", 22)))
TOKENS = CardLine(5, card(CardKind.RESOURCE, "Command Tokens", 5, factions=()))
SHEET = Sheet((KESTREL, LARK), TOKENS, other=(CardLine(6, card(CardKind.CREW, "Quill")),))


def test_each_line_says_its_ship_and_its_cost_and_whose_the_resource_is():
    lines = ("Kestrel, 20 SP", "Kestrel: Captain Vor, 3 SP", "Kestrel: Darts, 2 SP", "Lark, 22 SP")

    assert lines_in_words(SHEET) == (*lines, "Command Tokens, 5 SP", "Quill, 2 SP")
    for line in (1, 3):
        assigned = lines_in_words(replace(SHEET, resource_at=line))
        assert assigned == (*lines, "Command Tokens, 5 SP → Kestrel", "Quill, 2 SP")
    assert lines_in_words(Sheet((LARK,))) == ("Lark, 22 SP",)


def test_only_what_is_on_one_of_the_sheets_differs_whatever_the_order():
    turned = replace(SHEET, ships=(LARK, KESTREL))
    without_darts = replace(SHEET, ships=(replace(KESTREL, cards=KESTREL.cards[:1]), LARK), resource_at=4)

    assert difference(SHEET, turned) == ((), ())
    assert difference(turned, without_darts) == (
        ("Kestrel: Darts, 2 SP", "Command Tokens, 5 SP"),
        ("Command Tokens, 5 SP → Lark",),
    )


def test_the_same_card_twice_is_two_lines():
    darts = KESTREL.cards[1]
    twice = replace(SHEET, ships=(replace(KESTREL, cards=(*KESTREL.cards, replace(darts, id=7))), LARK))

    assert difference(SHEET, twice) == ((), ("Kestrel: Darts, 2 SP",))
