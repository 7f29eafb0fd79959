"""Tables in CSV as spreadsheets open them: whatever a cell begins with, none is calculated with."""

import csv
from collections.abc import Iterable
from io import StringIO

FORMULA = ("=", "+", "-", "@")


def in_csv(rows: Iterable[Iterable[object]]) -> bytes:
    """The rows in UTF-8 with the mark that spreadsheets know it by; None is an empty cell.

    Numbers are as they are: one below zero is no formula.
    """
    text = StringIO()
    csv.writer(text).writerows([_written(cell) for cell in row] for row in rows)
    return text.getvalue().encode("utf-8-sig", errors="replace")


def _written(cell: object) -> str | int:
    if isinstance(cell, int):
        return cell
    return "" if cell is None else uncalculated(str(cell).strip())


def uncalculated(cell: str) -> str:
    """The cell as no spreadsheet calculates with it."""
    return f"'{cell}" if cell.startswith(FORMULA) else cell
