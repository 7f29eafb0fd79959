"""Who wins a match, and why (rules 1.3, 2.7, 2.9, 2.11, 2.12)."""

from scoring.domain.bonuses import bonus_parts
from scoring.domain.pack import MonthPack
from scoring.domain.played import Ending, Name, Played, capital
from tourney.runtime.messages import Message, Param, message

LEADS = {
    Ending.TIME: message("Time was called."),
    Ending.SCENARIO: message("The scenario ended the battle."),
    Ending.BOTH_ELIMINATED: message("Both fleets were eliminated."),
}
ONE_IS_OUT = {
    Ending.ELIMINATION: message("{out}’s fleet was eliminated, so {other} wins."),
    Ending.CONCESSION: message("{out} conceded, so {other} wins."),
    Ending.NO_SHOW: message("{out} was a no-show, so {other} scores like a bye."),
    Ending.RULING: message("By a ruling, {other} wins."),
}
YOU_ARE_OUT = {
    Ending.ELIMINATION: message("Your fleet was eliminated, so {other} wins."),
    Ending.CONCESSION: message("You conceded, so {other} wins."),
    Ending.NO_SHOW: message("You were a no-show, so {other} scores like a bye."),
    Ending.RULING: message("By a ruling, {other} wins."),
}
OTHER_IS_OUT = {
    Ending.ELIMINATION: message("{out}’s fleet was eliminated, so you win."),
    Ending.CONCESSION: message("{out} conceded, so you win."),
    Ending.NO_SHOW: message("{out} was a no-show, so you score like a bye."),
    Ending.RULING: message("By a ruling, you win."),
}
"""The same to one of the two."""


def winner(rules: MonthPack, played: Played) -> int | None:
    """Rule 2.7: the side that won; None after a double loss, or while the table must roll off."""
    if played.ending in (Ending.DOUBLE_LOSS, Ending.BOTH_NO_SHOWS):
        return None
    if played.condition:
        return played.condition[0]
    if played.out is not None:
        return 1 - played.out
    first, second = deciding_points(rules, played)
    if first == second:
        return played.rolled
    return 0 if first > second else 1


def is_tied(rules: MonthPack, played: Played) -> bool:
    """Rule 2.7: Fleet Points decide this match and both sides have the same, so a roll-off decides."""
    if played.ending not in LEADS or played.condition:
        return False
    first, second = deciding_points(rules, played)
    return first == second


def deciding_points(rules: MonthPack, played: Played) -> tuple[int, int]:
    """Rule 2.7: both sides' Fleet Points with only the bonuses that decide the winner, without rulings."""
    bonuses, counts = tuple(bonus for bonus in rules.bonuses if bonus.decides_winner), played.counts
    first, second = (sum(part.points for part in bonus_parts(bonuses, counts, side, None)) for side in (0, 1))
    return rules.base - played.sides[1].sp_left + first, rules.base - played.sides[0].sp_left + second


def why(
    rules: MonthPack, played: Played, names: tuple[Name, Name], fleet_points: tuple[int | None, int | None]
) -> Message:
    """One plain sentence or two: who won and for which reason. fleet_points are those that go on the sheets.

    To one of the two, whose name is empty, it speaks of "you".
    """
    if played.ending is Ending.DOUBLE_LOSS:
        return message("By a ruling, both players lose.")
    if played.ending is Ending.BOTH_NO_SHOWS and "" in names:
        return message("You and {name} were both no-shows.", name=names[1] if names[0] == "" else names[0])
    if played.ending is Ending.BOTH_NO_SHOWS:
        return message("{first} and {second} were both no-shows.", first=capital(names[0]), second=names[1])
    if played.condition:
        side, index = played.condition
        if names[side] == "":
            return message(
                "You win by win condition {number}: {condition}.",
                number=index + 1,
                condition=rules.win_conditions[index],
            )
        return message(
            "{name} wins by win condition {number}: {condition}.",
            name=capital(names[side]),
            number=index + 1,
            condition=rules.win_conditions[index],
        )
    if played.out is not None:
        out, other = names[played.out], names[1 - played.out]
        said = YOU_ARE_OUT if out == "" else OTHER_IS_OUT if other == "" else ONE_IS_OUT
        return message(said[played.ending].id, out=capital(out), other=other)
    return message(
        "{ending} {outcome}", ending=LEADS[played.ending], outcome=_by_points(rules, played, names, fleet_points)
    )


def _by_points(
    rules: MonthPack, played: Played, names: tuple[Name, Name], fleet_points: tuple[int | None, int | None]
) -> Message:
    deciding = first, second = deciding_points(rules, played)
    is_all = deciding == fleet_points
    if first != second:
        ahead, behind = names if first > second else names[::-1]
        facts: dict[str, Param] = {
            "ahead": capital(ahead),
            "more": max(deciding),
            "behind": behind,
            "fewer": min(deciding),
        }
        if is_all and ahead == "":
            return message("You win on Fleet Points, {more} to {behind}’s {fewer}.", **facts)
        if is_all and behind == "":
            return message("{ahead} wins on Fleet Points, {more} to your {fewer}.", **facts)
        if is_all:
            return message("{ahead} wins on Fleet Points, {more} to {behind}’s {fewer}.", **facts)
        if ahead == "":
            return message(
                "You win on Fleet Points, {more} to {behind}’s {fewer}, counting only what decides the winner.",
                **facts,
            )
        if behind == "":
            return message(
                "{ahead} wins on Fleet Points, {more} to your {fewer}, counting only what decides the winner.", **facts
            )
        return message(
            "{ahead} wins on Fleet Points, {more} to {behind}’s {fewer}, counting only what decides the winner.",
            **facts,
        )
    if played.rolled is None and is_all:
        return message("Tied on {points} Fleet Points, so the table rolls off.", points=first)
    if played.rolled is None:
        return message(
            "Tied on {points} Fleet Points, counting only what decides the winner, so the table rolls off.",
            points=first,
        )
    name = names[played.rolled]
    if is_all and name == "":
        return message("Tied on {points} Fleet Points; you won the roll-off.", points=first)
    if name == "":
        return message(
            "Tied on {points} Fleet Points, counting only what decides the winner; you won the roll-off.", points=first
        )
    if is_all:
        return message("Tied on {points} Fleet Points; {name} won the roll-off.", points=first, name=name)
    return message(
        "Tied on {points} Fleet Points, counting only what decides the winner; {name} won the roll-off.",
        points=first,
        name=name,
    )
