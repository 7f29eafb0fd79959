"""Rule 2.8: what the tallies of a match are worth, and whether they can be true."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scoring.domain.pack import Bonus, MonthPack, Tally
from scoring.domain.played import Name, capital
from tourney.runtime.messages import Message, message

Counts = tuple[Mapping[str, int], Mapping[str, int]]
"""For each of the two sides, how often each tally was counted; a key that is not there counts 0."""

SIDES = ("a", "b")


@dataclass(frozen=True, slots=True)
class BonusTerm:
    """One term of the sum that makes up somebody's Fleet Points."""

    label: str | Message
    points: int


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a result cannot be right: the field to look at, and a sentence saying what to do."""

    field: str
    message: Message


def bonus_parts(bonuses: tuple[Bonus, ...], counts: Counts, side: int, winner: int | None) -> tuple[BonusTerm, ...]:
    """Rule 2.8: what these bonuses give to one side (0 or 1), in the order of the pack.

    Level counts are nobody's most and nobody's fewest.
    """
    found = []
    for bonus in bonuses:
        if _is_for(bonus, counts, side, winner):
            count = counts[side].get(bonus.tally, 0)
            found.append(_part(bonus, count))
    return tuple(found)


def tally_problems(rules: MonthPack, counts: Counts, names: tuple[Name, Name]) -> tuple[Problem, ...]:
    """Every reason why these counts cannot be: unknown, negative, more than exist, excluded by another."""
    return (
        *_unknown(rules, counts, names),
        *(problem for tally in rules.tallies for problem in _out_of_range(tally, counts, names)),
        *_excluded(rules, counts),
    )


def winner_only_problems(
    rules: MonthPack, counts: Counts, names: tuple[Name, Name], winner: int | None
) -> tuple[Problem, ...]:
    """Rule 2.8: something only the winner can score is counted for a side that did not win."""
    return tuple(
        Problem(
            f"tally_{tally.key}_{SIDES[side]}",
            message(
                "Only the winner scores “{tally}”, and you didn’t win. Clear it, or edit how the match ended.",
                tally=tally.name,
            )
            if names[side] == ""
            else message(
                "Only the winner scores “{tally}”, and {name} didn’t win. Clear it, or edit how the match ended.",
                tally=tally.name,
                name=names[side],
            ),
        )
        for tally in rules.tallies
        if _is_winner_only(tally, rules.bonuses)
        for side in (0, 1)
        if side != winner and counts[side].get(tally.key, 0) > 0
    )


def _is_for(bonus: Bonus, counts: Counts, side: int, winner: int | None) -> bool:
    own, other = counts[side].get(bonus.tally, 0), counts[1 - side].get(bonus.tally, 0)
    if bonus.to == "most":
        return own > other
    if bonus.to == "fewest":
        return own < other
    return own > 0 and (bonus.to == "each" or side == winner)


def _part(bonus: Bonus, count: int) -> BonusTerm:
    if bonus.per == "flat":
        return BonusTerm(bonus.name, bonus.points)
    return BonusTerm(
        message("{bonus}: {number} × {points}", bonus=bonus.name, number=count, points=bonus.points),
        count * bonus.points,
    )


def _unknown(rules: MonthPack, counts: Counts, names: tuple[Name, Name]) -> Iterator[Problem]:
    known = {tally.key for tally in rules.tallies}
    for side in (0, 1):
        for key in counts[side]:
            if key not in known:
                yield Problem(
                    f"tally_{key}_{SIDES[side]}",
                    message("This month doesn’t count “{key}”, but you have it. Leave it out.", key=key)
                    if names[side] == ""
                    else message(
                        "This month doesn’t count “{key}”, but {name} has it. Leave it out.", key=key, name=names[side]
                    ),
                )


def _out_of_range(tally: Tally, counts: Counts, names: tuple[Name, Name]) -> Iterator[Problem]:
    values = [counts[side].get(tally.key, 0) for side in (0, 1)]
    for side, value in enumerate(values):
        where = f"tally_{tally.key}_{SIDES[side]}"
        if value < 0:
            yield Problem(
                where,
                message("{tally}: you can’t have {number}. Enter 0 or more.", tally=capital(tally.name), number=value)
                if names[side] == ""
                else message(
                    "{tally}: {name} can’t have {number}. Enter 0 or more.",
                    tally=capital(tally.name), name=names[side], number=value,
                ),
            )  # fmt: skip
        elif tally.max_each is not None and value > tally.max_each:
            yield Problem(
                where,
                message(
                    "{tally}: you can’t have {number}. The most for one player is {most}. Count again.",
                    tally=capital(tally.name), number=value, most=tally.max_each,
                )
                if names[side] == ""
                else message(
                    "{tally}: {name} can’t have {number}. The most for one player is {most}. Count again.",
                    tally=capital(tally.name), name=names[side], number=value, most=tally.max_each,
                ),
            )  # fmt: skip
    if tally.max_total is not None and min(values) >= 0 and sum(values) > tally.max_total:
        yield Problem(f"tally_{tally.key}_a", _more_than_exist(tally, *values))


def _more_than_exist(tally: Tally, first: int, second: int) -> Message:
    if tally.max_total == 1 and first == second == 1:
        return message(
            "“{tally}” is ticked for both players, but only one can have it. Clear one of them.", tally=tally.name
        )
    return message(
        "{tally}: {first} + {second} = {total}, but only {most} are in play. Count again.",
        tally=capital(tally.name), first=first, second=second, total=first + second, most=tally.max_total or 0,
    )  # fmt: skip


def _excluded(rules: MonthPack, counts: Counts) -> Iterator[Problem]:
    names = {tally.key: tally.name for tally in rules.tallies}
    told = set()
    for tally in rules.tallies:
        for other in tally.excludes:
            pair = frozenset((tally.key, other))
            if pair in told or not (_side_with(tally.key, counts) and _side_with(other, counts)):
                continue
            told.add(pair)
            yield Problem(
                f"tally_{tally.key}_{_side_with(tally.key, counts)}",
                message(
                    "“{tally}” and “{other}” can’t both happen in one battle. Clear one of them.",
                    tally=tally.name,
                    other=names[other],
                ),
            )


def _side_with(key: str, counts: Counts) -> str:
    """The letter of the first side that has any of it; nothing when neither has."""
    return next((SIDES[side] for side in (0, 1) if counts[side].get(key, 0) > 0), "")


def _is_winner_only(tally: Tally, bonuses: tuple[Bonus, ...]) -> bool:
    uses = {bonus.to for bonus in bonuses if bonus.tally == tally.key}
    return uses == {"winner"}
