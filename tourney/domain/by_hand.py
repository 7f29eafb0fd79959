"""Rule 3.9: who sits where in a draft, and what a hand makes of it.

Places are the players of each table by its number, and of the bye under None. Whoever has no place waits.
"""

from collections.abc import Mapping
from enum import StrEnum

from tourney.runtime.messages import Message, message

type Places = Mapping[int | None, tuple[int, ...]]


class Spot(StrEnum):
    """Where a player can be put who is not to sit with anybody."""

    BYE = "bye"
    WAITING = "wait"


class NoMove(Exception):
    """The move would change nothing, or makes no sense; `reason` is a sentence for the person who asked."""

    def __init__(self, reason: Message) -> None:
        self.reason = reason
        super().__init__(reason)


def moved(places: Places, who: int, to: int | Spot, *, free: int) -> Places:
    """The places after `who` was put at that spot, or where player `to` is; `free` numbers a table that is new.

    Two who sit nowhere, the bye counted, get a table of their own; otherwise two change places. Whoever leaves a
    table breaks it, and the other waits. Raises NoMove.
    """
    if to is Spot.WAITING:
        return _without(places, who)
    if to is Spot.BYE:
        return _to_the_bye(places, who)
    if who == to:
        raise NoMove(message("Choose two different players in this draft."))
    first, second = (_place(places, one) for one in (who, to))
    if first is second is None:
        rest = {number: seated for number, seated in places.items() if who not in seated and to not in seated}
        return rest | {free: (who, to)}
    if first == second:
        raise NoMove(message("These two already play each other, so swapping them would change nothing."))
    other = {who: to, to: who}
    return {number: tuple(other.get(one, one) for one in seated) for number, seated in places.items()}


def unpaired(places: Places, table: int) -> Places:
    """The places without that table; its two players wait. Raises NoMove."""
    if table not in places:
        raise NoMove(message("Table {table} is no longer in this draft.", table=table))
    return {number: seated for number, seated in places.items() if number != table}


def _place(places: Places, who: int) -> int | None:
    """The table of that player; None for the bye and for nowhere."""
    return next((number for number, seated in places.items() if who in seated), None)


def _without(places: Places, who: int) -> Places:
    left = {number: seated for number, seated in places.items() if who not in seated}
    if len(left) == len(places):
        raise NoMove(message("This player is already waiting."))
    return left


def _to_the_bye(places: Places, who: int) -> Places:
    if None not in places:
        left = {number: seated for number, seated in places.items() if who not in seated}
        return left | {None: (who,)}
    (holder,) = places[None]
    if holder == who:
        raise NoMove(message("This player already has the bye."))
    other = {who: holder, holder: who}
    return {number: tuple(other.get(one, one) for one in seated) for number, seated in places.items()}
