"""Roll-offs (rules 4.1–4.3): dice, rolls, and the order they make of players who are tied."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tourney.runtime.messages import message

ATTACK_DIE = ("hit", "hit", "hit", "critical", "battle stations", "battle stations", "blank", "blank")
DEFENSE_DIE = ("evade", "evade", "evade", "battle stations", "battle stations", "blank", "blank", "blank")
FACE_NAMES = {
    "hit": message("Hit"),
    "critical": message("Critical Hit"),
    "battle stations": message("Battle Stations"),
    "evade": message("Evade"),
    "blank": message("Blank"),
}
"""What people read for them."""
DICE = 5


class RollDoesNotFit(Exception):
    """A roll of somebody who is not tied, without somebody who is, or of more than five dice can show."""


@dataclass(frozen=True, slots=True)
class DiceRoll:
    """The Battle Stations (0..5) of each entrant who rolled, sorted by entrant."""

    counts: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class RollOffRolls:
    """Rule 4.3: the rolls made after a round by one group of entrants who were tied there."""

    round: int
    group: tuple[int, ...]
    rolls: tuple[DiceRoll, ...] = ()


def levels(group: Sequence[int], rolls: Iterable[DiceRoll]) -> tuple[tuple[int, ...], ...]:
    """Rule 4.1: the group best first; entrants in one tuple (sorted) are still tied.

    A roll is made by everybody who is still tied, or by all of one or more of the groups that are.
    Raises RollDoesNotFit.
    """
    order = [tuple(sorted(group))]
    for number, roll in enumerate(rolls, start=1):
        counts = _counts(roll, number, [level for level in order if len(level) > 1])
        order = [part for level in order for part in _split(level, counts)]
    return tuple(order)


def still_tied(group: Sequence[int], rolls: Iterable[DiceRoll]) -> tuple[tuple[int, ...], ...]:
    """The groups that must roll again, best first; nothing when the order is complete."""
    return tuple(level for level in levels(group, rolls) if len(level) > 1)


def rolls_after(round: int, roll_offs: Iterable[RollOffRolls]) -> dict[tuple[int, ...], tuple[DiceRoll, ...]]:
    """Rule 4.3: for each group (sorted) the rolls of the last roll-off made by exactly that group after this round."""
    return {tuple(sorted(one.group)): one.rolls for one in roll_offs if one.round == round}


def roll_faces(
    seed: str, roll_number: int, entrant: int, dice: int = DICE, die: Sequence[str] = ATTACK_DIE
) -> tuple[str, ...]:
    """Rule 4.3: the faces of one entrant's dice; the same arguments always show the same faces.

    Die number i (from 0) shows the face whose place is the first byte of the SHA-256 of
    "seed:throw_number:entrant:i", modulo 8. Anybody can compute it again.
    """
    texts = (f"{seed}:{roll_number}:{entrant}:{index}" for index in range(dice))
    return tuple(die[hashlib.sha256(text.encode()).digest()[0] % len(die)] for text in texts)


def battle_stations(faces: Iterable[str]) -> int:
    """How many of the faces are Battle Stations."""
    return sum(face == "battle stations" for face in faces)


def _counts(roll: DiceRoll, number: int, still_open: Sequence[tuple[int, ...]]) -> dict[int, int]:
    counts = dict(roll.counts)
    if not counts or len(counts) != len(roll.counts):
        raise RollDoesNotFit(message("Roll {number} must name each player who rolled exactly once.", number=number))
    if any(not 0 <= count <= DICE for count in counts.values()):
        raise RollDoesNotFit(
            message("{dice} dice can’t show what roll {number} has. Enter 0 to {dice}.", number=number, dice=DICE)
        )
    rolling = {entrant for level in still_open if not counts.keys().isdisjoint(level) for entrant in level}
    if counts.keys() - rolling:
        raise RollDoesNotFit(
            message("Roll {number} names a player who was no longer tied. Leave that one out.", number=number)
        )
    if rolling - counts.keys():
        raise RollDoesNotFit(message("Roll {number} isn’t complete. Everyone who is still tied rolls.", number=number))
    return counts


def _split(level: tuple[int, ...], counts: dict[int, int]) -> list[tuple[int, ...]]:
    if level[0] not in counts:
        return [level]
    seen = sorted({counts[entrant] for entrant in level}, reverse=True)
    return [tuple(entrant for entrant in level if counts[entrant] == count) for count in seen]
