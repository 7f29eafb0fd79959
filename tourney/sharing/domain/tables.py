"""A table of an event as a file for spreadsheets."""

from collections.abc import Sequence
from dataclasses import dataclass

from tourney.runtime.messages import Message
from tourney.runtime.spreadsheets import in_csv

type Cell = str | int | Message | None


@dataclass(frozen=True, slots=True)
class ExportTable:
    """The columns by their heads, and the rows; an empty cell is None."""

    heads: Sequence[Message]
    rows: Sequence[Sequence[Cell]]


def as_csv(table: ExportTable) -> bytes:
    """The table in the reader's language."""
    return in_csv([table.heads, *table.rows])
