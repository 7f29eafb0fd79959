"""The Talon power record in text: curves as people type them, steps in an address, and what happened in sentences."""

import re
from collections.abc import Iterable

from tourney.judge.domain.talon_power import (
    MOST,
    OF_ARCS,
    POWER_PHASE,
    SPENDINGS,
    WITH_NUMBER,
    Act,
    Curve,
    ShipRecord,
    TalonLine,
    TalonStep,
)


def curves_of(text: str) -> tuple[Curve, ...]:
    """The curves in a line such as "4-2-1 3-3-2" or "421332", the slowest first.

    ValueError with a sentence for people where they are none, or beyond the impulse chart.
    """
    digits = "".join(re.findall(r"[0-9]", text))
    if not digits or len(digits) % 3:
        raise ValueError("Type three numbers for each speed, such as 4-2-1: Power, Speed, turn radius.")
    curves = [Curve(*map(int, digits[at : at + 3])) for at in range(0, len(digits), 3)]
    if beyond := next((curve for curve in curves if curve.power > MOST or not 0 < curve.speed <= MOST), None):
        raise ValueError(f"{beyond} does not fit: the impulse chart knows Power 0 to {MOST} and Speed 1 to {MOST}.")
    speeds = [curve.speed for curve in curves]
    if twice := next((speed for speed in speeds if speeds.count(speed) > 1), None):
        raise ValueError(f"Speed {twice} has two curves: leave one of them.")
    return tuple(sorted(curves, key=lambda curve: curve.speed))


def written(steps: Iterable[TalonStep]) -> str:
    """The steps for an address, such as "v4.w.n.r2.n"; arcs count from 1."""
    return ".".join(f"{step.act}{_number(step)}" for step in steps)


def steps_of(text: str) -> tuple[TalonStep, ...]:
    """What `written` wrote; ValueError with a sentence for people."""
    return tuple(_step_of(piece) for piece in text.split(".")) if text else ()


def moment(record: ShipRecord) -> str:
    """Where a record stands in its round: "Power Phase" or "Impulse C"."""
    return f"Impulse {record.impulse}" if record.impulse != POWER_PHASE else "Power Phase"


def told(line: TalonLine) -> str:
    """What happened in this step, a sentence."""
    before, now, number = line.before, line.after, line.step.number
    arcs = before.ship.arcs
    match line.step.act:
        case Act.SPEED:
            return f"{_verb(before.ship.speed, number)} speed {number}, curve {now.curve}.{_expired(line)}"
        case Act.NEXT:
            return f"{_moved(before)}{' Its power was not spent.' if before.ap else ''}{_expired(line)}"
        case Act.REINFORCE:
            return f"1 AP: {arcs[number]} reinforced, marker {before.impulse}."
        case Act.REMOVE:
            return f"The reinforcement on {arcs[number]} is taken off."
        case Act.ABSORB:
            return f"The reinforcement on {arcs[number]} absorbs 1 damage."
        case Act.DOWN:
            return f"{arcs[number]} is down."
        case Act.UP:
            return f"{arcs[number]} is up again."
        case Act.HULL:
            return f"Hull damage {_lost(number)}{_from(before)}."
        case Act.CRITICALS:
            return f"Criticals {_lost(number)}{_from(before)}."
    return f"1 AP: {SPENDINGS[line.step.act][0].lower()}."


def _verb(speed: int, chosen: int) -> str:
    if chosen == speed:
        return "Keeps"
    return "Goes up to" if chosen > speed else "Slows to"


def _moved(record: ShipRecord) -> str:
    if not record.moves:
        return "Does not move."
    return "Moves 1 hex, and may side slip." if record.side_slip else "Moves 1 hex."


def _expired(line: TalonLine) -> str:
    gone = sorted(line.before.ship.markers - line.after.ship.markers, key=lambda marker: marker.arc)
    names = " and ".join(line.before.ship.arcs[marker.arc] for marker in gone)
    return f" In {line.after.impulse} the reinforcement on {names} expires." if gone else ""


def _from(record: ShipRecord) -> str:
    return "" if record.impulse == POWER_PHASE else " from the next Power Phase on"


def _lost(number: int) -> str:
    return f"−{number}" if number else "0"


def _number(step: TalonStep) -> str:
    if step.act not in WITH_NUMBER:
        return ""
    return str(step.number + 1 if step.act in OF_ARCS else step.number)


def _step_of(piece: str) -> TalonStep:
    known = re.fullmatch(r"([a-z])([0-9]?)", piece)
    if known and known[1] in set(Act) and bool(known[2]) == (Act(known[1]) in WITH_NUMBER):
        act = Act(known[1])
        return TalonStep(act, int(known[2] or 0) - int(act in OF_ARCS))
    raise ValueError(f"“{piece[:20]}” is nothing that can happen in a round: the address was cut off or changed.")
