"""The Talon power record (rule 10): the speeds within reach, what each impulse brings, and a round played through."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

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
        power = self.power if self.power >= 0 else f"−{-self.power}"
        return f"{power}-{self.speed}-{self.turn}"


@dataclass(frozen=True, slots=True)
class ShipClass:
    """A class and its curves, one for each speed that it has."""

    name: str
    curves: tuple[Curve, ...]


STILL = Curve(0, 0, 0)
"""Of a ship that has chosen no speed yet: no power, and no move."""

CLASSES = (ShipClass("Terran CA", (Curve(4, 2, 1), Curve(3, 3, 2), Curve(2, 4, 2), Curve(1, 5, 3))),)
"""The classes whose curves the sources print."""


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
    arcs: tuple[str, ...] = ("Front", "Right", "Rear", "Left")
    down: frozenset[int] = frozenset()
    markers: frozenset[Marker] = frozenset()
    fifth: str = ""

    @property
    def modifier(self) -> int:
        """What damage adds to the Power, 0 or less."""
        return self.hull + self.criticals


@dataclass(frozen=True, slots=True)
class SpeedOption:
    """A speed within reach with its modified curve; `why_not` is a clause, empty where it may be chosen."""

    curve: Curve
    why_not: str = ""


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
    Act.SIDE_SLIP: ("Side slip", "with her next move"),
    Act.TURN: ("Power through a turn", "marker 1 hex closer"),
    Act.CHARGE: ("Charge a weapon", "one yellow box"),
    Act.BATTERY: ("Charge a battery", "if she has an empty one"),
    Act.REINFORCE: ("Reinforce a shield arc", "absorbs 1 damage"),
    Act.CHANGE_INITIATIVE: ("Change initiative", "puts its marker on her"),
    Act.DEFEND_INITIATIVE: ("Defend initiative", "puts its marker on her"),
    Act.FIGHTERS: ("Power to fighters", "carriers and bases"),
    Act.MISSILES: ("New missile target", "ships with launchers"),
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
    """The step cannot happen to the ship as it is; the text is a sentence that says why."""


@dataclass(frozen=True, slots=True)
class TalonLine:
    """A step with the record before and after it."""

    before: ShipRecord
    step: TalonStep
    after: ShipRecord


@dataclass(frozen=True, slots=True)
class RecordedPlay:
    """The lines so far; `refused` says why the step that comes next does not fit, empty if all of them did."""

    start: ShipRecord
    lines: tuple[TalonLine, ...] = ()
    refused: str = ""

    @property
    def now(self) -> ShipRecord:
        """The record after the last line."""
        return self.lines[-1].after if self.lines else self.start


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


def warning(ship: ShipState) -> str:
    """A sentence for whoever has to choose a speed, empty while one more point of damage leaves a choice."""
    legal = [option.curve for option in options(ship) if not option.why_not]
    if not legal:
        return "No speed can be chosen: at the end of the Power Phase she breaks apart."
    if all(curve.speed != ship.speed for curve in legal):
        speeds = " or ".join(str(curve.speed) for curve in legal)
        return f"Her speed of {ship.speed} would leave her Power below 0: she must go to speed {speeds}."
    if max(curve.power for curve in legal) == 0:
        return "One point of Power less, and no speed is left: she would break apart."
    return ""


def most_markers(power: int) -> int:
    """Rule 10.4: reinforcements are placed only below this number, half the Power rounded down, at least 1."""
    return max(1, power // 2)


def why_not_reinforced(power: int, arc: int, markers: Collection[Marker], down: Collection[int] = ()) -> str:
    """Rule 10.4: why no reinforcement can be placed on this arc now, a clause; empty if it can."""
    if arc in down:
        return "the arc is down"
    if arc in {marker.arc for marker in markers}:
        return "it is reinforced already"
    if len(markers) >= most_markers(power):
        return f"Power {power} allows only {most_markers(power)} on the ship"
    return ""


def played(ship: ShipState, steps: Iterable[TalonStep]) -> RecordedPlay:
    """The steps in order, worked out from the beginning, up to the first that cannot happen."""
    start = record = ShipRecord(ship)
    lines: list[TalonLine] = []
    for step in steps:
        try:
            record = after(before := record, step)
        except NotNow as error:
            return RecordedPlay(start, tuple(lines), str(error))
        lines.append(TalonLine(before, step, record))
    return RecordedPlay(start, tuple(lines))


def after(record: ShipRecord, step: TalonStep) -> ShipRecord:
    """The record after this step; NotNow if it cannot happen."""
    if reason := why_not(record, step):
        raise NotNow(f"{reason[0].upper()}{reason[1:]}.")
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


def why_not(record: ShipRecord, step: TalonStep) -> str:
    """Why this step cannot happen now, a clause; empty if it can."""
    ship, number = record.ship, step.number
    in_power_phase = record.impulse == POWER_PHASE
    match step.act:
        case Act.SPEED:
            if not in_power_phase:
                return "the speed is chosen in the Power Phase"
            found = [option.why_not for option in options(ship) if option.curve.speed == number]
            return found[0] if found else f"speed {number} is out of reach from {ship.speed}"
        case Act.NEXT:
            return "the speed is still to be chosen" if in_power_phase else ""
        case Act.HULL | Act.CRITICALS:
            return ""
    if step.act in OF_ARCS and number not in range(len(ship.arcs)):
        return "the ship has no such arc"
    match step.act:
        case Act.REMOVE | Act.ABSORB:
            has_one = number in {marker.arc for marker in ship.markers}
            return "" if has_one else f"there is no reinforcement on {ship.arcs[number]}"
        case Act.DOWN:
            return f"{ship.arcs[number]} is down already" if number in ship.down else ""
        case Act.UP:
            return "" if number in ship.down else f"{ship.arcs[number]} is not down"
    if not record.ap:
        return "there is no power to spend now"
    if step.act == Act.REINFORCE:
        return why_not_reinforced(record.curve.power, number, ship.markers, ship.down)
    if step.act == Act.SIDE_SLIP and record.side_slip:
        return "she has a side slip marker"
    return ""


def _option(ship: ShipState, curve: Curve) -> SpeedOption:
    modified = replace(curve, power=curve.power + ship.modifier)
    if modified.power < 0:
        return SpeedOption(modified, f"her Power would be −{-modified.power}")
    if curve.speed < ship.speed and not ship.may_slow:
        return SpeedOption(modified, "she cannot slow down")
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
