"""Roll-offs as pages show them: every throw with its dice, and what they decided so far (rule 4)."""

from dataclasses import dataclass

from scoring.domain.rolloff import ATTACK_DIE, DEFENSE_DIE
from tourney.domain.rolling import outcome
from tourney.models import RollOff
from tourney.queries.matches import RollOffState
from tourney.queries.state import EventState


@dataclass(frozen=True, slots=True)
class Thrown:
    """One player's five dice in one throw. Of dice thrown by hand only the Battle Stations are known."""

    number: int
    name: str
    faces: tuple[str, ...]
    count: int


@dataclass(frozen=True, slots=True)
class ThrowLine:
    """One throw; `seed` is empty where it was thrown by hand."""

    number: int
    seed: str
    thrown: tuple[Thrown, ...]


@dataclass(frozen=True, slots=True)
class Dice:
    """A roll-off, begun or not: who is still level, the throws so far, and the outcome as one sentence."""

    kind: str
    group: tuple[int, ...]
    still_level: tuple[tuple[int, ...], ...]
    throws: tuple[ThrowLine, ...] = ()
    outcome: str = ""
    is_void: bool = False

    @property
    def is_broken(self) -> bool:
        return not self.still_level

    @property
    def next_throw(self) -> int:
        return len(self.throws) + 1

    @property
    def seed(self) -> str:
        """The seed of the throws made by software, if there are any."""
        return next((throw.seed for throw in self.throws if throw.seed), "")


def dice_of(state: EventState, round_number: int, kind: str, group: tuple[int, ...]) -> Dice:
    """The roll-off of that group, or an empty one that can begin."""
    roll_off = state.roll_off(round_number, kind, group)
    if roll_off is None:
        return Dice(kind, group, still_level=(group,))
    return Dice(
        kind,
        group,
        still_level=roll_off.still_level,
        throws=tuple(_throw_lines(state, roll_off)),
        outcome=outcome(roll_off.levels, state.names) if roll_off.throws else "",
        is_void=state.is_void(roll_off),
    )


def die_of(state: EventState, kind: str, group: tuple[int, ...], number: int) -> tuple[str, ...]:
    """Some months roll defense dice against attack dice at the table: the second player then rolls those."""
    mixed = kind == RollOff.Kind.TABLE and state.rules.table_roll_off == "attack against defense"
    return DEFENSE_DIE if mixed and number == max(group) else ATTACK_DIE


def _throw_lines(state: EventState, roll_off: RollOffState) -> list[ThrowLine]:
    return [
        ThrowLine(
            throw.number,
            throw.seed,
            tuple(
                Thrown(int(number), state.names[int(number)], _faces(throw.faces.get(number), count), count)
                for number, count in sorted(throw.counts.items(), key=lambda item: int(item[0]))
            ),
        )
        for throw in roll_off.throws
    ]


def _faces(faces: list[str] | None, count: int) -> tuple[str, ...]:
    return ("battle stations",) * count if faces is None else tuple(faces)
