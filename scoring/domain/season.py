"""The season: all months of a campaign together (rule 5.7)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from scoring.domain.ranks import ranked

TITLE = "Fleet Admiral"


@dataclass(frozen=True, slots=True)
class MonthRecord:
    """What one player took home from one month, or together from so many; player is the same in every month."""

    player: int
    battle_points: int
    fleet_points: int
    months: int = 1


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """One player's season: Battle Points of each month in by_month (None: not in), "Fleet Admiral" for rank 1 alone.

    The sums are over all months; `earlier` counts those that are not in by_month.
    """

    player: int
    rank: int
    shared: bool
    battle_points: int
    fleet_points: int
    by_month: tuple[int | None, ...]
    title: str
    earlier: int = 0

    @property
    def months(self) -> int:
        """How many months the player was in."""
        return self.earlier + sum(points is not None for points in self.by_month)


def season(months: Sequence[Sequence[MonthRecord]], earlier: Sequence[MonthRecord] = ()) -> tuple[SeasonLine, ...]:
    """Rule 5.7: players by the sum of their Battle Points over the months, then of their Fleet Points.

    `earlier` has the sums of what each player took home before these months. Players who are level share the rank and
    stand by id. Raises ValueError if a month, or `earlier`, has a player twice.
    """
    before, *by_player = ({record.player: record for record in month} for month in (earlier, *months))
    if any(len(found) != len(month) for found, month in zip((before, *by_player), (earlier, *months), strict=True)):
        raise ValueError("A player stands twice in one month.")
    lines = [
        _line(player, before.get(player), [month.get(player) for month in by_player])
        for player in sorted(set(before).union(*by_player))
    ]
    lines.sort(key=lambda line: (-line.battle_points, -line.fleet_points))
    return tuple(
        replace(line, rank=rank, shared=shared, title=TITLE if rank == 1 and not shared else "")
        for rank, shared, line in ranked(lines, level=lambda line: (line.battle_points, line.fleet_points))
    )


def sums_of(records: Iterable[MonthRecord]) -> tuple[MonthRecord, ...]:
    """What each player took home in all of these together, by player."""
    sums: dict[int, MonthRecord] = {}
    for one in records:
        so_far = sums.get(one.player, MonthRecord(one.player, 0, 0, 0))
        sums[one.player] = MonthRecord(
            one.player,
            so_far.battle_points + one.battle_points,
            so_far.fleet_points + one.fleet_points,
            so_far.months + one.months,
        )
    return tuple(sums[player] for player in sorted(sums))


def _line(player: int, earlier: MonthRecord | None, records: Sequence[MonthRecord | None]) -> SeasonLine:
    """The sums of a player, whose rank is not known yet."""
    taken = [record for record in (earlier, *records) if record]
    return SeasonLine(
        player=player,
        rank=0,
        shared=False,
        battle_points=sum(record.battle_points for record in taken),
        fleet_points=sum(record.fleet_points for record in taken),
        by_month=tuple(record.battle_points if record else None for record in records),
        title="",
        earlier=earlier.months if earlier else 0,
    )
