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
    side = winner(rules, played)
    if played.condition:
        condition = rules.win_conditions[played.condition[1]]
        return capital(f"{names[side]} wins by win condition {played.condition[1] + 1}: {condition}.")
    if played.out is not None:
        return capital(_one_is_out(played, names))
    return _by_points(rules, played, names, fleet_points)


def _one_is_out(played: Played, names: tuple[str, str]) -> str:
    out, other = names[played.out], names[1 - played.out]
    if played.ending is Ending.NO_SHOW:
        return f"{out} did not come, so {other} scores like a bye."
    if played.ending is Ending.CONCESSION:
        return f"{out} conceded, so {other} wins."
    if played.ending is Ending.RULING:
        return f"By a ruling {other} wins."
    return f"{out}'s fleet was eliminated, so {other} wins."


def _by_points(
    rules: MonthPack, played: Played, names: tuple[str, str], fleet_points: tuple[int | None, int | None]
) -> str:
    deciding = deciding_points(rules, played)
    only = "" if deciding == fleet_points else ", counting only what decides the winner"
    lead, side = LEADS[played.ending], winner(rules, played)
    if not is_level(rules, played):
        ahead, behind = deciding[side], deciding[1 - side]
        return f"{lead}; {names[side]} has {ahead} Fleet Points to {names[1 - side]}'s {behind}{only}."
    level = f"{lead}; both have {deciding[0]} Fleet Points{only}"
    return f"{level}, so the table rolls off." if side is None else f"{level}; {names[side]} won the roll-off."
