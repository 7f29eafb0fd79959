"""A table of an event as a file for spreadsheets."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO

from fleets.domain.table import plain
from tourney.runtime.messages import Message

type Cell = str | int | Message | None


@dataclass(frozen=True, slots=True)
class ExportTable:
    """The columns by their heads, and the rows; an empty cell is None."""

    heads: Sequence[Message]
    rows: Sequence[Sequence[Cell]]


def as_csv(table: ExportTable) -> bytes:
    """In the reader's language, in UTF-8 with the mark that spreadsheets know it by; no cell is calculated with."""
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow([plain(str(head)) for head in table.heads])
    writer.writerows([_written(cell) for cell in row] for row in table.rows)
    return text.getvalue().encode("utf-8-sig", errors="replace")


def _written(cell: Cell) -> str | int:
    """Numbers as they are: one below zero is no formula."""
    if isinstance(cell, int):
        return cell
    return "" if cell is None else plain(str(cell).strip())
