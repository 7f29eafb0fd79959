"""A tie while it is rolled off: the rolls so far, what they decided, and who rolls which dice (rule 4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.domain.pack import MonthPack as Rules
from scoring.domain.roll_offs import ATTACK_DIE, DEFENSE_DIE, battle_stations, roll_faces
from tourney.domain.roll_offs import outcome
from tourney.models import Entrant, Roll, RollOff, Seat
from tourney.queries.matches import RollOffState, TableState
from tourney.queries.public import RollLine, roll_off_line
from tourney.queries.state import EventState
from tourney.runtime.messages import Message, pmessage


@dataclass(frozen=True, slots=True)
class Rolling:
    """A roll-off, begun or not. `outcome` says in a sentence what the rolls decided; it is None before the first."""

    kind: str
    group: tuple[int, ...]
    still_tied: tuple[tuple[int, ...], ...]
    rolls: tuple[RollLine, ...] = ()
    outcome: Message | None = None
    is_void: bool = False

    @property
    def is_broken(self) -> bool:
        """Whether no tie is left."""
        return not self.still_tied

    @property
    def next_roll(self) -> int:
        """The number of the roll to come, from 1."""
        return len(self.rolls) + 1

    @property
    def seed(self) -> str:
        """The seed of the rolls made by software, if there are any."""
        return next((roll.seed for roll in self.rolls if roll.seed), "")


@dataclass(frozen=True, slots=True)
class DiceSaid:
    """What one player's phone says of the next roll at a table: Battle Stations by entrant number, None to roll it."""

    by: Entrant
    counts: dict[int, int] | None
    names: Mapping[int, str]

    @property
    def in_words(self) -> list[Message]:
        """What was rolled, player by player."""
        rolled = (self.counts or {}).items()
        return [pmessage("a roll", "{name} {count}", name=self.names[number], count=count) for number, count in rolled]


def dice_said(match: TableState, roll: int) -> dict[int, DiceSaid]:
    """What the phones of a tied table say of this roll, by the number of who says it; in one query."""
    found = {}
    for seat in Seat.objects.filter(match=match.row.pk, dice__0=roll):
        by = next(one for one in match.entrants if one.pk == seat.entrant_id)
        counts = dict(zip(match.numbers, seat.dice[1:], strict=True)) if len(seat.dice) > 1 else None
        found[by.number] = DiceSaid(by, counts, match.names)
    return found


def rolling_of(state: EventState, round_number: int, kind: str, group: tuple[int, ...]) -> Rolling:
    """The roll-off of that group after that round; without rolls if none was made."""
    roll_off = state.roll_off(round_number, kind, group)
    if roll_off is None:
        return Rolling(kind, group, still_tied=(state.in_order(round_number, kind, group),))
    levels = state.levels_in_order(roll_off)
    return Rolling(
        kind,
        group,
        still_tied=tuple(level for level in levels if len(level) > 1),
        rolls=roll_off_line(state, roll_off).rolls,
        outcome=outcome(levels, state.names) if roll_off.rolls else None,
        is_void=state.is_void(roll_off),
    )


def die_of(state: EventState, kind: str, group: tuple[int, ...], number: int) -> tuple[str, ...]:
    """The die that this player rolls in this group."""
    return die_by(state.rules, kind, group, number)


def die_by(rules: Rules, kind: str, group: Sequence[int], number: int) -> tuple[str, ...]:
    """Some months roll defense dice against attack dice at the table: the second player then rolls those."""
    mixed = kind == RollOff.Kind.TABLE and rules.table_roll_off == "attack against defense"
    return DEFENSE_DIE if mixed and number == max(group) else ATTACK_DIE


def rolled_by_software(rules: Rules, roll_off: RollOffState, seed: str) -> Roll:
    """The next roll of those who are tied, as software rolls it with that seed (rule 4.3); not saved."""
    number, kind = len(roll_off.rolls) + 1, roll_off.row.kind
    rolling = sorted(one for level in roll_off.still_tied for one in level)
    faces = {str(n): list(roll_faces(seed, number, n, die=die_by(rules, kind, roll_off.group, n))) for n in rolling}
    counts = {n: battle_stations(shown) for n, shown in faces.items()}
    return Roll(roll_off=roll_off.row, number=number, counts=counts, faces=faces, seed=seed)


def tied_groups(state: EventState, number: int, kind: str) -> list[tuple[int, ...]]:
    """The groups that may roll now in that round, each ascending.

    Champions who share a rank roll for that first, since this roll counts for the victory too (rule 5.3).
    """
    round = state.round(number)
    if round is None:
        return []
    if kind == RollOff.Kind.TABLE:
        return [tuple(sorted(match.numbers)) for match in round.tied]
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
    if round.tied:
        return [(RollOff.Kind.TABLE, tuple(sorted(match.numbers))) for match in round.tied]
    return [(kind, tuple(sorted(group))) for kind, group in state.rolls_to_do()] if round is state.last_round else []
