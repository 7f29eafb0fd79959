"""The store's prizes by rank: how the list is read, and who gets what with shared ranks and dropped players."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.domain.prizes import Claim, InvalidPrizes, Prize, claims, left_over, parse_prizes
from scoring.domain.standings import Standing


def table(ranks: str, dropped: str = "") -> list[Standing]:
    """Standings with these ranks, for the players 1, 2, 3 …; the numbers in `dropped` have left."""
    numbers = [int(rank) for rank in ranks.split()]
    return [
        Standing(id, rank, numbers.count(rank) > 1, 0, 0, (), str(id) in dropped.split(), "")
        for id, rank in enumerate(numbers, start=1)
    ]


SHIP, CARD = Claim("ship"), Claim("card")


@pytest.mark.parametrize(
    ("text", "prizes"),
    [
        ("", ()),
        ("\n  \n", ()),
        ("1: flagship model", (Prize("flagship model", (1, 1)),)),
        ("2-4: booster", (Prize("booster", (2, 4)),)),
        ("2 – 4 : booster", (Prize("booster", (2, 4)),)),
        ("2 to 4: booster", (Prize("booster", (2, 4)),)),
        ("everybody: promo card", (Prize("promo card"),)),
        ("Alle: Promokarte", (Prize("Promokarte"),)),
        ("todos: carta", (Prize("carta"),)),
        ("All: promo card", (Prize("promo card"),)),
        ("1: model: the grand one", (Prize("model: the grand one", (1, 1)),)),
        ("1: ship\n\n 1-2: card \r\neverybody: dice", (Prize("ship", (1, 1)), Prize("card", (1, 2)), Prize("dice"))),
    ],
)
def test_a_list_is_read_line_by_line(text, prizes):
    assert parse_prizes(text) == prizes


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        (
            "flagship model",
            ["Line 1, “flagship model”: type a rank, a colon and the prize, like “1: flagship model”."],
        ),
        ("1:", ["Line 1, “1:”: type a rank, a colon and the prize, like “1: flagship model”."]),
        ("first: ship", ["Line 1, “first: ship”: start with a rank (1), a range (2-4) or “everyone”, then a colon."]),
        ("0: ship", ["Line 1, “0: ship”: ranks start at 1, and a range goes from the lower to the higher number."]),
        ("4-2: ship", ["Line 1, “4-2: ship”: ranks start at 1, and a range goes from the lower to the higher number."]),
        (
            "1: ship\nno\n: no",
            [
                "Line 2, “no”: type a rank, a colon and the prize, like “1: flagship model”.",
                "Line 3, “: no”: start with a rank (1), a range (2-4) or “everyone”, then a colon.",
            ],
        ),
    ],
)
def test_what_is_wrong_is_said_for_every_line(text, errors):
    with pytest.raises(InvalidPrizes) as refused:
        parse_prizes(text)

    assert list(map(str, refused.value.errors)) == errors


@pytest.mark.parametrize(
    ("ranks", "text", "expected"),
    [
        ("1 2 3", "1: ship", {1: (SHIP,), 2: (), 3: ()}),
        ("1 2 3", "2-9: ship", {1: (), 2: (SHIP,), 3: (SHIP,)}),
        ("1 2 3", "everybody: card\n1: ship", {1: (CARD, SHIP), 2: (CARD,), 3: (CARD,)}),
        ("1 2 3", "4: ship", {1: (), 2: (), 3: ()}),
        # Rule 5.2: who shares a rank fills the places from it on.
        ("1 1 3", "1-2: ship", {1: (SHIP,), 2: (SHIP,), 3: ()}),
        ("1 1 3", "1: ship", {1: (Claim("ship", (1, 2), 1),), 2: (Claim("ship", (1, 2), 1),), 3: ()}),
        ("1 1 3", "2: ship", {1: (Claim("ship", (1, 2), 1),), 2: (Claim("ship", (1, 2), 1),), 3: ()}),
        (
            "1 2 2 2 5",
            "3-4: ship",
            {1: (), **{id: (Claim("ship", (2, 3, 4), 2),) for id in (2, 3, 4)}, 5: ()},
        ),
        ("1 2 2 4", "2-3: ship\n1-4: card", {1: (CARD,), 2: (SHIP, CARD), 3: (SHIP, CARD), 4: (CARD,)}),
        ("", "1: ship", {}),
    ],
)
def test_who_gets_which_prize(ranks, text, expected):
    assert claims(parse_prizes(text), table(ranks)) == expected


def test_who_dropped_keeps_the_rank_and_the_prize():
    """Rule 5.5."""
    assert claims(parse_prizes("2: ship"), table("1 2 3", dropped="2")) == {1: (), 2: (SHIP,), 3: ()}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("1: ship\n3: card", ()),
        ("4: ship", ((Prize("ship", (4, 4)), 1),)),
        ("2-5: ship\neverybody: card", ((Prize("ship", (2, 5)), 2),)),
    ],
)
def test_what_nobody_has_the_rank_for_stays_in_the_store(text, left):
    assert left_over(parse_prizes(text), table("1 2 3")) == left


@given(st.lists(st.integers(1, 4), max_size=8), st.integers(1, 9), st.integers(0, 9))
def test_as_many_pieces_are_claimed_as_there_are(sizes, first, more):
    """Groups of these sizes share their ranks: what is certain, what is rolled for and what is left is the list."""
    ranks = [sum(sizes[:place]) + 1 for place, size in enumerate(sizes) for _ in range(size)]
    prizes, standings = (Prize("ship", (first, first + more)),), table(" ".join(map(str, ranks)))

    claimed = [claim for own in claims(prizes, standings).values() for claim in own]
    certain = [claim for claim in claimed if not claim.among]
    rolled = sum(claim.pieces for claim in {claim for claim in claimed if claim.among})

    assert len(certain) + rolled + sum(pieces for _, pieces in left_over(prizes, standings)) == more + 1
