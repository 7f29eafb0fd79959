"""Everybody registered, as the desk lists them: on the page of players, and on the Overview before round 1."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from tourney.models import Entrant
from tourney.queries.finding import queue_of
from tourney.queries.fleets import Status, fleets_of, statuses
from tourney.queries.state import EventState
from tourney.runtime.alphabet import alphabetical


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """An entrant for a page: `status` is waiting, queued, present or dropped; `late` a late arrival's first round.

    `queue` is the number on the waiting list of who is queued.
    """

    entrant: Entrant
    status: str
    late: int | None
    has_seat: bool
    fleet: Status | None = None
    queue: int = 0

    @property
    def key(self) -> int:
        """Changes with the name, so that a field opened to change it stays open until somebody does."""
        return crc32(self.entrant.player.name.encode())


def lines_of(state: EventState, show: str = "", sort: str = "") -> list[PlayerLine]:
    """Those of that status, or all of them, in the order of SORTS (by name); those who dropped last.

    Memoized by the state.
    """
    everybody = state.memoized("player_lines", lambda: _lines(state))
    if not show and not sort:
        return everybody
    return state.memoized(("player_lines", show, sort), lambda: _chosen(everybody, show, sort))


def _chosen(everybody: Sequence[PlayerLine], show: str, sort: str) -> list[PlayerLine]:
    """As lines are in the order of names already, so are those that a sort finds alike."""
    shown = [line for line in everybody if not show or _is_shown(line, show)]
    order = SORTS.get(sort)
    return sorted(shown, key=lambda line: (line.status == "dropped", order(line))) if order else shown


def _by_faction(line: PlayerLine) -> tuple[bool, Any]:
    return not line.entrant.faction, alphabetical(line.entrant.faction)


SORTS: dict[str, Callable[[PlayerLine], Any]] = {
    "faction": _by_faction,
    "order": lambda line: line.entrant.number,
    "state": lambda line: ("waiting", "queued", "present", "dropped").index(line.status),
}
"""Orders of the list besides that of names: who has no faction comes last, and who is missing first."""


def _is_shown(line: PlayerLine, show: str) -> bool:
    """Whether the player is of that status; or lacks a faction or a fleet, and still comes."""
    if show in ("no_faction", "no_fleet"):
        lacks = not line.entrant.faction if show == "no_faction" else not line.entrant.has_fleet
        return lacks and line.status != "dropped"
    return line.status == show


def _lines(state: EventState) -> list[PlayerLine]:
    first: dict[int, int] = {}
    for round in state.rounds:
        for match in round.matches:
            for number in match.numbers:
                first.setdefault(number, round.number)
    fleets = _fleets(state)
    lines = [_line(state, entrant, first.get(entrant.number), fleets.get(entrant.number)) for entrant in state.entrants]
    return sorted(lines, key=lambda line: (line.status == "dropped", alphabetical(line.entrant.player.name)))


def _fleets(state: EventState) -> dict[int, Status]:
    """What the list says of fleets: nothing where nobody has one and none is asked for."""
    fleets = fleets_of(state) if any(entrant.has_fleet for entrant in state.entrants) else {}
    return statuses(state, fleets) if fleets or state.event.fleets_must_be_legal else {}


def _line(state: EventState, entrant: Entrant, first: int | None, fleet: Status | None) -> PlayerLine:
    starts = first or len(state.rounds) + 1
    status = "present" if entrant.checked_in else "waiting"
    if entrant.number in state.waiting_list:
        status = "queued"
    if entrant.dropped_from is not None:
        status = "dropped"
    late = starts if starts > 1 else None
    return PlayerLine(entrant, status, late, first is not None, fleet, queue_of(state, entrant))
