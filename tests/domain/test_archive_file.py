"""The file of an archive is measured before it is read, and what it cannot be is said."""

import json

import pytest

from tourney.domain.archive_file import NotAnArchive, not_storable, read


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
        (b"\xff", 1, "This isn’t a JSON file: "),
        (b"{", 1, "This isn’t a JSON file: "),
    ],
    ids=["too large", "too deep", "too long a number", "no UTF-8", "no JSON"],
)
def test_what_is_no_archive_is_refused_with_a_sentence(data, times, message):
    with pytest.raises(NotAnArchive) as refused:
        read(data * times)
    assert str(refused.value).startswith(message)


def nested(depth: int) -> list:
    return [nested(depth - 1)] if depth else []


@pytest.mark.parametrize(
    ("data", "sentences"),
    [
        ({"players": ["Vör", None, 3, True, 2**63 - 1]}, []),
        ("a\0b", ["$: holds a character that cannot be stored"]),
        ({"a": ["x", "\ud800"]}, ["$.a[1]: holds a character that cannot be stored"]),
        (
            {"a": {"\0": 1.5}},
            ["$.a: a name in it holds a character that cannot be stored", "$.a.\\x00: 1.5 is no whole number"],
        ),
        ([[], {}, [float("nan")]], ["$[2][0]: nan is no whole number"]),
        ([-(2**63), 2**63 - 1, {"n": 2**63}], ["$[0]: the number is too large", "$[2].n: the number is too large"]),
        (nested(29), []),
        ({"a": nested(30), "b": 1.0}, [f"$.a{'[0]' * 29}: is nested too deeply", "$.b: 1.0 is no whole number"]),
    ],
    ids=["all of it can be", "a text", "a surrogate", "a name", "fractions", "numbers", "deep", "too deep"],
)
def test_what_no_database_holds_is_named_by_its_path_in_the_order_of_the_file(data, sentences):
    assert list(not_storable(data)) == sentences
