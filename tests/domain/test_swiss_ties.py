"""Rule 4.4, setting "only ties that change the pairing"."""

import pytest

from tourney.domain.swiss import Contender, Options, ties_that_change_pairing


def tied(*groups: tuple[int, int], **byes: int) -> list[Contender]:
    """Contenders 1, 2, 3 ...; each group is (Battle Points, how many), all of it level."""
    contenders: list[Contender] = []
    for points, count in groups:
        place = len(contenders) + 1
        contenders += [Contender(place + i, points, 50, place, byes=byes.get(f"_{place + i}", 0)) for i in range(count)]
    return contenders


@pytest.mark.parametrize(
    ("case", "contenders", "groups", "options", "expected"),
    [
        ("two who meet each other anyway", tied((4, 2), (2, 2)), ((1, 2), (3, 4)), Options(), ()),
        ("who of two plays the leader", tied((4, 1), (3, 2), (2, 1)), ((2, 3),), Options(), ((2, 3),)),
        ("three, one of whom plays down", tied((4, 3), (2, 1)), ((1, 2, 3),), Options(), ((1, 2, 3),)),
        ("four among themselves", tied((4, 4)), ((1, 2, 3, 4),), Options(), ((1, 2, 3, 4),)),
        ("who of two has the bye", tied((4, 1), (2, 2)), ((2, 3),), Options(), ((2, 3),)),
        ("the bye is for another", tied((4, 1), (2, 2), _1=0, _2=1, _3=1), ((2, 3),), Options(), ()),
        ("only the group that matters", tied((6, 2), (4, 1), (3, 2), (2, 1)), ((1, 2), (4, 5)), Options(), ((4, 5),)),
        ("halves: the order decides inside the half", tied((4, 2), (4, 2)), ((1, 2),), Options("halves"), ((1, 2),)),
        ("random: the draw does not ask for places", tied((4, 4)), ((1, 2, 3, 4),), Options("random"), ()),
        ("more than four is taken to matter", tied((4, 6)), ((1, 2, 3, 4, 5, 6),), Options(), ((1, 2, 3, 4, 5, 6),)),
        (
            "a small group beside a large one",
            tied((6, 2), (4, 6)),
            ((1, 2), (3, 4, 5, 6, 7, 8)),
            Options(),
            ((3, 4, 5, 6, 7, 8),),
        ),
        ("the others have left", tied((4, 2)), ((1, 7), (8, 9)), Options(), ()),
        ("so are five", tied((4, 5), (2, 1)), ((1, 2, 3, 4, 5),), Options("random"), ((1, 2, 3, 4, 5),)),
        (
            "as many orders as are tried",
            tied(*((points, 2) for points in range(7, 0, -1))),
            tuple((one, one + 1) for one in range(1, 15, 2)),
            Options(),
            (),
        ),
        (
            "too many orders at once: all",
            tied((9, 4), (8, 4), (7, 2)),
            ((1, 2, 3, 4), (5, 6, 7, 8), (9, 10)),
            Options(),
            ((1, 2, 3, 4), (5, 6, 7, 8), (9, 10)),
        ),
        ("nothing is tied", tied((4, 1), (2, 1)), (), Options(), ()),
        ("all have left", [], ((1, 2), (3, 4)), Options(), ()),
        ("all but one have left", tied((4, 1)), ((1, 2), (3, 4)), Options(), ()),
    ],
)
def test_4_4_only_ties_that_change_the_pairing(case, contenders, groups, options, expected):
    assert ties_that_change_pairing(contenders, groups, options=options) == expected
