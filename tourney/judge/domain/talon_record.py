"""What the page says of a Talon power record so far (rule 10). On the device static/js/talon-power.js says the same."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from tourney.judge.domain.talon_power import (
    IMPULSES,
    POWER_PHASE,
    SPENDINGS,
    UNDECIDED,
    Act,
    Curve,
    RecordedPlay,
    ShipRecord,
    TalonStep,
    breaks_apart,
    impulses_of,
    most_markers,
    options,
    warning,
    why_not,
)
from tourney.judge.domain.talon_words import moment, told, written

MOST_LOST = 9
"""What hull damage, or what criticals, can take from the Power."""


@dataclass(frozen=True, slots=True)
class StepChoice:
    """A step that is offered. Without an address it cannot happen, and `note` is the clause that says why."""

    id: str
    name: str
    address: str
    note: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Beat:
    """An impulse of a curve: what it brings, empty for nothing. `when` is past, now, or empty for later."""

    letter: str
    power: str
    moves: str
    when: str = ""
    current: str = ""


@dataclass(frozen=True, slots=True)
class Speed:
    """A speed in reach with its modified curve; no impulses where it cannot be chosen."""

    curve: str
    choice: StepChoice
    beats: tuple[Beat, ...]


@dataclass(frozen=True, slots=True)
class Arc:
    """A shield arc, how it stands, and what can be done with it."""

    name: str
    state: str
    choices: tuple[StepChoice, ...]


@dataclass(frozen=True, slots=True)
class Damage:
    """What damage takes from the Power ("−2"), and how that can become less and more."""

    name: str
    lost: str
    less: StepChoice
    more: StepChoice


@dataclass(frozen=True, slots=True)
class Happened:
    """A step, with the address of the record before it."""

    place: str
    says: str
    name: str
    label: str
    address: str


@dataclass(frozen=True, slots=True)
class RecordView:
    """The record now, what can be done, and what happened, the newest first; empty where there is nothing to say."""

    title: str
    moment: str
    says: str
    slip: str
    figures: tuple[tuple[str, str], ...]
    beats: tuple[Beat, ...]
    next: StepChoice | None
    kind: str
    undo: str
    start: str
    refused: str
    go_on: str
    warning: str
    fatal: str
    ahead: str
    fifths: tuple[tuple[str, str], ...]
    speeds: tuple[Speed, ...]
    spendings: tuple[StepChoice, ...]
    reinforcements: tuple[StepChoice, ...]
    on_ship: str
    arcs: tuple[Arc, ...]
    counts: str
    damages: tuple[Damage, ...]
    lines: tuple[Happened, ...]


type Address = Callable[..., str]
"""`address(steps)` is where this ship stands after these steps, `address(steps, fifth="D")` with the mark of 5 in D."""


class StepOffer(Protocol):
    """The choice of a step at the moment that is shown; with no address where the rules do not allow the step."""

    def __call__(self, act: Act, number: int = 0, says: str = "", note: str = "", label: str = "") -> StepChoice: ...


def shown(name: str, found: RecordedPlay, address: Address) -> RecordView:
    """The record of a ship of the class `name`."""
    now = found.now
    steps = [line.step for line in found.lines]
    in_power_phase = now.impulse == POWER_PHASE
    is_lost = in_power_phase and breaks_apart(now.ship)

    def offer(act: Act, number: int = 0, says: str = "", note: str = "", label: str = "") -> StepChoice:
        step = TalonStep(act, number)
        reason = why_not(now, step)
        where = "" if reason else address([*steps, step])
        return StepChoice(f"do-{written([step])}", says, where, reason or note, label)

    return RecordView(
        title=f"{name} · Round {now.round}",
        moment=moment(now),
        says=_says(now, is_lost),
        slip="A side slip marker is on her: she may side slip with her next move." if now.side_slip else "",
        figures=() if in_power_phase else _figures(now.curve),
        beats=() if in_power_phase else _beats(now.curve, now),
        next=None if in_power_phase else offer(Act.NEXT, says=_next_name(now)),
        kind="quiet" if now.ap else "main",
        undo=address(steps[:-1]) if steps else "",
        start=address([]) if steps else "",
        refused=f"Step {len(steps) + 1} no longer fits this ship. {found.refused}" if found.refused else "",
        go_on=address(steps) if found.refused else "",
        warning=warning(now.ship),
        fatal="fatal" if is_lost else "",
        ahead="" if in_power_phase else "At the next Power Phase:",
        fifths=tuple((letter, address(steps, fifth=letter)) for letter in "DE") if _asks_fifth(now) else (),
        speeds=tuple(_speeds(now, offer)) if in_power_phase else (),
        spendings=tuple(_spendings(offer)) if now.ap else (),
        reinforcements=tuple(offer(Act.REINFORCE, arc, says) for arc, says in enumerate(now.ship.arcs))
        if now.ap
        else (),
        on_ship=_on_ship(now),
        arcs=tuple(_arcs(now, offer)),
        counts="Counts now" if in_power_phase else "From the next Power Phase",
        damages=tuple(_damages(now, offer)),
        lines=tuple(_lines(found, address, steps)),
    )


def _says(now: ShipRecord, is_lost: bool) -> str:
    if is_lost:
        return "She breaks apart."
    if now.impulse == POWER_PHASE:
        return "Keep her speed, or one up or down."
    if now.ap:
        return f"1 AP to spend{' before she moves' if now.moves else ''}."
    if then := [letter for letter in impulses_of(now.curve.power, now.ship.fifth) if letter > now.impulse]:
        return f"No power to spend now. The next comes in {then[0]}."
    return "No more power to spend in this round."


def _figures(curve: Curve) -> tuple[tuple[str, str], ...]:
    return (("Power", str(curve.power)), ("Speed", str(curve.speed)), ("Turn", str(curve.turn)))


def _beats(curve: Curve, now: ShipRecord) -> tuple[Beat, ...]:
    powered, moving = impulses_of(curve.power, now.ship.fifth), impulses_of(curve.speed, now.ship.fifth)
    return tuple(
        Beat(
            letter,
            "AP" if letter in powered else "",
            "move" if letter in moving else "",
            "" if now.impulse == POWER_PHASE or letter > now.impulse else "now" if letter == now.impulse else "past",
            "step" if letter == now.impulse else "",
        )
        for letter in IMPULSES
    )


def _next_name(now: ShipRecord) -> str:
    then = "the Power Phase" if now.impulse == max(IMPULSES) else f"impulse {chr(ord(now.impulse) + 1)}"
    if now.ap:
        return f"Unspent: {'move, then' if now.moves else 'on to'} {then.removeprefix('impulse ')}"
    return f"Move 1 hex, then {then}" if now.moves else f"On to {then}"


def _asks_fifth(now: ShipRecord) -> bool:
    if now.ship.fifth:
        return False
    if now.impulse != POWER_PHASE:
        return UNDECIDED in (now.curve.power, now.curve.speed)
    legal = [option.curve for option in options(now.ship) if not option.why_not]
    return any(UNDECIDED in (curve.power, curve.speed) for curve in legal)


def _speeds(now: ShipRecord, offer: StepOffer) -> Iterator[Speed]:
    for option in options(now.ship):
        speed = option.curve.speed
        name = "Keep speed" if speed == now.ship.speed else "Slow down" if speed < now.ship.speed else "Speed up"
        if option.why_not:
            choice = offer(Act.SPEED, speed, f"{name}: not possible")
        else:
            choice = offer(Act.SPEED, speed, name, label=f"{name}: speed {speed}")
        yield Speed(str(option.curve), choice, () if option.why_not else _beats(option.curve, now))


def _spendings(offer: StepOffer) -> Iterator[StepChoice]:
    for act, (name, note) in SPENDINGS.items():
        if act != Act.REINFORCE:
            yield offer(act, says=name, note=note)


def _on_ship(now: ShipRecord) -> str:
    limit = f" of {most_markers(now.curve.power)}" if now.impulse else ""
    return f"{len(now.ship.markers)}{limit} reinforced"


def _arcs(now: ShipRecord, offer: StepOffer) -> Iterator[Arc]:
    letters = {marker.arc: marker.letter for marker in now.ship.markers}
    for arc, name in enumerate(now.ship.arcs):
        is_down = arc in now.ship.down
        acts = [(Act.ABSORB, "Absorbs 1"), (Act.REMOVE, "Take off")] if arc in letters else []
        acts.append((Act.UP, "Up again") if is_down else (Act.DOWN, "Goes down"))
        state = f"Absorbs 1 damage, until the next {letters[arc]}" if arc in letters else ""
        stands = ("Down" if state else "Down: cannot be reinforced") if is_down else ""
        choices = tuple(offer(act, arc, says, label=f"{name}: {says}") for act, says in acts)
        yield Arc(name, "; ".join(filter(None, (state, stands))) or "Up", choices)


def _damages(now: ShipRecord, offer: StepOffer) -> Iterator[Damage]:
    for act, name, lost in (
        (Act.HULL, "Hull damage", -now.ship.hull),
        (Act.CRITICALS, "Criticals", -now.ship.criticals),
    ):
        less = offer(act, lost - 1, "+", label=f"{name}: one point of Power more") if lost else StepChoice("", "+", "")
        more = (
            offer(act, lost + 1, "−", label=f"{name}: one point of Power less")
            if lost < MOST_LOST
            else StepChoice("", "−", "")
        )
        yield Damage(name, f"−{lost}" if lost else "0", less, more)


def _lines(found: RecordedPlay, address: Address, steps: Sequence[TalonStep]) -> Iterator[Happened]:
    for count, line in reversed(list(enumerate(found.lines))):
        says, name = told(line), "Undo" if line is found.lines[-1] else "Undo to here"
        place = f"Round {line.before.round}, {moment(line.before)}"
        yield Happened(place, says, name, f"{name}, step {count + 1}: {says}", address(steps[:count]))
