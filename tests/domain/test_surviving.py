"""Rules 2.3 to 2.5: what is left of a fleet, and which numbers can be left at all."""

from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleets.domain.cards import Card, CardKind
from fleets.domain.sheet import FLEET, CardLine, Sheet, Ship
from fleets.domain.surviving import Left, left, nearest, reachable


def line(id: int, sp: int, kind: CardKind = CardKind.CREW) -> CardLine:
    return CardLine(id, Card(kind, f"Card {id}", cost=sp))


def ship(id: int, sp: int, **cards: int) -> Ship:
    """A ship with its cards, `_2=5` being card 2 for 5 SP."""
    return Ship(line(id, sp, CardKind.SHIP), tuple(line(int(name[1:]), sp) for name, sp in cards.items()))


TWO_SHIPS = (ship(1, 20, _2=5, _3=3), ship(4, 30, _5=4))
RESOURCE = line(9, 5, CardKind.RESOURCE)


@pytest.mark.parametrize(
    ("rule", "sheet", "destroyed", "expected"),
    [
        ("2.3 nothing is lost", Sheet(TWO_SHIPS), [], Left(62, frozenset())),
        ("2.3 an upgrade was discarded by force", Sheet(TWO_SHIPS), [3], Left(59, frozenset({3}))),
        ("2.3 cards go down with their ship", Sheet(TWO_SHIPS), [1], Left(34, frozenset({1, 2, 3}))),
        ("2.3 and are not counted twice", Sheet(TWO_SHIPS), [1, 2], Left(34, frozenset({1, 2, 3}))),
        ("2.3 the whole fleet", Sheet(TWO_SHIPS), [1, 4], Left(0, frozenset({1, 2, 3, 4, 5}))),
        ("2.4 the resource survives with a ship", Sheet(TWO_SHIPS, RESOURCE), [1], Left(39, frozenset({1, 2, 3}))),
        (
            "2.4 the resource falls with the fleet",
            Sheet(TWO_SHIPS, RESOURCE),
            [1, 4],
            Left(0, frozenset({1, 2, 3, 4, 5, 9})),
        ),
        ("2.4 or with its ship", Sheet(TWO_SHIPS, RESOURCE, 4), [4], Left(28, frozenset({4, 5, 9}))),
        ("2.4 or with its card", Sheet(TWO_SHIPS, RESOURCE, 2), [2], Left(57, frozenset({2, 9}))),
        (
            "2.4 assigned to a card of a ship that falls",
            Sheet(TWO_SHIPS, RESOURCE, 2),
            [1],
            Left(34, frozenset({1, 2, 3, 9})),
        ),
        ("2.4 it is never destroyed alone", Sheet(TWO_SHIPS, RESOURCE), [9], Left(67, frozenset())),
        ("what belongs to no ship", Sheet(TWO_SHIPS, other=(line(7, 5),)), [1], Left(39, frozenset({1, 2, 3}))),
        ("an id from elsewhere", Sheet(TWO_SHIPS), [77], Left(62, frozenset())),
        ("no ship at all", Sheet((), RESOURCE), [], Left(0, frozenset({9}))),
    ],
)
def test_2_3_what_is_left(rule, sheet, destroyed, expected):
    assert left(sheet, destroyed) == expected


def test_2_5_what_can_be_left_of_one_ship_with_two_cards():
    assert reachable(Sheet((ship(1, 20, _2=5, _3=3),))) == (0, 20, 23, 25, 28)
    assert reachable(Sheet((ship(1, 20, _2=5),), RESOURCE)) == (0, 25, 30)
    assert reachable(Sheet((ship(1, 20, _2=5),), RESOURCE, 2)) == (0, 20, 30)


@pytest.mark.parametrize(("sp", "expected"), [(24, (23, 25)), (25, (25, 25)), (29, (28, None)), (1, (0, 20))])
def test_the_nearest_numbers_are_named(sp, expected):
    assert nearest(Sheet((ship(1, 20, _2=5, _3=3),)), sp) == expected


@st.composite
def sheets(draw) -> Sheet:
    ids = iter(range(1, 100))
    sp = st.integers(0, 9)
    ships = tuple(
        Ship(
            line(next(ids), draw(sp), CardKind.SHIP),
            tuple(line(next(ids), draw(sp)) for _ in range(draw(st.integers(0, 3)))),
        )
        for _ in range(draw(st.integers(0, 3)))
    )
    other = tuple(line(next(ids), draw(sp)) for _ in range(draw(st.integers(0, 2))))
    if not draw(st.booleans()):
        return Sheet(ships, other=other)
    taken = [one.id for ship in ships for one in ship] + [one.id for one in other]
    return Sheet(ships, line(next(ids), draw(sp), CardKind.RESOURCE), draw(st.sampled_from([FLEET, *taken])), other)


@given(sheets())
def test_2_3_exactly_what_some_destruction_leaves_can_be_left(sheet):
    ids = [one.id for one in sheet.lines]
    ways = chain.from_iterable(combinations(ids, size) for size in range(len(ids) + 1))

    assert reachable(sheet) == tuple(sorted({left(sheet, destroyed).sp for destroyed in ways}))


@given(sheets(), st.sets(st.integers(1, 30)))
def test_2_3_what_is_lost_would_have_left_the_same_had_all_of_it_been_destroyed(sheet, destroyed):
    found = left(sheet, destroyed)

    assert left(sheet, found.lost) == found


def test_ten_ships_with_eight_cards_each_can_leave_nothing_or_everything():
    ids = iter(range(1, 200))
    ships = [
        Ship(line(next(ids), 20 + 3 * number, CardKind.SHIP), tuple(line(next(ids), 1 + card) for card in range(8)))
        for number in range(10)
    ]
    numbers = reachable(Sheet(tuple(ships)))

    assert (numbers[0], numbers[-1]) == (0, sum(20 + 3 * number for number in range(10)) + 10 * 36)
