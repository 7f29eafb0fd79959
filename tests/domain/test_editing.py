"""Rule 7.3, 7.15: a sheet is changed in single steps, each of which leaves everything else as it was."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleets.domain import editing
from fleets.domain.cards import CardKind
from fleets.domain.editing import CannotEdit
from fleets.domain.sheet import FLEET, CardLine, Sheet, Ship
from tests.support.fleets_for_tests import captain_card, card, ship_card

KESTREL, VOR, DARTS, QUILL = (
    ship_card(),
    captain_card(),
    card(CardKind.WEAPON, "Darts", 2),
    card(CardKind.CREW, "Quill", 1),
)
TOKENS = card(CardKind.RESOURCE, "Command Tokens", 5)
START = Sheet((Ship(CardLine(1, KESTREL), (CardLine(2, VOR), CardLine(3, DARTS))),), CardLine(4, TOKENS))


def titles(sheet: Sheet) -> list[list[str]]:
    return [[line.card.title for line in ship] for ship in sheet.ships]


def test_cards_stand_under_their_ship_in_the_order_of_the_sheet():
    sheet = editing.add(START, QUILL, at=1)

    assert sheet.ships[0].cards == (CardLine(2, VOR), CardLine(5, QUILL), CardLine(3, DARTS))


def test_a_ship_comes_after_the_others_and_what_needs_none_stands_beside():
    lark = ship_card("Lark", 22)
    sheet = editing.add(editing.add(START, lark), QUILL, booster=True)

    assert sheet == replace(
        START, ships=(*START.ships, Ship(CardLine(5, lark))), other=(CardLine(6, QUILL, booster=True),)
    )


def test_the_first_resource_is_the_fleets_and_a_second_stands_beside_the_ships():
    bare = Sheet(START.ships)

    assert editing.add(bare, TOKENS, at=1) == Sheet(START.ships, CardLine(4, TOKENS))
    assert editing.add(START, TOKENS).other == (CardLine(5, TOKENS),)


def test_a_ship_goes_with_its_cards_and_the_resource_on_them_is_the_fleets_again():
    assigned = editing.assign_resource(START, at=3)

    assert assigned == replace(START, resource_at=3)
    assert editing.assign_resource(assigned, at=FLEET) == START
    assert editing.remove(assigned, 3).resource_at == FLEET
    assert editing.remove(assigned, 1) == Sheet((), CardLine(4, TOKENS))
    assert editing.remove(assigned, 4) == Sheet(START.ships)


def test_a_ship_is_doubled_behind_itself_with_new_lines():
    lark = ship_card("Lark", 22)
    doubled = editing.duplicate(editing.add(START, lark), 1)

    assert titles(doubled) == [["Kestrel", VOR.title, "Darts"], ["Kestrel", VOR.title, "Darts"], ["Lark"]]
    assert [line.id for line in doubled.ships[1]] == [6, 7, 8]


def test_lines_move_among_their_own():
    two = editing.add(START, ship_card("Lark", 22))

    assert titles(editing.move(two, 5, -1)) == [["Lark"], ["Kestrel", VOR.title, "Darts"]]
    assert titles(editing.move(two, 3, -1)) == [["Kestrel", "Darts", VOR.title], ["Lark"]]
    assert editing.move(two, 1, -1) == two
    assert titles(editing.move(two, 1, 9)) == [["Lark"], ["Kestrel", VOR.title, "Darts"]]
    assert editing.move(two, 4, 1) == two


def test_a_card_changes_ships_and_keeps_its_line_and_its_resource():
    two = editing.assign_resource(editing.add(START, ship_card("Lark", 22)), at=3)
    moved = editing.transfer(two, 3, at=5)

    assert titles(moved) == [["Kestrel", VOR.title], ["Lark", "Darts"]]
    assert (moved.ships[1].cards[0].id, moved.resource_at) == (3, 3)
    assert titles(editing.transfer(two, 3, at=FLEET)) == [["Kestrel", VOR.title], ["Lark"]]


def test_what_somebody_writes_on_a_line_stands_there():
    sheet = editing.write(START, 3, cost_by_hand=0, note="promo", booster=True)

    assert sheet.ships[0].cards[1] == CardLine(3, DARTS, cost_by_hand=0, note="promo", booster=True)
    assert editing.write(sheet, 3, cost_by_hand=None, note="", booster=False) == START


def test_another_card_takes_the_place_of_one():
    dearer = replace(DARTS, cost=4)

    assert editing.retype(START, 3, dearer).ships[0].cards[1] == CardLine(3, dearer)
    assert editing.retype(START, 3, QUILL).ships[0].cards[1] == CardLine(3, QUILL)


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        (lambda s: editing.remove(s, 9), "This line is no longer in the fleet."),
        (lambda s: editing.add(s, QUILL, at=9), "The ship for this card is no longer in the fleet."),
        (lambda s: editing.duplicate(s, 2), "This ship is no longer in the fleet."),
        (lambda s: editing.transfer(s, 1, at=FLEET), "A ship can’t be moved onto another ship."),
        (lambda s: editing.assign_resource(s, at=4), "A resource can’t be assigned to itself."),
        (
            lambda s: editing.assign_resource(editing.remove(s, 4), at=1),
            "The fleet has no resource to assign. Add one first.",
        ),
        (
            lambda s: editing.write(s, 2, cost_by_hand=1000, note="", booster=False),
            "Enter a cost from 0 to 999 SP.",
        ),
        (
            lambda s: editing.write(s, 2, cost_by_hand=None, note="a\nb", booster=False),
            "Keep the note to one line of at most 120 characters.",
        ),
        (
            lambda s: editing.retype(s, 1, QUILL),
            "This line is for this kind of card: ship. Quill isn’t one. Remove the line and add another.",
        ),
    ],
)
def test_what_cannot_be_done_is_said(step, sentence):
    with pytest.raises(CannotEdit) as error:
        step(START)

    assert str(error.value) == sentence


def test_a_sheet_has_room_for_200_lines():
    sheet = replace(START, other=tuple(CardLine(id, QUILL) for id in range(5, 198)))

    full = editing.duplicate(sheet, 1)

    assert len(full.lines) == 200
    for step in (lambda: editing.add(full, QUILL), lambda: editing.duplicate(editing.remove(full, 4), 1)):
        with pytest.raises(CannotEdit, match=r"^A fleet can’t have more than 200 lines\.$"):
            step()


def test_no_line_gets_the_number_of_one_that_is_gone():
    gone = editing.remove(editing.add(START, QUILL, at=1), 5)

    assert editing.add(gone, QUILL, at=1).ships[0].cards[1] == CardLine(6, QUILL)


def test_a_sheet_whose_numbers_are_used_up_is_not_changed_further():
    old = replace(START, last_id=10**6)

    for step in (lambda: editing.add(old, QUILL), lambda: editing.duplicate(old, 1)):
        with pytest.raises(CannotEdit, match="changed too many times"):
            step()
    assert [line.id for line in editing.add(editing.renumbered(old), QUILL, at=1).lines] == [1, 2, 5, 3, 4]


STEPS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 12), st.integers(-3, 12)), max_size=40)


@given(STEPS)
def test_whatever_is_done_no_line_has_the_id_of_another(steps):
    sheet = START
    cards = (ship_card("Lark", 22), VOR, DARTS, QUILL, TOKENS)
    for verb, id, number in steps:
        act = (
            lambda s, i, n: editing.add(s, cards[i % 5], at=max(0, n)),
            lambda s, i, n: editing.remove(s, i),
            editing.move,
            lambda s, i, n: editing.transfer(s, i, max(0, n)),
            lambda s, i, n: editing.duplicate(s, i),
            lambda s, i, n: editing.assign_resource(s, max(0, n)),
            lambda s, i, n: editing.retype(s, i, cards[n % 5]),
        )[verb]
        try:
            sheet = act(sheet, id, number)
        except CannotEdit:
            continue
    ids = [line.id for line in sheet.lines]

    assert len(set(ids)) == len(ids)
    assert sheet.resource_at in {FLEET, *ids}
    assert all(ship.card.kind is CardKind.SHIP for ship in sheet.ships)
    assert all(line.card.kind is not CardKind.SHIP for ship in sheet.ships for line in ship.cards)
