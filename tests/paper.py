"""A night's points with pencil and paper, for tests: rules 2 and 5 once more, in a few lines and without the app."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

Tables = dict[int, tuple[str, str]]
"""Who sits at which table, the one whose name stands first in front."""


@dataclass(frozen=True)
class Result:
    """What is typed about a table: sides are 1 and 2 as they stand there; `left` are the SP left of each."""

    ending: str
    left: tuple[int, int]
    wins: int
    out: int = 0
    ds9: int = 0

    @property
    def points(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """(Battle Points, Fleet Points) of each side: 2 or 1; 100 less what the other has left, 20 for DS9 if won."""
        (first, second) = (
            (2 if self.wins == side else 1, 100 - self.left[2 - side] + 20 * (side == self.wins == self.ds9))
            for side in (1, 2)
        )
        return first, second


@dataclass
class Paper:
    """The score sheet as a player at the bar would keep it; None for a round that was not played."""

    points: dict[str, list[tuple[int, int] | None]] = field(default_factory=dict)
    roll_offs: list[tuple[str, ...]] = field(default_factory=list)
    dropped: set[str] = field(default_factory=set)
    rounds: int = 0

    def write(self, tables: Tables, results: dict[int, Result], bye: str) -> None:
        """Rule 2.10: the bye gets 2 Battle Points and the mean of all others' Fleet Points, rounded up."""
        scores = {}
        for number, result in results.items():
            scores |= dict(zip(tables[number], result.points, strict=True))
        total = sum(fleet_points for _, fleet_points in scores.values())
        scores[bye] = (2, -(-total // len(scores)))
        for name in self.points | scores:
            self.points.setdefault(name, [None] * self.rounds).append(scores.get(name))
        self.rounds += 1

    def totals(self, name: str) -> tuple[int, int]:
        played = [score for score in self.points[name] if score]
        return sum(battle for battle, _ in played), sum(fleet for _, fleet in played)

    def order(self) -> list[str]:
        """Rules 5.1 and 5.5: Battle Points, Fleet Points, who stayed, the latest roll-off between them."""
        return sorted(self.points, key=self._place)

    def _place(self, name: str) -> tuple:
        battle, fleet = self.totals(name)
        rolled = next((group.index(name) for group in reversed(self.roll_offs) if name in group), 0)
        return -battle, -fleet, name in self.dropped, rolled

    def order_of_those_here(self) -> list[str]:
        return [name for name in self.order() if name not in self.dropped]

    def victorious_faction(self) -> str:
        """Rule 5.3: most Battle Points together, then Fleet Points. With these results two are never level."""
        names = sorted(self.points, key=FACTIONS.get)
        sums = {
            faction: tuple(map(sum, zip(*(self.totals(name) for name in members), strict=True)))
            for faction, members in groupby(names, FACTIONS.get)
        }
        return max(sums, key=sums.get)


def neighbours(order: list[str]) -> Tables:
    """Rule 3.2: first against second, third against fourth, and so on."""
    return dict(enumerate(zip(order[::2], order[1::2], strict=False), start=1))


def answer_for(name: str, tables: Tables, bye: str) -> str:
    if name == bye:
        return "You have the bye this round"
    number, pair = next((number, pair) for number, pair in tables.items() if name in pair)
    return f"Table {number} against {pair[1 - pair.index(name)]}"
