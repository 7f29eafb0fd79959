"""Throws of the software for roll-offs that have no page: rules 4.1 and 4.3."""

from collections.abc import Iterable

from scoring.domain.roll_offs import DiceThrow, battle_stations, roll


def software_throw(seed: str, throw_number: int, entrants: Iterable[int]) -> DiceThrow:
    """One throw of five attack dice for each of the entrants, rolled by `roll`."""
    counts = ((entrant, battle_stations(roll(seed, throw_number, entrant))) for entrant in sorted(entrants))
    return DiceThrow(tuple(counts))
