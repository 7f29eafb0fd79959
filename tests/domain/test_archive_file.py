"""The file of an archive is measured before it is read, and what it cannot be is said."""

import json

import pytest

from tourney.domain.archive_file import NotAnArchive, read


def test_an_archive_is_read_with_and_without_the_mark_of_an_editor():
    archive = {"format": "flagship", "players": ["Vör", None, 3, 1.5, True]}
    data = json.dumps(archive, ensure_ascii=False).encode()

    assert read(data) == read(b"\xef\xbb\xbf" + data) == archive


@pytest.mark.parametrize(
    ("data", "times", "message"),
    [
        (b" ", 32 * 1024**2 + 1, "The file is larger than 32 MB, which no archive is. Choose another."),
        (b"[", 61, "The file is nested more than 60 levels deep. Export it again."),
        (b"9", 101, "A name or number in the file is longer than 100 characters. Shorten it and try again."),
        (b"\xff", 1, "The file is no JSON file: "),
        (b"{", 1, "The file is no JSON file: "),
    ],
    ids=["too large", "too deep", "too long a number", "no UTF-8", "no JSON"],
)
def test_what_is_no_archive_is_refused_with_a_sentence(data, times, message):
    with pytest.raises(NotAnArchive) as refused:
        read(data * times)
    assert str(refused.value).startswith(message)
