"""Titles of ranks (rule 5.1) and shared ranks (rule 5.2)."""

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

from scoring.domain.pack import MonthPack


def title(rules: MonthPack, rank: int) -> str:
    """Rule 5.1: the pack's title of that rank (1 is the best), or nothing."""
    return rules.titles[rank - 1] if 1 <= rank <= len(rules.titles) else ""


def ranked[Item](items: Sequence[Item], level: Callable[[Item], Any]) -> list[tuple[int, bool, Item]]:
    """Rule 5.2: rank, whether it is shared, and item, of items already in order.

    Neighbours with the same `level` share a rank, and the next rank counts them all: 1-2-2-4.
    """
    found: list[tuple[int, bool, Item]] = []
    for _, group in groupby(items, key=level):
        equals = list(group)
        rank = len(found) + 1
        found += [(rank, len(equals) > 1, item) for item in equals]
    return found
