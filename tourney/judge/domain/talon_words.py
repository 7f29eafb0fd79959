"""The Talon power record in text: curves as people type them, steps in an address, and what happened in sentences."""

import re
from collections.abc import Iterable, Sequence

from tourney.judge.domain.talon_power import (
    MOST,
    OF_ARCS,
    POWER_PHASE,
    WITH_NUMBER,
    Act,
    Curve,
    ShipRecord,
    TalonLine,
    TalonStep,
    signed,
)
from tourney.runtime.messages import Message, in_a_row, message, nmessage

SPENT = {
    Act.SIDE_SLIP: message("1 AP: side slip."),
    Act.TURN: message("1 AP: power through a turn."),
    Act.CHARGE: message("1 AP: weapon charged."),
    Act.BATTERY: message("1 AP: battery charged."),
    Act.CHANGE_INITIATIVE: message("1 AP: initiative changed."),
    Act.DEFEND_INITIATIVE: message("1 AP: initiative defended."),
    Act.FIGHTERS: message("1 AP: power to fighters."),
    Act.MISSILES: message("1 AP: new missile target."),
}
"""What a point was spent on, where that is no arc."""


def curves_of(text: str) -> tuple[Curve, ...]:
    """The curves in a line such as "4-2-1 3-3-2" or "421332", the slowest first.

    ValueError with a message for people where they are none, or beyond the impulse chart.
    """
    digits = "".join(re.findall(r"[0-9]", text))
    if not digits or len(digits) % 3:
        raise ValueError(message("Type three numbers for each speed, such as 4-2-1: Power, Speed, turn radius."))
    curves = [Curve(*map(int, digits[at : at + 3])) for at in range(0, len(digits), 3)]
    if beyond := next((curve for curve in curves if curve.power > MOST or not 0 < curve.speed <= MOST), None):
        raise ValueError(
            message(
                "{curve} doesn’t fit. The impulse chart has Power 0 to {most} and Speed 1 to {most}.",
                curve=str(beyond),
                most=MOST,
            )
        )
    speeds = [curve.speed for curve in curves]
    if twice := next((speed for speed in speeds if speeds.count(speed) > 1), None):
        raise ValueError(message("Speed {speed} has two curves. Remove one of them.", speed=twice))
    return tuple(sorted(curves, key=lambda curve: curve.speed))


def written(steps: Iterable[TalonStep]) -> str:
    """The steps for an address, such as "v4.w.n.r2.n"; arcs count from 1."""
    return ".".join(f"{step.act}{_number(step)}" for step in steps)


def steps_of(text: str) -> tuple[TalonStep, ...]:
    """What `written` wrote; ValueError with a message for people."""
    return tuple(_step_of(piece) for piece in text.split(".")) if text else ()


def moment(record: ShipRecord) -> Message:
    """Where a record stands in its round: "Power Phase" or "Impulse C"."""
    if record.impulse == POWER_PHASE:
        return message("Power Phase")
    return message("Impulse {impulse}", impulse=record.impulse)


def lost(number: int) -> str:
    """What damage takes from the Power: "−2", "0"."""
    return signed(-number)


def told(line: TalonLine) -> Message:
    """What happened in this step."""
    before, number = line.before, line.step.number
    if line.step.act == Act.SPEED:
        return _and_expired(line, [_chosen(line)])
    if line.step.act == Act.NEXT:
        return _and_expired(line, [_moved(before), *([message("1 AP was not spent.")] if before.ap else ())])
    if line.step.act in OF_ARCS:
        return _done_to(before.ship.arcs[number], line.step.act, before.impulse)
    if line.step.act in (Act.HULL, Act.CRITICALS):
        return _damaged(line.step, counts_now=before.impulse == POWER_PHASE)
    return SPENT[line.step.act]


def _chosen(line: TalonLine) -> Message:
    speed, chosen, curve = line.before.ship.speed, line.step.number, str(line.after.curve)
    if chosen == speed:
        return message("Keeps speed {speed}, curve {curve}.", speed=chosen, curve=curve)
    if chosen > speed:
        return message("Speeds up to {speed}, curve {curve}.", speed=chosen, curve=curve)
    return message("Slows down to {speed}, curve {curve}.", speed=chosen, curve=curve)


def _moved(record: ShipRecord) -> Message:
    if not record.moves:
        return message("Doesn’t move.")
    return message("Moves 1 hex and can side slip.") if record.side_slip else message("Moves 1 hex.")


def _and_expired(line: TalonLine, sentences: Sequence[Message]) -> Message:
    """These sentences, and which reinforcements are gone with the impulse that begins."""
    gone = sorted(line.before.ship.markers - line.after.ship.markers, key=lambda marker: marker.arc)
    if not gone:
        return in_a_row(sentences)
    expired = nmessage(
        "In {impulse} the reinforcement on {arcs} expires.",
        "In {impulse} the reinforcements on {arcs} expire.",
        len(gone),
        impulse=line.after.impulse,
        arcs=[line.before.ship.arcs[marker.arc] for marker in gone],
    )
    return in_a_row([*sentences, expired])


def _done_to(arc: str | Message, act: Act, impulse: str) -> Message:
    """What happened to a shield arc."""
    match act:
        case Act.REINFORCE:
            return message("1 AP: {arc} reinforced, marker {impulse}.", arc=arc, impulse=impulse)
        case Act.REMOVE:
            return message("The reinforcement on {arc} is removed.", arc=arc)
        case Act.ABSORB:
            return message("The reinforcement on {arc} absorbs 1 damage.", arc=arc)
        case Act.DOWN:
            return message("{arc} is down.", arc=arc)
    return message("{arc} is up again.", arc=arc)


def _damaged(step: TalonStep, *, counts_now: bool) -> Message:
    power = lost(step.number)
    if step.act == Act.HULL:
        if counts_now:
            return message("Hull damage {power}.", power=power)
        return message("Hull damage {power} from the next Power Phase.", power=power)
    if counts_now:
        return message("Criticals {power}.", power=power)
    return message("Criticals {power} from the next Power Phase.", power=power)


def _number(step: TalonStep) -> str:
    if step.act not in WITH_NUMBER:
        return ""
    return str(step.number + 1 if step.act in OF_ARCS else step.number)


def _step_of(piece: str) -> TalonStep:
    known = re.fullmatch(r"([a-z])([0-9]?)", piece)
    if known and known[1] in set(Act) and bool(known[2]) == (Act(known[1]) in WITH_NUMBER):
        act = Act(known[1])
        return TalonStep(act, int(known[2] or 0) - int(act in OF_ARCS))
    raise ValueError(message("“{step}” is not a step of a round. The link was cut off or changed.", step=piece[:20]))
