"""Bonuses as a kit's sheet prints them, a line for each, and the month pack with what those lines say (rule 2.8)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from scoring.domain.pack import Bonus, MonthPack, Tally, as_data, parse
from tourney.runtime.letters import plain

KEY_LENGTH = 36


@dataclass(frozen=True, slots=True)
class SheetBonus:
    """One line of the sheet: what for, how many Fleet Points (never 0), how often and to whom, as in `Bonus`.

    All but the winner's own count when Fleet Points decide the winner.
    """

    name: str
    points: int
    per: str = "flat"
    to: str = "each"


def with_bonuses(pack: MonthPack, lines: Sequence[SheetBonus]) -> MonthPack:
    """The pack with exactly these bonuses, all of them known. Lines of the same name count the same thing.

    Raises InvalidPack.
    """
    keys = _keys(line.name for line in lines)
    tallies = tuple(
        Tally(key, next(one.name for one in lines if _same(one.name) == name), max_each=_most(name, lines))
        for name, key in keys.items()
    )
    bonuses = tuple(
        Bonus(keys[_same(one.name)], one.name, one.points, one.per, one.to, decides_winner=one.to != "winner")
        for one in lines
    )
    return parse(as_data(replace(pack, tallies=tallies, bonuses=bonuses, bonuses_known=True)))


def lines_of(pack: MonthPack) -> tuple[SheetBonus, ...]:
    """The pack's bonuses as lines of a sheet, as far as lines can say them."""
    return tuple(SheetBonus(_written(one.name), one.points, one.per, one.to) for one in pack.bonuses)


def is_said_by_lines(pack: MonthPack) -> bool:
    """Whether lines of a sheet say all there is of its bonuses: typing them again loses nothing."""
    return not pack.bonuses_known or with_bonuses(pack, lines_of(pack)) == pack


def is_alike(pack: MonthPack, other: MonthPack) -> bool:
    """Whether both are the same in everything but their bonuses, their address and their version."""
    return (
        replace(
            pack,
            slug=other.slug,
            version=other.version,
            tallies=other.tallies,
            bonuses=other.bonuses,
            bonuses_known=other.bonuses_known,
        )
        == other
    )


def _written(name: str) -> str:
    """The name as it was typed, not as a reader's language has it (`Printed`)."""
    return "".join(name)


def _same(name: str) -> str:
    return plain(_written(name))


def _most(name: str, lines: Iterable[SheetBonus]) -> int | None:
    """1, a tick, where nothing asks how many of it there are."""
    own = [line for line in lines if _same(line.name) == name]
    return 1 if all(line.per == "flat" and line.to in ("each", "winner") for line in own) else None


def _keys(names: Iterable[str]) -> dict[str, str]:
    """A key for each different name, in the order of the names."""
    keys: dict[str, str] = {}
    for name in map(_same, names):
        if name in keys:
            continue
        start = re.sub(r"[^a-z0-9]+", "_", name).strip("_")[:KEY_LENGTH] or "count"
        start = start if start[0].isalpha() else f"count_{start}"[:KEY_LENGTH]
        taken = {*keys.values()}
        keys[name] = next(key for key in (start, *(f"{start}_{n}" for n in range(2, 99))) if key not in taken)
    return keys
