"""The season: all months of a campaign together (rule 5.7), by the rules that its store set for it (rule 5.8)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypedDict

from scoring.domain.ranks import ranked

TITLE = "Fleet Admiral"
MOST_MONTHS = 24
"""The largest number of months that a season's rules may name."""
MOST_FOR_ATTENDANCE = 10

type PickOrder = Literal["", "rank", "months", "reversed"]
"""Who picks a grand prize first: nobody, the first in rank, who played most months, the last in rank."""
PICK_ORDERS: tuple[PickOrder, ...] = ("", "rank", "months", "reversed")


@dataclass(frozen=True, slots=True)
class SeasonRules:
    """Rule 5.8: what a store set for a campaign; without a word, every finished month counts in full (rule 5.7).

    `best_of` months count of each player (None: all), who played fewer than `at_least` ranks behind the others, each
    month played adds `for_attendance` Battle Points, and grand prizes are picked in the `pick_order`.
    """

    best_of: int | None = None
    at_least: int | None = None
    for_attendance: int = 0
    pick_order: PickOrder = ""


PLAIN = SeasonRules()


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

    The sums are over all months that count; `earlier` counts those that are not in by_month. `left_out` are the places
    in by_month of months that don't count, `attendance` is what of the Battle Points is for months played. Who played
    too few months is not `is_qualified`. `pick` is the turn at the grand prizes, None for who has none.
    """

    player: int
    rank: int
    shared: bool
    battle_points: int
    fleet_points: int
    by_month: tuple[int | None, ...]
    title: str
    earlier: int = 0
    left_out: tuple[int, ...] = ()
    attendance: int = 0
    is_qualified: bool = True
    pick: int | None = None
    pick_shared: bool = False

    @property
    def months(self) -> int:
        """How many months the player was in."""
        return self.earlier + sum(points is not None for points in self.by_month)

    @property
    def counted(self) -> tuple[int, ...]:
        """The Battle Points of the months in by_month that count, the most first."""
        points = (one for place, one in enumerate(self.by_month) if one is not None and place not in self.left_out)
        return tuple(sorted(points, reverse=True))


def season(
    months: Sequence[Sequence[MonthRecord]], earlier: Sequence[MonthRecord] = (), rules: SeasonRules = PLAIN
) -> tuple[SeasonLine, ...]:
    """Rules 5.7, 5.8: players by the sum of their Battle Points over the months, then of their Fleet Points.

    `earlier` has the sums of what each player took home before these months. Players who are tied share the rank and
    stand by id. Raises ValueError if a month, or `earlier`, has a player twice, and if only the best months count and
    some are known by their sums alone.
    """
    before, *by_player = ({record.player: record for record in month} for month in (earlier, *months))
    if any(len(found) != len(month) for found, month in zip((before, *by_player), (earlier, *months), strict=True)):
        raise ValueError("A player stands twice in one month.")
    if before and rules.best_of is not None:
        raise ValueError("The best months cannot be told from sums.")
    sums = [
        _sums(player, before.get(player), [month.get(player) for month in by_player], rules)
        for player in sorted(set(before).union(*by_player))
    ]
    sums.sort(key=_level)
    in_order = tuple(
        SeasonLine(
            rank=rank, shared=shared, title=TITLE if rank == 1 and not shared and one["is_qualified"] else "", **one
        )
        for rank, shared, one in ranked(sums, level=_level)
    )
    return _with_picks(in_order, rules.pick_order)


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


class _Sums(TypedDict):
    """A line without its rank."""

    player: int
    battle_points: int
    fleet_points: int
    by_month: tuple[int | None, ...]
    earlier: int
    left_out: tuple[int, ...]
    attendance: int
    is_qualified: bool


def _sums(player: int, earlier: MonthRecord | None, records: Sequence[MonthRecord | None], rules: SeasonRules) -> _Sums:
    left_out = _left_out(records, rules.best_of)
    taken = [record for place, record in enumerate((*records, earlier)) if record and place not in left_out]
    before = earlier.months if earlier else 0
    months = before + sum(record is not None for record in records)
    attendance = rules.for_attendance * months
    return {
        "player": player,
        "battle_points": sum(record.battle_points for record in taken) + attendance,
        "fleet_points": sum(record.fleet_points for record in taken),
        "by_month": tuple(record.battle_points if record else None for record in records),
        "earlier": before,
        "left_out": left_out,
        "attendance": attendance,
        "is_qualified": months >= (rules.at_least or 0),
    }


def _left_out(records: Sequence[MonthRecord | None], best_of: int | None) -> tuple[int, ...]:
    """The places of the months that don't count: those with the fewest points, of equal ones the last."""
    if best_of is None:
        return ()
    played = [(-record.battle_points, -record.fleet_points, place) for place, record in enumerate(records) if record]
    return tuple(sorted(place for *_, place in sorted(played)[best_of:]))


def _level(one: _Sums) -> tuple[bool, int, int]:
    """The lowest is the best, and the equal share a rank."""
    return not one["is_qualified"], -one["battle_points"], -one["fleet_points"]


def _with_picks(lines: tuple[SeasonLine, ...], order: PickOrder) -> tuple[SeasonLine, ...]:
    """The lines as they are, with the turn of each who may pick."""
    if not order:
        return lines

    def turn(line: SeasonLine) -> tuple[int, int]:
        if order == "months":
            return -line.months, line.rank
        return 0, -line.rank if order == "reversed" else line.rank

    picking = sorted((line for line in lines if line.is_qualified), key=turn)
    picks = {line.player: (pick, shared) for pick, shared, line in ranked(picking, level=turn)}
    nothing: tuple[int | None, bool] = (None, False)
    found = ((line, *picks.get(line.player, nothing)) for line in lines)
    return tuple(replace(line, pick=pick, pick_shared=shared) for line, pick, shared in found)
