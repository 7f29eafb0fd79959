"""The victorious faction (rules 5.3, 5.4)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from scoring.domain.ranks import ranked
from scoring.domain.roll_offs import DiceRoll, RollOffRolls, levels, rolls_after, still_tied
from scoring.domain.standings import Participant, Standing, tied_before_dice


@dataclass(frozen=True, slots=True)
class FactionLine:
    """One faction with the sums of its players; champion is its highest-ranked player (rules 5.3, 5.4)."""

    faction: str
    rank: int
    shared: bool
    battle_points: int
    fleet_points: int
    champion: int
    players: int


def faction_table(
    table: Sequence[Standing],
    participants: Sequence[Participant],
    roll_offs: Sequence[RollOffRolls] = (),
    rank_roll_offs: Sequence[RollOffRolls] = (),
) -> tuple[FactionLine, ...]:
    """Rule 5.3: factions by combined Battle Points, then Fleet Points, then the champions' roll-off.

    A roll-off counts when it was made after the last round by exactly the champions of the factions that
    are tied, for the victory (`roll_offs`) or for their own ranks (`rank_roll_offs`). Players without a faction
    are left out; factions that stay level share a rank, by name.
    """
    rolls = _rolls_of(table, roll_offs, rank_roll_offs)
    in_order = [
        (line, place)
        for rivals in _rivals(table, participants)
        for place, level in enumerate(levels(tuple(rivals), rolls.get(tuple(sorted(rivals)), ())))
        for line in sorted((rivals[champion] for champion in level), key=lambda line: line.faction)
    ]
    return tuple(
        replace(line, rank=rank, shared=shared)
        for rank, shared, (line, _) in ranked(in_order, level=lambda item: (_order(item[0]), item[1]))
    )


def faction_tie(
    table: Sequence[Standing],
    participants: Sequence[Participant],
    roll_offs: Sequence[RollOffRolls] = (),
    rank_roll_offs: Sequence[RollOffRolls] = (),
) -> tuple[int, ...]:
    """Rule 5.3: the champions (by id) who roll off for the victory, all who were tied; nobody if decided."""
    best = [line for line in faction_table(table, participants, roll_offs, rank_roll_offs) if line.rank == 1]
    return tuple(sorted(_rivals(table, participants)[0])) if len(best) > 1 else ()


def victorious(lines: Sequence[FactionLine]) -> FactionLine | None:
    """Rule 5.3: the first of these factions, the best first; None where several share that rank, or there is none."""
    return lines[0] if lines and not lines[0].shared else None


def _rolls_of(
    table: Sequence[Standing], roll_offs: Sequence[RollOffRolls], rank_roll_offs: Sequence[RollOffRolls]
) -> dict[tuple[int, ...], tuple[DiceRoll, ...]]:
    """By group the rolls that count for factions: those for the victory where they decided it, or those for ranks.

    A roll-off for ranks that nobody shares any more is void (rule 4.3).
    """
    after = _round(table)
    tied = set(tied_before_dice(table).values())
    found = {group: rolls for group, rolls in rolls_after(after, rank_roll_offs).items() if group in tied}
    for group, rolls in rolls_after(after, roll_offs).items():
        if group not in found or not still_tied(group, rolls):
            found[group] = rolls
    return found


def _rivals(table: Sequence[Standing], participants: Sequence[Participant]) -> list[dict[int, FactionLine]]:
    """The factions in groups that are tied before a roll-off, best first, each by its champion."""
    factions = {who.id: who.faction for who in participants if who.faction}
    members: dict[str, list[Standing]] = {}
    for standing in table:
        if standing.id in factions:
            members.setdefault(factions[standing.id], []).append(standing)
    lines = sorted((_line(faction, players) for faction, players in members.items()), key=_order)
    return [{line.champion: line for line in group} for _, group in groupby(lines, key=_order)]


def _line(faction: str, players: Sequence[Standing]) -> FactionLine:
    """The sums of a faction whose players stand in rank order; its rank is not known yet."""
    battle_points = sum(player.battle_points for player in players)
    fleet_points = sum(player.fleet_points for player in players)
    return FactionLine(faction, 0, False, battle_points, fleet_points, players[0].id, len(players))


def _order(line: FactionLine) -> tuple[int, int]:
    return -line.battle_points, -line.fleet_points


def _round(table: Sequence[Standing]) -> int:
    return len(table[0].rounds) if table else 0
