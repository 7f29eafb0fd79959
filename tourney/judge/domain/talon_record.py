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
from tourney.judge.domain.talon_words import lost, moment, told, written
from tourney.runtime.messages import Message, in_a_row, message, nmessage, pmessage

MOST_LOST = 9
"""What hull damage, or what criticals, can take from the Power."""

type TalonText = Message | str
"""A sentence, or empty; a sign, a letter or a name that somebody typed."""


@dataclass(frozen=True, slots=True)
class StepChoice:
    """A step that is offered. Without an address it cannot happen, and `note` says why."""

    id: str
    name: TalonText
    address: str
    note: TalonText = ""
    label: TalonText = ""


@dataclass(frozen=True, slots=True)
class Beat:
    """An impulse of a curve: what it brings, empty for nothing. `when` is past, now, or empty for later."""

    letter: str
    power: TalonText
    moves: TalonText
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

    name: TalonText
    state: Message
    choices: tuple[StepChoice, ...]


@dataclass(frozen=True, slots=True)
class Damage:
    """What damage takes from the Power ("−2"), and how that can become less and more."""

    name: Message
    lost: str
    less: StepChoice
    more: StepChoice


@dataclass(frozen=True, slots=True)
class Happened:
    """A step, with the address of the record before it."""

    place: Message
    says: Message
    name: Message
    label: Message
    address: str


@dataclass(frozen=True, slots=True)
class RecordView:
    """The record now, what can be done, and what happened, the newest first; empty where there is nothing to say."""

    title: Message
    moment: Message
    says: Message
    slip: TalonText
    figures: tuple[tuple[Message, str], ...]
    beats: tuple[Beat, ...]
    next: StepChoice | None
    kind: str
    undo: str
    start: str
    refused: TalonText
    go_on: str
    warning: TalonText
    fatal: str
    ahead: TalonText
    fifths: tuple[tuple[str, str], ...]
    speeds: tuple[Speed, ...]
    spendings: tuple[StepChoice, ...]
    reinforcements: tuple[StepChoice, ...]
    on_ship: Message
    arcs: tuple[Arc, ...]
    counts: Message
    damages: tuple[Damage, ...]
    lines: tuple[Happened, ...]


type Address = Callable[..., str]
"""`address(steps)` is where this ship stands after these steps, `address(steps, fifth="D")` with the mark of 5 in D."""


class StepOffer(Protocol):
    """The choice of a step at the moment that is shown; with no address where the rules do not allow the step."""

    def __call__(
        self, act: Act, number: int = 0, says: TalonText = "", note: TalonText = "", label: TalonText = ""
    ) -> StepChoice: ...


def shown(name: str, found: RecordedPlay, address: Address) -> RecordView:
    """The record of a ship of the class `name`."""
    now = found.now
    steps = [line.step for line in found.lines]
    in_power_phase = now.impulse == POWER_PHASE
    is_lost = in_power_phase and breaks_apart(now.ship)

    def offer(
        act: Act, number: int = 0, says: TalonText = "", note: TalonText = "", label: TalonText = ""
    ) -> StepChoice:
        step = TalonStep(act, number)
        reason = why_not(now, step)
        where = "" if reason else address([*steps, step])
        return StepChoice(f"do-{written([step])}", says, where, reason or note, label)

    return RecordView(
        title=message("{name} · Round {round}", name=name, round=now.round),
        moment=moment(now),
        says=_says(now, is_lost),
        slip=message("She has a side slip marker: she can side slip with her next move.") if now.side_slip else "",
        figures=() if in_power_phase else _figures(now.curve),
        beats=() if in_power_phase else _beats(now.curve, now),
        next=None if in_power_phase else offer(Act.NEXT, says=_next_name(now)),
        kind="quiet" if now.ap else "main",
        undo=address(steps[:-1]) if steps else "",
        start=address([]) if steps else "",
        refused=_misfit(len(steps) + 1, found.refused) if found.refused else "",
        go_on=address(steps) if found.refused else "",
        warning=warning(now.ship) or "",
        fatal="fatal" if is_lost else "",
        ahead="" if in_power_phase else message("At the next Power Phase:"),
        fifths=tuple((letter, address(steps, fifth=letter)) for letter in "DE") if _asks_fifth(now) else (),
        speeds=tuple(_speeds(now, offer)) if in_power_phase else (),
        spendings=tuple(_spendings(offer)) if now.ap else (),
        reinforcements=tuple(offer(Act.REINFORCE, arc, says) for arc, says in enumerate(now.ship.arcs))
        if now.ap
        else (),
        on_ship=_on_ship(now),
        arcs=tuple(_arcs(now, offer)),
        counts=message("Counts now") if in_power_phase else message("Counts from the next Power Phase"),
        damages=tuple(_damages(now, offer)),
        lines=tuple(_lines(found, address, steps)),
    )


def _says(now: ShipRecord, is_lost: bool) -> Message:
    if is_lost:
        return message("She breaks apart.")
    if now.impulse == POWER_PHASE:
        return message("Keep her speed, or go one up or down.")
    if now.ap:
        return message("1 AP to spend before she moves.") if now.moves else message("1 AP to spend.")
    if then := [letter for letter in impulses_of(now.curve.power, now.ship.fifth) if letter > now.impulse]:
        return message("No power to spend now. The next AP comes in impulse {impulse}.", impulse=then[0])
    return message("No more power to spend this round.")


def _misfit(number: int, reason: Message) -> Message:
    return in_a_row([message("Step {number} no longer fits this ship.", number=number), reason])


def _figures(curve: Curve) -> tuple[tuple[Message, str], ...]:
    return (
        (pmessage("a number of a ship", "Power"), str(curve.power)),
        (pmessage("a number of a ship", "Speed"), str(curve.speed)),
        (pmessage("a number of a ship", "Turn"), str(curve.turn)),
    )


def _beats(curve: Curve, now: ShipRecord) -> tuple[Beat, ...]:
    powered, moving = impulses_of(curve.power, now.ship.fifth), impulses_of(curve.speed, now.ship.fifth)
    return tuple(
        Beat(
            letter,
            message("AP") if letter in powered else "",
            pmessage("a ship in an impulse", "move") if letter in moving else "",
            "" if now.impulse == POWER_PHASE or letter > now.impulse else "now" if letter == now.impulse else "past",
            "step" if letter == now.impulse else "",
        )
        for letter in IMPULSES
    )


def _next_name(now: ShipRecord) -> Message:
    if now.impulse == max(IMPULSES):
        if now.ap:
            if now.moves:
                return message("Don’t spend: move, then the Power Phase")
            return message("Don’t spend: on to the Power Phase")
        return message("Move 1 hex, then the Power Phase") if now.moves else message("On to the Power Phase")
    then = chr(ord(now.impulse) + 1)
    if now.ap:
        if now.moves:
            return message("Don’t spend: move, then {impulse}", impulse=then)
        return message("Don’t spend: on to {impulse}", impulse=then)
    if now.moves:
        return message("Move 1 hex, then impulse {impulse}", impulse=then)
    return message("On to impulse {impulse}", impulse=then)


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
        name, label, not_possible = _speed_in_words(now.ship.speed, speed)
        if option.why_not:
            yield Speed(str(option.curve), offer(Act.SPEED, speed, not_possible), ())
        else:
            yield Speed(str(option.curve), offer(Act.SPEED, speed, name, label=label), _beats(option.curve, now))


def _speed_in_words(speed: int, other: int) -> tuple[Message, Message, Message]:
    """What the choice of the other speed is called, in short and in full, and that it cannot be chosen."""
    if other == speed:
        return message("Keep speed"), message("Keep speed {speed}", speed=other), message("Can’t keep speed")
    if other < speed:
        return message("Slow down"), message("Slow down to speed {speed}", speed=other), message("Can’t slow down")
    return message("Speed up"), message("Speed up to speed {speed}", speed=other), message("Can’t speed up")


def _spendings(offer: StepOffer) -> Iterator[StepChoice]:
    for act, (name, note) in SPENDINGS.items():
        if act != Act.REINFORCE:
            yield offer(act, says=name, note=note)


def _on_ship(now: ShipRecord) -> Message:
    count = len(now.ship.markers)
    if now.impulse == POWER_PHASE:
        return nmessage("{count} reinforced", "{count} reinforced", count)
    most = most_markers(now.curve.power)
    return nmessage("{count} of {most} reinforced", "{count} of {most} reinforced", count, most=most)


def _arcs(now: ShipRecord, offer: StepOffer) -> Iterator[Arc]:
    letters = {marker.arc: marker.letter for marker in now.ship.markers}
    for arc, name in enumerate(now.ship.arcs):
        is_down = arc in now.ship.down
        choices = []
        if arc in letters:
            absorb = message("{arc}: absorb 1 damage", arc=name)
            choices.append(offer(Act.ABSORB, arc, message("Absorb 1"), label=absorb))
            remove = message("{arc}: remove the reinforcement", arc=name)
            choices.append(offer(Act.REMOVE, arc, message("Remove"), label=remove))
        if is_down:
            choices.append(offer(Act.UP, arc, message("Bring up"), label=message("{arc}: bring up", arc=name)))
        else:
            choices.append(offer(Act.DOWN, arc, message("Take down"), label=message("{arc}: take down", arc=name)))
        yield Arc(name, _state(letters.get(arc, ""), is_down), tuple(choices))


def _state(letter: str, is_down: bool) -> Message:
    """How an arc is that has a reinforcement of this letter, or none."""
    if not letter:
        return message("Down, can’t be reinforced") if is_down else pmessage("a shield arc", "Up")
    if is_down:
        return message("Down, absorbs 1 damage until the next impulse {impulse}", impulse=letter)
    return message("Absorbs 1 damage until the next impulse {impulse}", impulse=letter)


def _damages(now: ShipRecord, offer: StepOffer) -> Iterator[Damage]:
    yield _damage(
        offer,
        Act.HULL,
        -now.ship.hull,
        message("Hull damage"),
        message("Hull damage: give back 1 Power"),
        message("Hull damage: take 1 Power"),
    )
    yield _damage(
        offer,
        Act.CRITICALS,
        -now.ship.criticals,
        message("Criticals"),
        message("Criticals: give back 1 Power"),
        message("Criticals: take 1 Power"),
    )


def _damage(offer: StepOffer, act: Act, taken: int, name: Message, back: Message, take: Message) -> Damage:
    less = offer(act, taken - 1, "+", label=back) if taken else StepChoice("", "+", "")
    more = offer(act, taken + 1, "−", label=take) if taken < MOST_LOST else StepChoice("", "−", "")
    return Damage(name, lost(taken), less, more)


def _lines(found: RecordedPlay, address: Address, steps: Sequence[TalonStep]) -> Iterator[Happened]:
    for count, line in reversed(list(enumerate(found.lines))):
        says = told(line)
        if line is found.lines[-1]:
            name, label = message("Undo"), message("Undo step {number}: {step}", number=count + 1, step=says)
        else:
            name = message("Undo to here")
            label = message("Undo to here, step {number}: {step}", number=count + 1, step=says)
        yield Happened(_place(line.before), says, name, label, address(steps[:count]))


def _place(record: ShipRecord) -> Message:
    if record.impulse == POWER_PHASE:
        return message("Round {round}, Power Phase", round=record.round)
    return message("Round {round}, impulse {impulse}", round=record.round, impulse=record.impulse)
