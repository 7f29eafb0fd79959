"""A night's points with pencil and paper, for tests: rules 2 and 5 once more, in a few lines and without the app."""

from dataclasses import dataclass, field
from itertools import groupby

Tables = dict[int, tuple[str, str]]
"""Who sits at which table; the name that stands first there is side 1."""


@dataclass(frozen=True)
class Result:
    """What is typed about a table in Dominion War month 6 with 100 SP, and who must come out as the winner.

    `left` are the SP left of both sides; `out` is the side that is eliminated or concedes, `ds9` the one that
    controls the station; 0 for none.
    """

    ending: str
    left: tuple[int, int]
    wins: int
    out: int = 0
    ds9: int = 0

    @property
    def points(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """(Battle Points, Fleet Points) of both sides (rules 2.1, 2.2, 2.8)."""
        return self._of(1), self._of(2)

    @property
    def won_and_lost(self) -> tuple[int, int]:
        """The Fleet Points of the winner and of the loser."""
        return self.points[self.wins - 1][1], self.points[2 - self.wins][1]

    def _of(self, side: int) -> tuple[int, int]:
        won, left_to_the_other = self.wins == side, self.left[2 - side]
        return 2 if won else 1, 100 - left_to_the_other + (20 if won and self.ds9 == side else 0)


@dataclass
class Paper:
    """The score sheet: of each name the (Battle Points, Fleet Points) of each round, None for one not played."""

    factions: dict[str, str]
    points: dict[str, list[tuple[int, int] | None]] = field(default_factory=dict)
    roll_offs: list[tuple[str, ...]] = field(default_factory=list)
    dropped: set[str] = field(default_factory=set)

    def write(self, number: int, tables: Tables, results: dict[int, Result], bye: str) -> None:
        """Rule 2.10: the bye gets 2 Battle Points and the mean of all others' Fleet Points, rounded up."""
        scores = {}
        for table, result in results.items():
            scores |= dict(zip(tables[table], result.points, strict=True))
        total = sum(fleet_points for _, fleet_points in scores.values())
        scores[bye] = (2, -(-total // len(scores)))
        for name in self.points | scores:
            self.points.setdefault(name, [None] * (number - 1)).append(scores.get(name))

    def totals(self, name: str) -> tuple[int, int]:
        played = [score for score in self.points[name] if score]
        return sum(battle for battle, _ in played), sum(fleet for _, fleet in played)

    def order(self) -> list[str]:
        """Rules 5.1 and 5.5: Battle Points, Fleet Points, who stayed before who dropped, the latest roll-off."""
        return sorted(self.points, key=self._place)

    def _place(self, name: str) -> tuple:
        battle_points, fleet_points = self.totals(name)
        rolled = next((group.index(name) for group in reversed(self.roll_offs) if name in group), 0)
        return -battle_points, -fleet_points, name in self.dropped, rolled

    def neighbours(self) -> Tables:
        """Rule 3.2 for those who are here: first against second, third against fourth, and so on."""
        here = [name for name in self.order() if name not in self.dropped]
        return dict(enumerate(zip(here[::2], here[1::2], strict=False), start=1))

    def factions_in_order(self) -> list[str]:
        """Rule 5.3: most Battle Points together, then Fleet Points; two that are tied are left as they come."""
        names = sorted(self.points, key=self.factions.get)
        sums = {
            faction: tuple(map(sum, zip(*(self.totals(name) for name in members), strict=True)))
            for faction, members in groupby(names, self.factions.get)
        }
        return sorted(sums, key=sums.get, reverse=True)
