"""The season: all months of a campaign together (rule 5.7)."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.domain.ranks import ranked

TITLE = "Fleet Admiral"


@dataclass(frozen=True, slots=True)
class Record:
    """What one player took home from one month; player is the person, the same in every month."""

    player: int
    battle_points: int
    fleet_points: int


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """One player's season; months is how many they played, title "Fleet Admiral" for rank 1 alone."""

    player: int
    rank: int
    shared: bool
    battle_points: int
    fleet_points: int
    months: int
    title: str


def season(months: Sequence[Sequence[Record]]) -> tuple[SeasonLine, ...]:
    """Rule 5.7: players by the sum of their Battle Points over the months, then of their Fleet Points.

    Players who are level share the rank and stand by id. Raises ValueError if a month has a player twice.
    """
    for month in months:
        if len({record.player for record in month}) != len(month):
            raise ValueError("A player stands twice in one month.")
    sums: dict[int, list[int]] = {}
    for record in (record for month in months for record in month):
        total = sums.setdefault(record.player, [0, 0, 0])
        total[0] += record.battle_points
        total[1] += record.fleet_points
        total[2] += 1
    order = sorted(sums, key=lambda player: (-sums[player][0], -sums[player][1], player))
    return tuple(
        SeasonLine(player, rank, shared, *sums[player], TITLE if rank == 1 and not shared else "")
        for rank, shared, player in ranked(order, level=lambda player: sums[player][:2])
    )
