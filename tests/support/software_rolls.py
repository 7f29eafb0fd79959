"""Rolls of the software for roll-offs that have no page: rules 4.1 and 4.3."""

from collections.abc import Iterable

from scoring.domain.roll_offs import DiceRoll, battle_stations, roll_faces


def software_roll(seed: str, roll_number: int, entrants: Iterable[int]) -> DiceRoll:
    """One roll of five attack dice for each of the entrants, rolled by `roll_faces`."""
    counts = ((entrant, battle_stations(roll_faces(seed, roll_number, entrant))) for entrant in sorted(entrants))
    return DiceRoll(tuple(counts))
