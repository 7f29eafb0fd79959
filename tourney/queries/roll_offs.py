"""A tie while it is rolled off: the throws so far, what they decided, and who rolls which dice (rule 4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.domain.pack import MonthPack as Rules
from scoring.domain.roll_offs import ATTACK_DIE, DEFENSE_DIE, battle_stations, roll
from tourney.domain.roll_offs import outcome
from tourney.models import Entrant, RollOff, Seat, Throw
from tourney.queries.matches import RollOffState, TableState
from tourney.queries.public import ThrowLine, roll_off_line
from tourney.queries.state import EventState
from tourney.runtime.messages import Message, pmessage


@dataclass(frozen=True, slots=True)
class Rolling:
    """A roll-off, begun or not. `outcome` says in a sentence what the throws decided; it is None before the first."""

    kind: str
    group: tuple[int, ...]
    still_level: tuple[tuple[int, ...], ...]
    throws: tuple[ThrowLine, ...] = ()
    outcome: Message | None = None
    is_void: bool = False

    @property
    def is_broken(self) -> bool:
        """Whether no tie is left."""
        return not self.still_level

    @property
    def next_throw(self) -> int:
        """The number of the throw to come, from 1."""
        return len(self.throws) + 1

    @property
    def seed(self) -> str:
        """The seed of the throws made by software, if there are any."""
        return next((throw.seed for throw in self.throws if throw.seed), "")


@dataclass(frozen=True, slots=True)
class DiceSaid:
    """What one player's phone says of the next throw at a table: Battle Stations by entrant number, None to roll it."""

    by: Entrant
    counts: dict[int, int] | None
    names: Mapping[int, str]

    @property
    def in_words(self) -> list[Message]:
        """What was thrown, player by player."""
        rolled = (self.counts or {}).items()
        return [pmessage("a roll", "{name} {count}", name=self.names[number], count=count) for number, count in rolled]


def dice_said(match: TableState, throw: int) -> dict[int, DiceSaid]:
    """What the phones of a tied table say of this throw, by the number of who says it; in one query."""
    found = {}
    for seat in Seat.objects.filter(match=match.row.pk, dice__0=throw):
        by = next(one for one in match.entrants if one.pk == seat.entrant_id)
        counts = dict(zip(match.numbers, seat.dice[1:], strict=True)) if len(seat.dice) > 1 else None
        found[by.number] = DiceSaid(by, counts, match.names)
    return found


def rolling_of(state: EventState, round_number: int, kind: str, group: tuple[int, ...]) -> Rolling:
    """The roll-off of that group after that round; without throws if none was made."""
    roll_off = state.roll_off(round_number, kind, group)
    if roll_off is None:
        return Rolling(kind, group, still_level=(state.in_order(round_number, kind, group),))
    levels = state.levels_in_order(roll_off)
    return Rolling(
        kind,
        group,
        still_level=tuple(level for level in levels if len(level) > 1),
        throws=roll_off_line(state, roll_off).throws,
        outcome=outcome(levels, state.names) if roll_off.throws else None,
        is_void=state.is_void(roll_off),
    )


def die_of(state: EventState, kind: str, group: tuple[int, ...], number: int) -> tuple[str, ...]:
    """The die that this player rolls in this group."""
    return die_by(state.rules, kind, group, number)


def die_by(rules: Rules, kind: str, group: Sequence[int], number: int) -> tuple[str, ...]:
    """Some months roll defense dice against attack dice at the table: the second player then rolls those."""
    mixed = kind == RollOff.Kind.TABLE and rules.table_roll_off == "attack against defense"
    return DEFENSE_DIE if mixed and number == max(group) else ATTACK_DIE


def thrown_by_software(rules: Rules, roll_off: RollOffState, seed: str) -> Throw:
    """The next throw of those who are level, as software rolls it with that seed (rule 4.3); not saved."""
    number, kind = len(roll_off.throws) + 1, roll_off.row.kind
    rolling = sorted(one for level in roll_off.still_level for one in level)
    faces = {str(n): list(roll(seed, number, n, die=die_by(rules, kind, roll_off.group, n))) for n in rolling}
    counts = {n: battle_stations(thrown) for n, thrown in faces.items()}
    return Throw(roll_off=roll_off.row, number=number, counts=counts, faces=faces, seed=seed)


def tied_groups(state: EventState, number: int, kind: str) -> list[tuple[int, ...]]:
    """The groups that may roll now in that round, each ascending.

    Champions who share a rank roll for that first, since this roll counts for the victory too (rule 5.3).
    """
    round = state.round(number)
    if round is None:
        return []
    if kind == RollOff.Kind.TABLE:
        return [tuple(sorted(match.numbers)) for match in round.level]
    if number > len(state.complete_rounds):
        return []
    ties = [tuple(sorted(group)) for group in state.ties(number)]
    if kind == RollOff.Kind.STANDING:
        return ties
    champions = tuple(sorted(state.faction_tie(number)))
    return [champions] if champions and champions not in ties else []


def ties_of(state: EventState, number: int) -> list[tuple[str, tuple[int, ...]]]:
    """Kind and group (ascending) of every roll-off that this round waits for now: its tables first (rule 4.4)."""
    round = state.round(number)
    if round is None or state.is_finished:
        return []
    if round.level:
        return [(RollOff.Kind.TABLE, tuple(sorted(match.numbers))) for match in round.level]
    return [(kind, tuple(sorted(group))) for kind, group in state.rolls_to_do()] if round is state.last_round else []
