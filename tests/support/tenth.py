"""Of matrices and rows of seeds a tenth runs with each change, everything with `--all` (`make test-all`).

`@pytest.mark.many` names a test whose cases hold the same property for many inputs. Its tenth is the same in each run:
cases by the hash of their names, and from the others so many that every value of the parameters named by `each` is
there: `@pytest.mark.many(each=["page"])`. Hypothesis tries a tenth of its examples.

`@pytest.mark.nightly` names a test of seconds, in a browser or with a server of its own, whose capability another test
of its file, or of the pages without a browser, holds with each change.

A case that is asked for by name (`tests/test_x.py::test_y[case]`) runs.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Protocol

import hypothesis
import pytest

PART = 10
MARKS = (
    "many(each): one property for many inputs; a tenth of its cases runs with each change, all of them with --all",
    "nightly: takes seconds, and a cheaper test holds its capability; runs with --all",
)

# How often chance is tried: a tenth with each change, 50 times with --all, far more with --hypothesis-profile=soak.
hypothesis.settings.register_profile("change", deadline=None, max_examples=50 // PART)
hypothesis.settings.register_profile("calm", deadline=None, max_examples=50)
hypothesis.settings.register_profile("soak", deadline=None, max_examples=2000)


class Case(Protocol):
    """What is asked of a test: its name, and the values of its parameters by their names."""

    nodeid: str
    callspec: object


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="all cases of matrices and seeds, not a tenth")


def pytest_configure(config: pytest.Config) -> None:
    for mark in MARKS:
        config.addinivalue_line("markers", mark)
    _runs.append(runs_all(config))
    if not config.getoption("--hypothesis-profile"):
        hypothesis.settings.load_profile("calm" if runs_all(config) else "change")


def everything_runs() -> bool:
    """The same of the run that goes on."""
    return _runs[-1]


_runs: list[bool] = []


def runs_all(config: pytest.Config) -> bool:
    """Whether all cases run: they were asked for, or some were named."""
    return config.getoption("--all") or any("::" in argument for argument in config.args)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if runs_all(config):
        return
    cases = defaultdict(list)
    for item in items:
        if item.get_closest_marker("many"):
            cases[item.nodeid.partition("[")[0]].append(item)
    left_out = {item for item in items if item.get_closest_marker("nightly")}
    for group in cases.values():
        mark = group[0].get_closest_marker("many")
        left_out |= {*group} - {*tenth_of(group, mark.kwargs.get("each", ()))}
    config.hook.pytest_deselected(items=[item for item in items if item in left_out])
    items[:] = [item for item in items if item not in left_out]


def tenth_of[Some: Case](cases: Sequence[Some], each: Iterable[str] = ()) -> list[Some]:
    """A tenth of these cases, at least one, by the hash of their names; then those with values not yet there."""
    in_order = sorted(cases, key=lambda case: sha256(case.nodeid.encode()).digest())
    count = -(-len(in_order) // PART)
    taken, rest = in_order[:count], in_order[count:]
    there = {value for case in taken for value in values_of(case, each)}
    for case in rest:
        if not there.issuperset(new := values_of(case, each)):
            there |= new
            taken.append(case)
    return taken


def values_of(case: Case, each: Iterable[str]) -> set[tuple[str, str]]:
    """(parameter, its value as it is written) for the parameters of that name."""
    return {(name, repr(case.callspec.params[name])) for name in each}
