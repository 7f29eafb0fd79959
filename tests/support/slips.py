"""The points of an event worked out from the slips in its archive, the long way (rules 2.1–2.12)."""

from fractions import Fraction
from math import ceil

from scoring.domain.pack import MonthPack

type Points = dict[int, tuple[int, int | None]]
"""Battle Points and Fleet Points by entrant; None while a bye's mean is not known."""


def points_of(archive: dict, rules: MonthPack) -> list[Points]:
    """For each round the points that are known."""
    return [_round(round, rules) for round in archive["rounds"]]


def _round(round: dict, rules: MonthPack) -> Points:
    dice = {tuple(one["group"]): one["throws"] for one in round["roll_offs"] if one["kind"] == "table"}
    played, points, like_a_bye, is_open = [], {}, {}, False
    for match in round["matches"]:
        seats, slip = match["seats"], match["result"]
        if len(seats) == 1:
            like_a_bye[seats[0]] = 0
        elif slip is None:
            is_open = True
        elif slip["ending"] == "no_show":
            absent = "ab".index(slip["out"])
            points[seats[absent]] = (rules.no_show, slip[f"adjustment_{slip['out']}"])
            like_a_bye[seats[1 - absent]] = slip[f"adjustment_{'ba'[absent]}"]
        elif (winner := _winner(slip, rules, seats, dice)) is None:
            is_open = True
        else:
            fleet_points = [_fleet_points(slip, rules, side, winner) for side in "ab"]
            played += fleet_points
            for seat, side, fleet in zip(seats, "ab", fleet_points, strict=True):
                points[seat] = (rules.win if side == winner else rules.loss, fleet)
    for entrant, ruling in like_a_bye.items():
        points[entrant] = (rules.bye, None if is_open else _mean(played) + ruling)
    return points


def _winner(slip: dict, rules: MonthPack, seats: list[int], dice: dict) -> str | None:
    """The side that won, "nobody" after a double loss, None while the table has to roll off."""
    if slip["ending"] == "double_loss":
        return "nobody"
    if slip["out"]:
        return _other(slip["out"])
    first, second = (rules.base - slip[f"sp_left_{_other(side)}"] + _bonuses(slip, rules, side, None) for side in "ab")
    if first != second:
        return "a" if first > second else "b"
    for roll in dice.get(tuple(sorted(seats)), []):
        first, second = (roll["counts"][str(seat)] for seat in seats)
        if first != second:
            return "a" if first > second else "b"
    return None


def _fleet_points(slip: dict, rules: MonthPack, side: str, winner: str) -> int:
    conceded = slip["ending"] == "concession" and slip["out"] == _other(side)
    left = 0 if conceded else slip[f"sp_left_{_other(side)}"]
    return rules.base - left + _bonuses(slip, rules, side, winner) + slip[f"adjustment_{side}"]


def _bonuses(slip: dict, rules: MonthPack, side: str, winner: str | None) -> int:
    """Bonuses for each player or for the winner; without a winner only those that decide who wins."""
    total = 0
    for bonus in rules.bonuses:
        count = slip[f"tallies_{side}"].get(bonus.tally, 0)
        counts_now = bonus.decides_winner if winner is None else bonus.to == "each" or side == winner
        if count and counts_now:
            total += bonus.points * (count if bonus.per == "count" else 1)
    return total


def _mean(others: list[int]) -> int:
    return ceil(Fraction(sum(others), len(others))) if others else 0


def _other(side: str) -> str:
    return "ba"["ab".index(side)]
