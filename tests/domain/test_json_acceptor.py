"""What a compiled schema accepts is what the reader of schemas finds nothing wrong with."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tourney.runtime.json_acceptor import NotCompiled, acceptor

SHIP = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 3, "pattern": "^[a-z]*$", "not": {"pattern": "x"}},
        "hull": {"anyOf": [{"type": "integer", "minimum": 0, "maximum": 5}, {"type": "null"}]},
        "kind": {"enum": ["ship", "base", None]},
        "crew": {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 2, "uniqueItems": True},
        "cloak": {"type": "boolean"},
        "notes": {"type": ["object", "null"]},
        "dice": {
            "type": "object",
            "propertyNames": {"pattern": "^[0-9]$"},
            "additionalProperties": {"const": 1},
            "maxProperties": 2,
        },
    },
    "required": ["name", "kind"],
    "additionalProperties": False,
}
WHOLE = {"name": "ab", "hull": 5, "kind": "ship", "crew": [1, 2], "cloak": True, "notes": {"a": []}, "dice": {"1": 1}}
TEXTS = ("", "a", "abc", "abcd", "x", "A", "1", "ship")
OTHERS = (0, 1, 5, 6, -1, True, False, None, 1.0, [], [1], [1, 1], [True, 1], [1, 2, 3], ["a"])
OBJECTS = ({}, {"1": 1}, {"1": True}, {"1": 2}, {"12": 1}, {"1": 1, "2": 1, "3": 1})
ODD = st.sampled_from([*TEXTS, *OTHERS, *OBJECTS])
IS_RIGHT = acceptor(SHIP, {})


def finds_nothing(schema: dict, value: object) -> bool:
    return Draft202012Validator(schema).is_valid(value)


def test_what_is_right_is_accepted():
    assert IS_RIGHT(WHOLE)
    assert IS_RIGHT({"name": "a", "kind": None, "hull": None, "notes": None})


@given(
    st.dictionaries(st.sampled_from([*SHIP["properties"], "extra"]), ODD, max_size=2), st.sampled_from(sorted(WHOLE))
)
def test_nothing_is_accepted_that_the_reader_of_schemas_finds_wrong(changed: dict, without: str):
    value = WHOLE | changed
    for one in (value, {name: value[name] for name in value if name != without}, [value], changed.get("name")):
        assert finds_nothing(SHIP, one) or not IS_RIGHT(one)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "number"},
        {"minimum": 1},
        {"type": "string", "contentEncoding": "base64"},
        {"type": "string", "format": "date"},
        {"type": "string", "not": {"type": "string"}},
        {"enum": [[1]]},
        {"const": 1.5},
        {"type": "array", "uniqueItems": True, "items": {"type": "object"}},
        {"type": "array", "prefixItems": []},
        {"anyOf": [{"type": "null"}], "minimum": 1},
    ],
)
def test_a_keyword_that_no_function_is_made_of_is_refused(schema):
    with pytest.raises(NotCompiled):
        acceptor(schema, {})


def test_a_format_is_asked_of_the_texts_that_fit_so_far():
    is_even = acceptor({"type": "string", "maxLength": 4, "format": "even"}, {"even": lambda text: not len(text) % 2})

    assert [is_even(text) for text in ("", "a", "ab", "abcdef", 2)] == [True, False, True, False, False]
