"""Texts for a chat: parts that one message can hold, with whole rows in code blocks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.sharing.domain.posts import FENCE, in_columns, length, parts_of, unmarked, width


def rows_in(part: str) -> list[str]:
    """What stands between the fences; both have a line of their own."""
    lines = part.split("\n")
    first, last = (number for number, line in enumerate(lines) if line == FENCE)
    return lines[first + 1 : last]


def test_a_short_table_is_one_part_with_its_head_and_its_foot():
    assert parts_of("Head", ["one", "two"], again="Again", foot="Foot") == ("Head\n```\none\ntwo\n```\nFoot",)


def test_a_long_table_goes_on_in_parts_that_say_which_they_are():
    parts = parts_of("Head", ["x" * 30] * 5, again="Again", foot="Foot", most=100)

    assert [part.split("\n")[0] for part in parts] == ["Head", "Again (2)", "Again (3)"]
    assert [part.endswith("Foot") for part in parts] == [False, False, True]


@given(st.lists(st.text("aå–船🚀 ", min_size=1, max_size=70).map(str.strip), min_size=1, max_size=200))
def test_no_part_is_too_long_and_each_row_is_there_once_and_whole(rows):
    parts = parts_of("Head", rows, again="Again", foot="https://example.org/standings/")

    assert all(length(part) <= 2_000 for part in parts)
    assert [row for part in parts for row in rows_in(part)] == rows


def test_signs_are_counted_as_the_stricter_count_has_them():
    assert length("a🚀") == 3


@pytest.mark.parametrize(("text", "columns"), [("Vor", 3), ("船長", 4), ("e\u0301", 1)])
def test_a_text_takes_as_many_columns_as_it_shows(text: str, columns: int):
    assert width(text) == columns


def test_cells_are_below_one_another_and_numbers_end_together():
    rows = [("1", "Vor", "6", "Admiral"), ("=12", "船長 Quill", "312", "")]

    assert in_columns(rows, right=(0, 2)) == ["  1  Vor           6  Admiral", "=12  船長 Quill  312"]


def test_no_table_has_no_lines():
    assert in_columns([]) == []


def test_no_name_ends_the_block_or_is_markup_or_calls_somebody():
    assert in_columns([("```Vor",)]) == ["'''Vor"]
    assert unmarked("*Vor*_`~|\\") == r"\*Vor\*\_\`\~\|\\"
    assert unmarked("@everyone") == "@\u200beveryone"
