"""Who has a place at an event with so many, and who waits for one in which order; until when players sign up."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from tourney.runtime.messages import Message, message


@dataclass(frozen=True, slots=True)
class PlaceClaim:
    """A registered player: `number` is the order in which they registered.

    `is_released`: the desk released the place for those who wait.
    """

    number: int
    is_checked_in: bool = False
    has_dropped: bool = False
    is_released: bool = False


def waiting_list(claims: Iterable[PlaceClaim], places: int | None) -> tuple[int, ...]:
    """The numbers of those who wait for one of so many places (None: for everybody), the next one first.

    Whoever is here has a place. The others get what is left in the order in which they registered, those whose place
    was released after all others. Who dropped needs none.
    """
    if places is None:
        return ()
    coming = [claim for claim in claims if not claim.has_dropped]
    left = max(0, places - sum(claim.is_checked_in for claim in coming))
    others = sorted((claim.is_released, claim.number) for claim in coming if not claim.is_checked_in)
    return tuple(number for _, number in others[left:])


def how_many_wait(here: int, coming: int, places: int | None) -> int:
    """How long the waiting list is, where so many come, of whom so many are here."""
    return 0 if places is None else max(0, coming - here - max(0, places - here))


def free_places(claims: Iterable[PlaceClaim], places: int | None) -> int | None:
    """How many places nobody has, and nobody waits for; None where there are places for everybody."""
    if places is None:
        return None
    return max(0, places - sum(not claim.has_dropped for claim in claims))


def to_release(claims: Iterable[PlaceClaim], places: int | None) -> tuple[int, ...]:
    """The numbers of those who have a place and are not here; nobody unless somebody waits who would get one."""
    known = {claim.number: claim for claim in claims}
    waiting = waiting_list(known.values(), places)
    if all(known[number].is_released for number in waiting):
        return ()
    holding = (one for one in known.values() if not (one.is_checked_in or one.has_dropped or one.is_released))
    return tuple(one.number for one in holding if one.number not in waiting)


def why_no_sign_up(is_open: bool, closes_at: datetime | None, now: datetime) -> tuple[Message, ...]:
    """What keeps players from registering themselves at that moment."""
    if not is_open or (closes_at is not None and now >= closes_at):
        return (message("Registration is closed."),)
    return ()
