"""The season: all months of a campaign together (rule 5.7)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scoring.domain.ranks import ranked

TITLE = "Fleet Admiral"


@dataclass(frozen=True, slots=True)
class MonthRecord:
    """What one player took home from one month; player is the person, the same in every month."""

    player: int
    battle_points: int
    fleet_points: int


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """One player's season: Battle Points of each month in by_month (None: not in), "Fleet Admiral" for rank 1 alone."""

    player: int
    rank: int
    shared: bool
    battle_points: int
    fleet_points: int
    by_month: tuple[int | None, ...]
    title: str

    @property
    def months(self) -> int:
        """How many months the player was in."""
        return sum(points is not None for points in self.by_month)


def season(months: Sequence[Sequence[MonthRecord]]) -> tuple[SeasonLine, ...]:
    """Rule 5.7: players by the sum of their Battle Points over the months, then of their Fleet Points.

    Players who are level share the rank and stand by id. Raises ValueError if a month has a player twice.
    """
    by_player = [{record.player: record for record in month} for month in months]
    if any(len(found) != len(month) for found, month in zip(by_player, months, strict=True)):
        raise ValueError("A player stands twice in one month.")
    lines = [_line(player, [month.get(player) for month in by_player]) for player in sorted(set().union(*by_player))]
    lines.sort(key=lambda line: (-line.battle_points, -line.fleet_points))
    return tuple(
        replace(line, rank=rank, shared=shared, title=TITLE if rank == 1 and not shared else "")
        for rank, shared, line in ranked(lines, level=lambda line: (line.battle_points, line.fleet_points))
    )


def _line(player: int, records: Sequence[MonthRecord | None]) -> SeasonLine:
    """The sums of a player, whose rank is not known yet."""
    battle_points = sum(record.battle_points for record in records if record)
    fleet_points = sum(record.fleet_points for record in records if record)
    by_month = tuple(record.battle_points if record else None for record in records)
    return SeasonLine(player, 0, False, battle_points, fleet_points, by_month, "")
