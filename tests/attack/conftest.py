"""What every attack gets: a table of figures with their bounds, which is shown again when all is over."""

from collections.abc import Callable

import pytest

from tests.attack.figures import Figures, as_table
from tourney.actions import card_steps

FIGURES = "figures"


@pytest.fixture(autouse=True)
def cards_without_pace(monkeypatch):
    """Every wrong input is to reach the action behind the form, though one card sends thousands."""
    monkeypatch.setattr(card_steps, "MOST", 10**9)


@pytest.fixture
def figures(record_property) -> Callable[[str], Figures]:
    """`figures("Bodies")`: an empty table of that title."""

    def begin(title: str) -> Figures:
        table = Figures(title)
        record_property(FIGURES, table)
        return table

    return begin


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Tables travel as text, between the processes of a parallel run too."""
    report = yield
    report.user_properties = [
        (name, (one.title, [*one.rows]) if isinstance(one, Figures) else one) for name, one in report.user_properties
    ]
    return report


def pytest_terminal_summary(terminalreporter) -> None:
    """All tables of all attacks, one below the other."""
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", "") != "call":
                continue
            for name, table in report.user_properties:
                if name == FIGURES and report.nodeid.split("::")[0].rpartition("/")[2].startswith("attack_"):
                    terminalreporter.write_line(as_table(*table))
