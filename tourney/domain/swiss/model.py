"""The values that go into a pairing and come out of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

type Seats = tuple[int, ...]
"""Ids: two at a table, one with the bye."""


class NoPairing(Exception):
    """Fewer than two contenders: there is nobody to pair."""


@dataclass(frozen=True, slots=True)
class Contender:
    """An active entrant, with what the rules of pairing ask about.

    `place` is the 1-based place in the order of rule 3.2, roll-offs included; contenders with the same
    points and place are an unresolved tie. `met` holds the ids of the opponents, oldest first, an id twice
    after two meetings; both of a meeting hold it. `byes` counts byes in the sense of rule 3.6.
    `floated_down`: met somebody with fewer Battle Points (as they stood before that round) in the last
    round. `group` is a household or travel group, `side` the side that is played this round (rule 3.10). An
    empty text means "none".
    """

    id: int
    battle_points: int = 0
    fleet_points: int = 0
    place: int = 0
    met: tuple[int, ...] = ()
    byes: int = 0
    floated_down: bool = False
    faction: str = ""
    group: str = ""
    side: str = ""


@dataclass(frozen=True, slots=True)
class Options:
    """What a store or a month settles about pairing.

    `style` is rule 3.2: neighbours, halves or random. `keep_factions_apart` is the round 1 wish of rule 3.3
    f. `opposite_sides` asks for tables of two different sides (rule 3.10). `no_second_bye` is the choice
    "rematch of the oldest meeting" of rule 3.7: the bye first, then repeated opponents, the oldest first.
    """

    style: str = "neighbours"
    keep_factions_apart: bool = False
    opposite_sides: bool = False
    no_second_bye: bool = False


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a table, a bye or an exception is as it is (rule 3.8); `sentence` puts it into words."""

    kind: str
    ids: tuple[int, ...] = ()
    numbers: tuple[int, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """The reason as JSON can hold it; `from_data` gives it back."""
        return {"kind": self.kind, "ids": list(self.ids), "numbers": list(self.numbers)}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """The reason that `as_data` wrote."""
        return cls(data["kind"], tuple(data["ids"]), tuple(data["numbers"]))


@dataclass(frozen=True, slots=True)
class Seating:
    """Two contenders at one table; `a` is the higher placed."""

    a: int
    b: int
    reason: Reason


@dataclass(frozen=True)
class Pairing:
    """One round: tables from the top of the order down, the bye if any, and what it cost.

    `relaxed` lists the rematches and the second bye that could not be avoided (rule 3.7). `costs` has the
    six totals of rule 3.3 b to g, in this order; the smaller tuple is the better pairing.
    """

    tables: tuple[Seating, ...]
    bye: int | None
    bye_reason: Reason | None
    relaxed: tuple[Reason, ...]
    costs: tuple[int, ...]
    seed: int

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The ids at each table, the higher placed first, in the order of the tables."""
        return tuple([(table.a, table.b) for table in self.tables])
