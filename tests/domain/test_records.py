"""Players against one another over all months."""

import pytest

from scoring.domain.records import Game, HeadToHead, best_rank, head_to_head
from scoring.domain.standings import Standing


def beat(winner: int, loser: int) -> Game:
    return Game((winner, loser), winner)


@pytest.mark.parametrize(
    ("games", "expected"),
    [
        ([], ()),
        ([beat(2, 3)], ()),
        ([beat(1, 2)], (HeadToHead(2, won=1, lost=0, last=0),)),
        ([beat(2, 1)], (HeadToHead(2, won=0, lost=1, last=0),)),
        ([Game((1, 2), None)], (HeadToHead(2, won=0, lost=1, last=0),)),
        ([beat(1, 2), beat(2, 3), beat(2, 1)], (HeadToHead(2, won=1, lost=1, last=2),)),
        ([beat(1, 2), beat(3, 1)], (HeadToHead(3, won=0, lost=1, last=1), HeadToHead(2, won=1, lost=0, last=0))),
        (
            [beat(1, 2), beat(2, 1), beat(1, 3)],
            (HeadToHead(2, won=1, lost=1, last=1), HeadToHead(3, won=1, lost=0, last=2)),
        ),
    ],
    ids=[
        "nothing",
        "others",
        "won",
        "lost",
        "double loss",
        "others between",
        "last met first",
        "most games first",
    ],
)
def test_a_player_against_everybody_met(games, expected):
    assert head_to_head(1, games) == expected


def test_what_one_won_the_other_lost():
    games = [beat(1, 2), beat(1, 2), beat(2, 1)]

    assert head_to_head(1, games) == (HeadToHead(2, won=2, lost=1, last=2),)
    assert head_to_head(2, games) == (HeadToHead(1, won=1, lost=2, last=2),)
    assert [line.games for line in head_to_head(2, games)] == [3]


def final(rank: int, shared: bool = False, points: int = 6) -> Standing:
    return Standing(1, rank, shared, points, 0, (), False, "")


@pytest.mark.parametrize(
    ("finals", "best"),
    [
        ([], None),
        ([final(3), final(2), final(4)], final(2)),
        ([final(2, shared=True), final(2)], final(2)),
        ([final(1, points=6), final(1, points=5)], final(1, points=6)),
    ],
)
def test_the_best_rank_is_the_highest_and_rather_held_alone(finals, best):
    assert best_rank(finals) == best
