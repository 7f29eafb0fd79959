"""Figures of an attack beside what they may be, as a table; what is over its bound fails the attack."""

import os
from collections.abc import Collection

type Row = tuple[str, str, str, str]

SCALE = float(os.environ.get("SCALE") or 1)
"""SCALE=0.1 for floods of a tenth, on a slow computer."""

HEAD: Row = ("", "measured", "bound", "")


def scaled(many: int) -> int:
    return max(1, round(many * SCALE))


class Figures:
    """The rows of one table. Every figure is taken down first; `hold()` says then which are out of bounds."""

    def __init__(self, title: str):
        self.title = title
        self.rows: list[Row] = []

    def say(self, name: str, value: object) -> None:
        """A figure without a bound."""
        self.rows.append((name, shown(value), "", ""))

    def at_most(self, name: str, value: float, most: float, unit: str = "") -> None:
        self._row(name, f"{shown(value)} {unit}".strip(), f"≤ {shown(most)} {unit}".strip(), value <= most)

    def at_least(self, name: str, value: float, least: float, unit: str = "") -> None:
        self._row(name, f"{shown(value)} {unit}".strip(), f"≥ {shown(least)} {unit}".strip(), value >= least)

    def none(self, name: str, found: Collection[object]) -> None:
        """Nothing of that kind may have been found; the first few are shown otherwise."""
        listed = "; ".join(str(one) for one in list(found)[:3])
        self._row(name, f"{len(found)}{f' ({listed})' if listed else ''}", "0", not found)

    def holds(self, name: str, is_so: bool) -> None:
        self._row(name, "yes" if is_so else "no", "yes", is_so)

    def hold(self) -> None:
        """Print the table. Raises AssertionError with the rows that are out of bounds."""
        print("\n" + as_table(self.title, self.rows))
        broken = [row for row in self.rows if row[3]]
        assert not broken, "\n" + as_table(f"{self.title}: out of bounds", broken)

    def _row(self, name: str, value: str, bound: str, is_kept: bool) -> None:
        self.rows.append((name, value, bound, "" if is_kept else "BROKEN"))


def shown(value: object) -> str:
    return f"{value:,.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def as_table(title: str, rows: Collection[Row]) -> str:
    rows = [HEAD, *rows]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([title, *(f"  {line}" for line in lines)])
