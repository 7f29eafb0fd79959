"""Results at the desk: one table with its sum before it is saved, or a whole round by keyboard."""

from tourney.views.results.by_keyboard import results
from tourney.views.results.one_table import result

__all__ = ["result", "results"]
