"""The tenth of a matrix is the same in each run, never empty, and has every value that it shall have."""

import ast
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from types import SimpleNamespace

from tests.support.tenth import tenth_of


@dataclass(frozen=True)
class Case:
    nodeid: str
    callspec: SimpleNamespace = field(default=None, compare=False)


def matrix(*sizes: int) -> list[Case]:
    """A case for each combination of values of the parameters a, b, c…"""
    return [
        Case(f"test_x.py::test_y[{at}]", SimpleNamespace(params=dict(zip("abc", at, strict=False))))
        for at in product(*map(range, sizes))
    ]


def test_a_tenth_is_taken_and_the_same_again_in_whatever_order():
    taken = tenth_of(matrix(100))

    assert len(taken) == 10
    assert tenth_of(matrix(100)[::-1]) == taken


def test_one_is_always_taken():
    assert len(tenth_of(matrix(3))) == 1


def test_a_case_more_takes_the_place_of_one_at_most():
    assert len({*tenth_of(matrix(100))} - {*tenth_of(matrix(101))}) <= 1


def test_every_value_of_the_parameters_that_are_named_is_there():
    taken = tenth_of(matrix(9, 7, 5), each=["a", "b"])

    assert {one.callspec.params["a"] for one in taken} == {*range(9)}
    assert {one.callspec.params["b"] for one in taken} == {*range(7)}
    assert len(taken) < 9 * 7 * 5 // 5


TESTS = Path(__file__).parent
HELD_ELSEWHERE = {
    "browser/test_arrivals.py": "tests/pages/test_arrivals.py",
    "browser/test_backups.py": "tests/pages/test_backups.py",
    "browser/test_campaign.py": "tests/pages/test_campaigns.py, tests/pages/test_records.py",
    "browser/test_corrections.py": "tests/pages/test_corrections.py",
    "browser/test_every_language.py": "tests/test_catalogues.py, tests/browser/test_every_page.py",
    "browser/test_month_building.py": "tests/pages/test_month_building.py, tests/pages/test_pack_editor.py",
    "browser/test_pictures.py": "tests/test_pictures.py, tests/browser/test_guide_pictures.py",
    "browser/test_places.py": "tests/pages/test_places.py",
    "browser/test_plans.py": "tests/pages/test_plans.py, tests/pages/test_next_month.py",
    "browser/test_rehearsal.py": "tests/pages/test_rehearsal.py",
    "browser/test_tokens.py": "tests/pages/test_tokens.py",
    "browser/test_two_months.py": "tests/pages/test_tokens.py, tests/actions/test_finals.py",
    "browser/test_whole_night.py": "tests/browser/test_core_path.py",
    "test_caddy.py": "tests/test_front_door.py, tests/pages/test_guessing.py",
    "test_store_moves.py": "tests/actions/test_store_archive.py, tests/pages/test_store_archive.py",
}
"""Stories of whole nights and of other programs, which run with --all alone; who holds their steps with each change."""


def test_every_file_keeps_a_test_with_each_change_or_names_who_holds_it():
    marks = {
        path: ["pytest.mark.nightly" in map(ast.unparse, node.decorator_list) for node in functions_in(path)]
        for path in TESTS.rglob("test_*.py")
    }
    nightly = [path for path, of_file in marks.items() if any(of_file)]

    assert len(nightly) > 20
    assert sorted(str(path.relative_to(TESTS)) for path in nightly if all(marks[path])) == [*HELD_ELSEWHERE]


def functions_in(path: Path) -> list[ast.FunctionDef]:
    """The tests of that file."""
    found = ast.parse(path.read_text()).body
    return [node for node in found if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
