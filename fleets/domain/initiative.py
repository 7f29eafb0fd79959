"""Who has the initiative between two fleets (rule 7.16)."""

from collections.abc import Sequence
from dataclasses import dataclass

from fleets.domain.cards import FACTIONS
from tourney.runtime.messages import Message, message

LOWER_TOTAL = message("lower fleet total")
EARLIER_FACTION = message("tied totals, and the faction goes first")
ORDER = tuple(name.casefold() for name in FACTIONS.values())


@dataclass(frozen=True, slots=True)
class Bid:
    """What decides it on one side: the fleet's total in SP (None: not known), and the player's faction by its name."""

    total: int | None
    faction: str = ""


@dataclass(frozen=True, slots=True)
class Initiative:
    """`side` is 0 or 1, and None where chance decides; `why` is a clause without a full stop."""

    side: int | None
    why: Message


def initiative(bids: Sequence[Bid]) -> Initiative | None:
    """Rule 7.16 for the two bids: the lower total, then the order of the factions; None while a total is not known."""
    first, second = bids
    if first.total is None or second.total is None:
        return None
    if first.total != second.total:
        return Initiative(int(second.total < first.total), LOWER_TOTAL)
    places = _place(first.faction), _place(second.faction)
    if places[0] is None or places[1] is None:
        return Initiative(None, message("tied totals: compare factions, then roll"))
    if places[0] == places[1]:
        return Initiative(None, message("tied totals, same faction: roll"))
    return Initiative(int(places[1] < places[0]), EARLIER_FACTION)


def _place(faction: str) -> int | None:
    name = faction.casefold()
    return ORDER.index(name) if name in ORDER else None
