"""The file of a store's archive is unpacked and measured part by part, and what it cannot be is said."""

import gzip
import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.domain import store_file
from tourney.domain.store_file import NotAStoreArchive, as_bytes, check_file, lines_of
from tourney.runtime.isolated import call

ROWS = [{"player": {"id": 1, "name": "Vör\u2028\n"}}, {"seat": {"destroyed": [1, 6], "dice": None}}]
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63) + 1, 2**63 - 1) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=3), inner, max_size=3),
    max_leaves=8,
)


def packed(*lines: bytes) -> bytes:
    return gzip.compress(b"".join(line + b"\n" for line in lines))


def refusal(data: bytes) -> str:
    with pytest.raises(NotAStoreArchive) as refused:
        check_file(data)
    return str(refused.value)


def test_what_is_written_is_read_and_anybody_can_unpack_it():
    data = b"".join(as_bytes(ROWS))

    assert check_file(data) == 2
    assert list(lines_of(data)) == ROWS
    *lines, end = gzip.decompress(data).splitlines()
    assert [json.loads(line) for line in lines] == ROWS
    assert json.loads(end)["end"]["lines"] == 2


@given(st.lists(values, max_size=4))
def test_whatever_is_written_is_read_again(rows):
    data = b"".join(as_bytes(rows))

    assert check_file(data) == len(rows)
    assert list(lines_of(data)) == rows


@given(st.data())
def test_a_byte_that_was_changed_anywhere_is_found(data):
    archive = b"".join(as_bytes(ROWS * 20))
    place = data.draw(st.integers(10, len(archive) - 1))  # what stands before is the date and the system of the packer
    other = data.draw(st.integers(1, 255))
    changed = archive[:place] + bytes([archive[place] ^ other]) + archive[place + 1 :]

    try:
        check_file(changed)
    except NotAStoreArchive:
        return
    assert list(lines_of(changed)) == ROWS * 20


@pytest.mark.parametrize("cut", [0, 1, 15, 40, -8, -1])
def test_a_file_that_was_cut_off_is_refused(cut):
    archive = b"".join(as_bytes(ROWS))

    assert refusal(archive[:cut])


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"PK\x03\x04", "This isn’t the archive of a store, or it is damaged."),
        (packed(b"{}") + b"more", "something follows its end"),
        (packed(b"{}"), "The file has no end"),
        (packed(b"[1]", b'{"end": 3}'), "The file has no end"),
        (packed(b'{"end": {"lines": 0, "sha256": "00"}}'), "it was damaged or changed"),
        (packed(b"{"), "Line 1 isn’t JSON"),
        (packed(b"\xff"), "Line 1 isn’t JSON"),
        (packed(b"1.5"), "Line 1, $: 1.5 is no whole number."),
        (packed(b'"\\u0000"'), "Line 1, $: holds a character that cannot be stored."),
        (packed(b"9" * 101), "Line 1: A name or number in the file is longer than 100 characters."),
        (packed(b"[" * 61 + b"]" * 61), "Line 1: The file is nested more than 60 levels deep."),
        (gzip.compress(b"{}\n{"), "The file ends in the middle."),
    ],
)
def test_what_is_no_archive_is_refused_with_a_sentence(data, why):
    assert why in refusal(data)


def test_a_small_file_that_unpacks_without_end_is_refused_before_it_is_in_memory(monkeypatch):
    monkeypatch.setattr(store_file, "LONGEST_LINE", 100_000)
    monkeypatch.setattr(store_file, "MOST_UNPACKED", 500_000)

    assert refusal(gzip.compress(b" " * 300_000)) == "A line of the file is longer than 0 MB."
    assert "Unpacked, the file is larger" in refusal(gzip.compress(b"1\n" * 500_000))


def test_a_file_that_is_too_large_or_has_too_many_lines_is_refused(monkeypatch):
    monkeypatch.setattr(store_file, "MOST_LINES", 2)
    monkeypatch.setattr(store_file, "MOST_BYTES", 1000)

    assert "more than 2 lines" in refusal(packed(b"1", b"2", b"3", b"4"))
    assert "larger than 0 MB" in refusal(b"1" * 1001)


def test_it_is_checked_in_a_process_of_its_own():
    assert call(check_file, b"".join(as_bytes(ROWS)), refusal=NotAStoreArchive) == 2
    with pytest.raises(NotAStoreArchive, match="The file has no end"):
        call(check_file, zlib.compress(b"{}\n", wbits=31), refusal=NotAStoreArchive)
