"""How many sheets a list takes; that it is so many in print is checked in tests/browser/test_paper.py."""

import pytest

from tourney.printing.domain.counts import SETTINGS, lines_of, row_height, sheets_for

SMALL = SETTINGS["small"]


@pytest.mark.parametrize(
    ("words", "width", "lines"), [("", 700, 1), ("Kestrel", 700, 1), ("W" * 30, 700, 2), ("W" * 60, 700, 4)]
)
def test_long_words_take_more_lines(words, width, lines):
    assert lines_of(words, width, SMALL) == lines


@pytest.mark.parametrize(
    ("letters", "narrowest"), [("large", 630), ("medium", 504), ("small", 389), ("condensed", 336)]
)
def test_the_same_words_need_more_room_in_larger_letters(letters, narrowest):
    """Ten letters W, the widest of all: each a little wider than the type is high."""
    words, setting = "W" * 10, SETTINGS[letters]

    assert [lines_of(words, width, setting) for width in (narrowest, narrowest - 1)] == [1, 2]


def test_a_row_is_as_high_as_its_longest_cell_and_never_too_low_for_a_pencil():
    assert row_height([("Vor", 700), ("W" * 60, 700)], SMALL) == SMALL.air + 4 * SMALL.line
    assert row_height([("Vor", 700)], SMALL, 82) == 82


@pytest.mark.parametrize(
    ("rows", "size", "more", "sheets"),
    [
        ([], "a4", {}, 1),
        ([100] * 24, "a4", {}, 1),
        ([100] * 25, "a4", {}, 2),
        ([100] * 24, "letter", {}, 2),
        ([100] * (24 + 26), "a4", {}, 2),
        ([100] * (24 + 27), "a4", {}, 3),
        ([100] * 24, "a4", {"before": 100}, 2),
        ([100] * 24, "a4", {"column_heads": 200}, 2),
    ],
)
def test_rows_go_on_on_the_next_sheet_which_has_no_head(rows, size, more, sheets):
    assert sheets_for(rows, size, **more) == sheets
