"""Who wins a match, and why (rules 1.3, 2.7, 2.9, 2.11, 2.12)."""

from scoring.domain.bonuses import bonus_parts
from scoring.domain.pack import MonthPack
from scoring.domain.played import Ending, Played, capital

LEADS = {
    Ending.TIME: "Time was called",
    Ending.SCENARIO: "The scenario ended the battle",
    Ending.BOTH_ELIMINATED: "Both fleets were eliminated",
}


def winner(rules: MonthPack, played: Played) -> int | None:
    """Rule 2.7: the side that won; None after a double loss, or while the table must roll off."""
    if played.ending in (Ending.DOUBLE_LOSS, Ending.NEITHER_CAME):
        return None
    if played.condition:
        return played.condition[0]
    if played.out is not None:
        return 1 - played.out
    first, second = deciding_points(rules, played)
    if first == second:
        return played.rolled
    return 0 if first > second else 1


def is_level(rules: MonthPack, played: Played) -> bool:
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


def why(rules: MonthPack, played: Played, names: tuple[str, str], fleet_points: tuple[int | None, int | None]) -> str:
    """One plain sentence: who won and for which reason. fleet_points are those that go on the sheets."""
    if played.ending is Ending.DOUBLE_LOSS:
        return "By a ruling both players lose."
    if played.ending is Ending.NEITHER_CAME:
        return capital(f"Neither {names[0]} nor {names[1]} came.")
    if played.condition:
        side, index = played.condition
        return capital(f"{names[side]} wins by win condition {index + 1}: {rules.win_conditions[index]}.")
    if played.out is not None:
        return capital(_one_is_out(played.ending, names[played.out], names[1 - played.out]))
    return _by_points(rules, played, names, fleet_points)


def _one_is_out(ending: Ending, out: str, other: str) -> str:
    if ending is Ending.NO_SHOW:
        return f"{out} did not come, so {other} scores like a bye."
    if ending is Ending.CONCESSION:
        return f"{out} conceded, so {other} wins."
    if ending is Ending.RULING:
        return f"By a ruling {other} wins."
    return f"{out}'s fleet was eliminated, so {other} wins."


def _by_points(
    rules: MonthPack, played: Played, names: tuple[str, str], fleet_points: tuple[int | None, int | None]
) -> str:
    deciding, lead = deciding_points(rules, played), LEADS[played.ending]
    only = "" if deciding == fleet_points else ", counting only what decides the winner"
    first, second = deciding
    if first != second:
        ahead, behind = names if first > second else names[::-1]
        return f"{lead}; {ahead} has {max(deciding)} Fleet Points to {behind}'s {min(deciding)}{only}."
    level = f"{lead}; both have {first} Fleet Points{only}"
    if played.rolled is None:
        return f"{level}, so the table rolls off."
    return f"{level}; {names[played.rolled]} won the roll-off."
