"""What the mutation check breaks is code with another meaning, and it says what tests of another revision noticed."""

import ast

import pytest

from tests.mutants import Mutant, mutants_of, newly_surviving


def broken(source: str) -> list[str]:
    whole = source.encode()
    made = mutants_of("x.py", source)
    return [(whole[: one.start] + one.new.encode() + whole[one.end :]).decode() for one in made]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("é = a < b", ["é = (a <= b)"]),
        ("x = a + b", ["x = (a - b)"]),
        ("x = a and b or c", ["x = ((a and b) and (c))", "x = ((a) or (b)) or c"]),
        ("x = not a", ["x = bool(a)"]),
        ("x = True", ["x = False"]),
        ("x = 7", ["x = 8"]),
        ("x = a if b else c", ["x = (c if b else a)"]),
        ("def f():\n    return a", ["def f():\n    return None"]),
        ("def f():\n    return None", []),
        ("x = 'a' + b", []),
    ],
)
def test_each_fault_is_another_program(source: str, expected: list[str]):
    assert broken(source) == expected
    for text in expected:
        assert ast.dump(ast.parse(text)) != ast.dump(ast.parse(source))


def test_what_was_killed_before_and_survives_now_is_named():
    one, two = (Mutant("x.py", line, line * 10, line * 10 + 1, "1", "2") for line in (1, 2))
    before = [
        {"file": "x.py", "start": 10, "new": "2", "killed_by": "a test"},
        {"file": "x.py", "start": 20, "new": "2", "killed_by": ""},
    ]

    assert newly_surviving([(one, ""), (two, "")], before) == ["x.py:1: 1 → 2"]
    assert newly_surviving([(one, "a test"), (two, "")], before) == []
