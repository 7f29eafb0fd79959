"""What lies where on the sheets, and what is printed when."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.printing.domain.documents import (
    BUNDLE,
    DOCUMENTS,
    USUAL,
    bundle,
    cut_and_stack,
    letters,
    printable,
    sheets_in_words,
    usual_set,
)


@pytest.mark.parametrize(
    ("count", "per_page", "expected"),
    [
        (0, 4, ()),
        (1, 1, ((0,),)),
        (1, 6, ((0,),)),
        (3, 1, ((0,), (1,), (2,))),
        (4, 4, ((0, 1, 2, 3),)),
        (5, 2, ((0, 3), (1, 4), (2,))),
        (6, 4, ((0, 2, 4), (1, 3, 5))),
        (7, 4, ((0, 2, 4, 6), (1, 3, 5))),
        (16, 6, ((0, 3, 6, 9, 12, 15), (1, 4, 7, 10, 13), (2, 5, 8, 11, 14))),
    ],
)
def test_slips_lie_so_that_the_cut_stack_is_sorted(count, per_page, expected):
    assert cut_and_stack(count, per_page) == expected


@given(count=st.integers(0, 200), per_page=st.integers(1, 12))
def test_cut_stacks_laid_on_one_another_hold_every_slip_in_order(count, per_page):
    pages = cut_and_stack(count, per_page)
    stacks = [[page[place] for page in pages if place < len(page)] for place in range(per_page)]

    assert [slip for stack in stacks for slip in stack] == list(range(count))
    assert all(1 <= len(page) <= per_page for page in pages)
    assert len(pages) == -(-count // per_page)


@pytest.mark.parametrize(
    ("names", "spare", "size"),
    [
        ([], 0, "large"),
        (["Vor"] * 14, 0, "large"),
        (["Vor"] * 15, 0, "medium"),
        (["Vor"] * 16, 6, "medium"),
        (["Vor"] * 23, 0, "small"),
        (["V" * 24] * 14, 0, "large"),
        (["V" * 60] * 5, 0, "medium"),
        (["V" * 60] * 8, 0, "small"),
    ],
)
def test_a_list_is_set_as_large_as_it_fits_a_sheet(names, spare, size):
    assert letters(names, spare) == size


BEFORE = {"players": True, "drawn": False, "published": False, "complete": False, "allegiance": True, "gifts": False}
DRAFTED = BEFORE | {"drawn": True}
IN_ROUND_1 = DRAFTED | {"published": True}
IN_ROUND_2 = IN_ROUND_1 | {"complete": True}


@pytest.mark.parametrize(
    ("moment", "facts", "expected"),
    [
        ("before", BEFORE, ("check-in", "build-sheets", "table-numbers")),
        ("before", BEFORE | {"players": False}, ()),
        ("drafted", IN_ROUND_2, ()),
        ("playing", IN_ROUND_1, ("pairings", "slips")),
        ("playing", IN_ROUND_2, ("pairings", "slips", "standings")),
        ("between", IN_ROUND_2, ("standings", "factions")),
        ("between", IN_ROUND_2 | {"allegiance": False}, ("standings",)),
        ("over", IN_ROUND_2, ("standings", "factions", "score-sheet", "signatures")),
        ("over", IN_ROUND_2 | {"gifts": True}, ("standings", "factions", "score-sheet", "awards", "signatures")),
        ("finished", IN_ROUND_2, ("standings", "factions", "score-sheet", "signatures")),
    ],
)
def test_the_usual_set_of_each_moment(moment, facts, expected):
    assert usual_set(moment, can_print=printable(**facts)) == expected


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (BEFORE, ()),
        (DRAFTED, ()),
        (IN_ROUND_1, ("pairings", "tables", "slips", "record", "score-sheet", "by-hand")),
        (IN_ROUND_2, BUNDLE),
    ],
)
def test_the_round_bundle_holds_what_there_is(facts, expected):
    assert bundle(can_print=printable(**facts)) == expected


def test_every_set_is_made_of_documents():
    assert {*BUNDLE, *(kind for kinds in USUAL.values() for kind in kinds)} <= {*DOCUMENTS}


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ({"pairings": 1}, "1 sheet"),
        ({"pairings": 2}, "about 2 sheets"),
        ({"slips": 1}, "1 sheet"),
        ({"slips": 4}, "4 sheets"),
        ({"blank-sheet": 1}, "1 sheet"),
        ({"pairings": 1, "standings": 1, "build-sheets": 9}, "11 sheets"),
        ({"pairings": 1, "standings": 2, "slips": 4}, "about 7 sheets"),
    ],
)
def test_sheets_are_about_so_many_where_a_list_goes_on_to_a_second_one(counts, words):
    assert str(sheets_in_words(counts)) == words
