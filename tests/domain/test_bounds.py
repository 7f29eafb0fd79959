"""Texts from outside are measured before a parser runs; what is quoted counts for nothing."""

import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.runtime.bounds import Bounds, OutOfBounds, check_json, check_table, check_toml, shown

BOUNDS = Bounds(depth=3, parts=5, word=10, line=20)
TOO_DEEP = "The file is nested more than 3 levels deep. Export it again."
TOO_MANY = "The file has more than 5 entries. Split it or export it again."
TOO_LONG = "A name or number in the file is longer than 10 characters. Shorten it and try again."


def said(check, text: str) -> str:
    """What is wrong with the text; nothing where it is within BOUNDS."""
    try:
        check(text, BOUNDS)
    except OutOfBounds as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[[[1]]]", ""),
        ("[[[[1]]]]", TOO_DEEP),
        ('{"a":{"a":{"a":{', TOO_DEEP),
        ('["[[[[[[", "\\"[[[[", "\\\\"]', ""),
        ("[1, 2, 3, 4, 5, 6]", ""),
        ("[1, 2, 3, 4, 5, 6, 7]", TOO_MANY),
        ('["1, 2, 3, 4, 5, 6, 7, 8"]', ""),
        ("12345678901", TOO_LONG),
        ('"12345678901"', ""),
        ('["open [[[[[ 1, 2, 3, 4, 5, 6, 7', ""),
    ],
)
def test_json(text, sentence):
    assert said(check_json, text) == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a.b.c.d = 1", ""),
        ("a.b.c.d.e = 1", TOO_DEEP),
        ("a . b . c . d . e = 1", TOO_DEEP),
        ("'a'.\"b\".c.d.e = 1", TOO_DEEP),
        ("[a.b.c.d.e]", TOO_DEEP),
        ("x = {a.b.c.d.e = 1}", TOO_DEEP),
        ("a = [[[[1]]]]", TOO_DEEP),
        ("a = 'b.c.d.e.f [[[[' # g.h.i.j.k [[[[", ""),
        ('a = """\n""b.c.d.e.f [[[["""""', ""),
        ("a = '''\n'b.c.d.e.f [[[['''", ""),
        ('a = "\\"b.c.d.e.f"', ""),
        ("a = '\\' # b.c.d.e.f", ""),
        ("\n" * 6, TOO_MANY),
        ('a = """' + "\n" * 6, TOO_MANY),
        ("a = 0xfffffffff", TOO_LONG),
        ("a = 1234567.1234567", ""),
    ],
)
def test_toml(text, sentence):
    assert said(check_toml, text) == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a\n" * 4, ""),
        ("a\n" * 5, TOO_MANY),
        ("a" * 21, "A line of the file is longer than 20 characters. Shorten it and try again."),
    ],
)
def test_tables(text, sentence):
    assert said(check_table, text) == sentence


@given(st.recursive(st.text(), lambda inner: st.dictionaries(st.text(), inner), max_leaves=20))
def test_json_is_as_deep_as_its_values_are(value):
    text = json.dumps(value, ensure_ascii=False)
    deep = depth_of(value)

    check_json(text, Bounds(depth=deep, parts=1000))
    if deep:
        with pytest.raises(OutOfBounds):
            check_json(text, Bounds(depth=deep - 1, parts=1000))


@given(
    st.lists(st.sampled_from(["a", ".", "=", "\n", '"', "'", '"""', "'''", "\\", "#", "[", "]", "{", "}", ",", " "]))
)
def test_what_is_found_too_deep_in_toml_is_the_only_thing_that_can_be_deep(pieces):
    text = "".join(pieces)
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return
    try:
        check_toml(text, Bounds(depth=4, parts=1000))
    except OutOfBounds:
        return
    assert depth_of(data) <= 10  # a header, a dotted key in it, and brackets in its value


def test_a_quotation_can_be_shown_whatever_it_holds():
    assert shown("Kestrel\ud800\n" + "x" * 100) == "Kestrel\\ud800\\n" + "x" * 51


def depth_of(value: object) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(depth_of, inner), default=0)
