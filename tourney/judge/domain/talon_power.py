"""The Talon power record (rule 10): the speeds within reach, what each impulse brings, and a round played through."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tourney.runtime.messages import Message, message, nmessage, pmessage

IMPULSES = {"A": {4, 5, 6}, "B": {3, 5, 6}, "C": {2, 4, 5, 6}, "D": {3, 4, 6}, "E": {6}, "F": {1, 2, 3, 4, 5, 6}}
"""Rule 10.3: Power brings a point, Speed moves the ship, in each impulse whose row holds the number."""
UNDECIDED = 5
"""The number with one more mark, in D or in E: no source says in which."""
MOST = max(IMPULSES["F"])
"""The chart ends here, for Power and for Speed."""
POWER_PHASE = ""


@dataclass(frozen=True, slots=True)
class Curve:
    """A power curve, written 4-2-1: Power, Speed and turn radius. Damage may take the Power below 0."""

    power: int
    speed: int
    turn: int

    def __str__(self) -> str:
        return f"{signed(self.power)}-{self.speed}-{self.turn}"


@dataclass(frozen=True, slots=True)
class ShipClass:
    """A class and its curves, one for each speed that it has."""

    name: str
    curves: tuple[Curve, ...]


STILL = Curve(0, 0, 0)
"""Of a ship that has chosen no speed yet: no power, and no move."""

CLASSES = (ShipClass("Terran CA", (Curve(4, 2, 1), Curve(3, 3, 2), Curve(2, 4, 2), Curve(1, 5, 3))),)
"""The classes whose curves the sources print."""

ARCS = (
    pmessage("a shield arc", "Front"),
    pmessage("a shield arc", "Right"),
    pmessage("a shield arc", "Rear"),
    pmessage("a shield arc", "Left"),
)
"""The arcs of a ship whose own nobody named."""


@dataclass(frozen=True, slots=True)
class Marker:
    """A shield reinforcement on an arc (0 is the first), with the letter of the impulse in which it was placed."""

    arc: int
    letter: str


@dataclass(frozen=True, slots=True)
class ShipState:
    """A ship on the table. `hull` and `criticals` are what damage adds to its Power, 0 or less.

    `fifth` is the impulse with the mark that no source decides, D or E; empty if nobody looked it up.
    """

    curves: tuple[Curve, ...]
    speed: int
    hull: int = 0
    criticals: int = 0
    may_slow: bool = True
    arcs: tuple[str | Message, ...] = ARCS
    down: frozenset[int] = frozenset()
    markers: frozenset[Marker] = frozenset()
    fifth: str = ""

    @property
    def modifier(self) -> int:
        """What damage adds to the Power, 0 or less."""
        return self.hull + self.criticals


@dataclass(frozen=True, slots=True)
class SpeedOption:
    """A speed within reach with its modified curve; `why_not` is None where it may be chosen."""

    curve: Curve
    why_not: Message | None = None


class Act(StrEnum):
    """What can happen to a ship, by the letter it has in an address."""

    SPEED = "v"
    SIDE_SLIP = "s"
    TURN = "t"
    CHARGE = "w"
    BATTERY = "b"
    REINFORCE = "r"
    CHANGE_INITIATIVE = "c"
    DEFEND_INITIATIVE = "d"
    FIGHTERS = "f"
    MISSILES = "m"
    NEXT = "n"
    REMOVE = "x"
    ABSORB = "a"
    DOWN = "o"
    UP = "u"
    HULL = "h"
    CRITICALS = "k"


OF_ARCS = frozenset({Act.REINFORCE, Act.REMOVE, Act.ABSORB, Act.DOWN, Act.UP})
"""The acts whose number is an arc."""
WITH_NUMBER = OF_ARCS | {Act.SPEED, Act.HULL, Act.CRITICALS}
SPENDINGS = {
    Act.SIDE_SLIP: (message("Side slip"), message("with her next move")),
    Act.TURN: (message("Power through a turn"), message("marker 1 hex closer")),
    Act.CHARGE: (message("Charge a weapon"), message("one yellow box")),
    Act.BATTERY: (message("Charge a battery"), message("if she has an empty one")),
    Act.REINFORCE: (message("Reinforce a shield arc"), message("absorbs 1 damage")),
    Act.CHANGE_INITIATIVE: (message("Change initiative"), message("puts its marker on her")),
    Act.DEFEND_INITIATIVE: (message("Defend initiative"), message("puts its marker on her")),
    Act.FIGHTERS: (message("Power to fighters"), message("carriers and bases")),
    Act.MISSILES: (message("New missile target"), message("ships with launchers")),
}
"""Rule 10.3: what a point of available power may be spent on, and what to know about it."""


@dataclass(frozen=True, slots=True)
class TalonStep:
    """One thing that happened. `number` is a speed, an arc (0 is the first), or the Power lost to damage (2 for −2)."""

    act: Act
    number: int = 0


@dataclass(frozen=True, slots=True)
class ShipRecord:
    """A ship at one moment: `impulse` is A to F, or POWER_PHASE; `ap` the points it can spend there, 0 or 1.

    `curve` is the modified one of this round, STILL before the first Power Phase.
    """

    ship: ShipState
    round: int = 1
    impulse: str = POWER_PHASE
    curve: Curve = STILL
    ap: int = 0
    side_slip: bool = False

    @property
    def moves(self) -> bool:
        """Whether the ship moves in this impulse, after its power was spent."""
        return self.impulse in impulses_of(self.curve.speed, self.ship.fifth)


class NotNow(Exception):
    """The step cannot happen to the ship as it is; `reason` says why."""

    def __init__(self, reason: Message) -> None:
        self.reason = reason
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class TalonLine:
    """A step with the record before and after it."""

    before: ShipRecord
    step: TalonStep
    after: ShipRecord


@dataclass(frozen=True, slots=True)
class RecordedPlay:
    """The lines so far; `refused` says why the step that comes next does not fit, None if all of them did."""

    start: ShipRecord
    lines: tuple[TalonLine, ...] = ()
    refused: Message | None = None

    @property
    def now(self) -> ShipRecord:
        """The record after the last line."""
        return self.lines[-1].after if self.lines else self.start


def signed(number: int) -> str:
    """With a real minus: "−2"."""
    return str(number).replace("-", "−")


def impulses_of(number: int, fifth: str = "") -> tuple[str, ...]:
    """Rule 10.3: the impulses whose row holds this Power or Speed, in order; none for 0 and less."""
    return tuple(
        letter for letter, row in IMPULSES.items() if number in row or (number == UNDECIDED and letter == fifth)
    )


def options(ship: ShipState) -> tuple[SpeedOption, ...]:
    """Rules 10.1 and 10.2: one down, the same and one up, as far as the class has them, the slowest first."""
    near = [curve for curve in ship.curves if abs(curve.speed - ship.speed) <= 1]
    return tuple(_option(ship, curve) for curve in sorted(near, key=lambda curve: curve.speed))


def breaks_apart(ship: ShipState) -> bool:
    """Rule 10.2: no speed may be chosen, so the ship is lost at the end of the Power Phase."""
    return all(option.why_not for option in options(ship))


def warning(ship: ShipState) -> Message | None:
    """What to know before a speed is chosen; None while one more point of damage leaves a choice."""
    legal = [option.curve for option in options(ship) if not option.why_not]
    if not legal:
        return message("No speed is legal. She breaks apart at the end of the Power Phase.")
    if all(curve.speed != ship.speed for curve in legal):
        return _must_change(ship.speed, [curve.speed for curve in legal])
    if max(curve.power for curve in legal) == 0:
        return message("If she loses one more point of Power, she breaks apart.")
    return None


def most_markers(power: int) -> int:
    """Rule 10.4: reinforcements are placed only below this number, half the Power rounded down, at least 1."""
    return max(1, power // 2)


def why_not_reinforced(power: int, arc: int, markers: Collection[Marker], down: Collection[int] = ()) -> Message | None:
    """Rule 10.4: why no reinforcement can be placed on this arc now; None if it can."""
    if arc in down:
        return message("This arc is down.")
    if arc in {marker.arc for marker in markers}:
        return message("This arc is already reinforced.")
    if len(markers) >= (most := most_markers(power)):
        return nmessage(
            "Power {power} allows only {count} reinforcement.",
            "Power {power} allows only {count} reinforcements.",
            most,
            power=power,
        )
    return None


def played(ship: ShipState, steps: Iterable[TalonStep]) -> RecordedPlay:
    """The steps in order, worked out from the beginning, up to the first that cannot happen."""
    start = record = ShipRecord(ship)
    lines: list[TalonLine] = []
    for step in steps:
        try:
            record = after(before := record, step)
        except NotNow as error:
            return RecordedPlay(start, tuple(lines), error.reason)
        lines.append(TalonLine(before, step, record))
    return RecordedPlay(start, tuple(lines))


def after(record: ShipRecord, step: TalonStep) -> ShipRecord:
    """The record after this step; NotNow if it cannot happen."""
    if reason := why_not(record, step):
        raise NotNow(reason)
    ship, number = record.ship, step.number
    match step.act:
        case Act.SPEED:
            curve = next(option.curve for option in options(ship) if option.curve.speed == number)
            return _begun(replace(record, ship=replace(ship, speed=number), curve=curve), "A")
        case Act.NEXT:
            return _ended(record)
        case Act.SIDE_SLIP:
            return replace(record, ap=record.ap - 1, side_slip=True)
        case Act.REINFORCE:
            markers = ship.markers | {Marker(number, record.impulse)}
            return replace(record, ap=record.ap - 1, ship=replace(ship, markers=markers))
        case Act.REMOVE | Act.ABSORB:
            markers = frozenset(marker for marker in ship.markers if marker.arc != number)
            return replace(record, ship=replace(ship, markers=markers))
        case Act.DOWN:
            return replace(record, ship=replace(ship, down=ship.down | {number}))
        case Act.UP:
            return replace(record, ship=replace(ship, down=ship.down - {number}))
        case Act.HULL:
            return replace(record, ship=replace(ship, hull=-number))
        case Act.CRITICALS:
            return replace(record, ship=replace(ship, criticals=-number))
    return replace(record, ap=record.ap - 1)


def why_not(record: ShipRecord, step: TalonStep) -> Message | None:
    """Why this step cannot happen now; None if it can."""
    if step.act in (Act.HULL, Act.CRITICALS):
        return None
    if step.act == Act.SPEED:
        return _why_not_chosen(record, step.number)
    if step.act == Act.NEXT:
        return message("Choose a speed first.") if record.impulse == POWER_PHASE else None
    if step.act in OF_ARCS and step.number not in range(len(record.ship.arcs)):
        return message("This ship has no such shield arc.")
    if step.act in (Act.REMOVE, Act.ABSORB, Act.DOWN, Act.UP):
        return _why_not_changed(record.ship, step)
    if not record.ap:
        return message("There is no power to spend now.")
    if step.act == Act.REINFORCE:
        return why_not_reinforced(record.curve.power, step.number, record.ship.markers, record.ship.down)
    if step.act == Act.SIDE_SLIP and record.side_slip:
        return message("She already has a side slip marker.")
    return None


def _why_not_chosen(record: ShipRecord, speed: int) -> Message | None:
    if record.impulse != POWER_PHASE:
        return message("Speed is chosen in the Power Phase.")
    found = [option.why_not for option in options(record.ship) if option.curve.speed == speed]
    if found:
        return found[0]
    return message("Speed {chosen} is out of reach from speed {speed}.", chosen=speed, speed=record.ship.speed)


def _why_not_changed(ship: ShipState, step: TalonStep) -> Message | None:
    """Why an arc cannot lose its reinforcement, go down or come up again."""
    arc, is_down = ship.arcs[step.number], step.number in ship.down
    if step.act == Act.DOWN:
        return message("{arc} is already down.", arc=arc) if is_down else None
    if step.act == Act.UP:
        return None if is_down else message("{arc} isn’t down.", arc=arc)
    if step.number in {marker.arc for marker in ship.markers}:
        return None
    return message("There is no reinforcement on {arc}.", arc=arc)


def _must_change(speed: int, others: Sequence[int]) -> Message:
    """Her speed leaves too little Power; what she can choose are one or two others."""
    if len(others) == 1:
        return message(
            "Speed {speed} would put her Power below 0. She must go to speed {other}.", speed=speed, other=others[0]
        )
    return message(
        "Speed {speed} would put her Power below 0. She must go to speed {slower} or {faster}.",
        speed=speed,
        slower=others[0],
        faster=others[1],
    )


def _option(ship: ShipState, curve: Curve) -> SpeedOption:
    modified = replace(curve, power=curve.power + ship.modifier)
    if modified.power < 0:
        return SpeedOption(modified, message("Her Power would be {power}.", power=signed(modified.power)))
    if curve.speed < ship.speed and not ship.may_slow:
        return SpeedOption(modified, message("She can’t slow down."))
    return SpeedOption(modified)


def _begun(record: ShipRecord, letter: str) -> ShipRecord:
    """Rules 10.3 and 10.4: reinforcements of this letter expire, then the impulse brings its power."""
    markers = frozenset(marker for marker in record.ship.markers if marker.letter != letter)
    ap = int(letter in impulses_of(record.curve.power, record.ship.fifth))
    return replace(record, ship=replace(record.ship, markers=markers), impulse=letter, ap=ap)


def _ended(record: ShipRecord) -> ShipRecord:
    """The ship moves, if it does; power that was not spent is gone; the next impulse or Power Phase begins."""
    moved = replace(record, ap=0, side_slip=record.side_slip and not record.moves)
    if record.impulse == max(IMPULSES):
        return replace(moved, round=record.round + 1, impulse=POWER_PHASE)
    return _begun(moved, chr(ord(record.impulse) + 1))
