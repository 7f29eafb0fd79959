"""Titles and shared ranks (rules 5.1, 5.2)."""

import pytest

from scoring.domain.pack import MonthPack
from scoring.domain.ranks import ranked, title


@pytest.mark.parametrize(
    ("titles", "expected"),
    [
        (("Admiral", "Vice Admiral"), ["", "Admiral", "Vice Admiral", ""]),
        (("Fleet Captain",), ["", "Fleet Captain", "", ""]),
        ((), ["", "", "", ""]),
    ],
)
def test_titles_are_the_packs_own_list(titles, expected):
    """Rule 5.1."""
    rules = MonthPack(slug="a-month", storyline="A Storyline", titles=titles)

    assert [title(rules, rank) for rank in range(4)] == expected


def test_rank_one_is_admiral_unless_the_pack_says_otherwise():
    """Rule 5.1 (S1, S3)."""
    assert MonthPack(slug="a-month", storyline="A Storyline").titles == ("Admiral", "Vice Admiral")


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ([9, 7, 7, 4], [(1, False, 9), (2, True, 7), (2, True, 7), (4, False, 4)]),
        ([5, 5, 5], [(1, True, 5), (1, True, 5), (1, True, 5)]),
        ([], []),
    ],
)
def test_equals_share_a_rank_and_the_next_rank_counts_them_all(points, expected):
    """Rule 5.2."""
    assert ranked(points, level=lambda item: item) == expected
