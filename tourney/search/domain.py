"""How a text is looked for among names, and when it is the number of a table."""

import re
from collections.abc import Callable, Iterable

from tourney.runtime.letters import plain

ENOUGH_LETTERS = 3
"""To look inside of words."""
NUMBERED = re.compile(r"(\D*?)\s*#?([0-9]{1,3})")


def table_number(text: str, *names: str) -> int | None:
    """The number that is typed alone ("7", "#7") or after what a table is called ("table 7", "t7"); None otherwise."""
    found = NUMBERED.fullmatch(plain(text))
    if found is None:
        return None
    word, number = found.groups()
    return int(number) if not word or any(plain(name).startswith(word) for name in names) else None


def how_far(wanted: str, name: str) -> int | None:
    """0: the name begins so; 1: a later word of it does; 2: it stands inside; None: not at all. Both are `plain`."""
    if name.startswith(wanted):
        return 0
    if f" {wanted}" in name:
        return 1
    return 2 if len(wanted) >= ENOUGH_LETTERS and wanted in name else None


def found[Thing](things: Iterable[Thing], text: str, names_of: Callable[[Thing], Iterable[str]]) -> list[Thing]:
    """The things one of whose names has the text, the best first, else in their order; none for an empty text.

    Capitals and accents do not matter.
    """
    wanted = plain(text)
    if not wanted:
        return []
    ranked = []
    for thing in things:
        ranks = [rank for name in names_of(thing) if (rank := how_far(wanted, plain(name))) is not None]
        if ranks:
            ranked.append((min(ranks), thing))
    return [thing for _, thing in sorted(ranked, key=lambda pair: pair[0])]
