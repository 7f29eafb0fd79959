"""Who registered by phone from one place in so short a time that a program may have done it."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from tourney.domain.joining import most_in_a_minute
from tourney.models import Entrant, Joining
from tourney.queries.state import EventState
from tourney.runtime.messages import Message, message

MANY = {"device": 10, "network": 30}
"""From how many in one minute on the desk is told. A tablet at the counter is slower than that; a full store is not."""


@dataclass(frozen=True, slots=True)
class Crowd:
    """People who registered from one device, or one network; `most` of them within one minute."""

    place: str
    most: int
    entrants: tuple[Entrant, ...]

    @property
    def sentence(self) -> Message:
        """The crowd in one sentence for the desk."""
        if self.place == "device":
            return message("{most} players joined in one minute from one device", most=self.most)
        return message("{most} players joined in one minute from one network", most=self.most)


def crowds_of(state: EventState) -> list[Crowd]:
    """Those of one device first, then the largest.

    Who is checked in, has a seat or dropped is known to the desk and not among them.
    """
    if state.is_finished or not any(_is_unknown(entrant) for entrant in state.entrants):
        return []
    seated = {number for round in state.rounds for match in round.matches for number in match.numbers}
    by_id = {one.pk: one for one in state.entrants if _is_unknown(one) and one.number not in seated}
    kept = Joining.objects.filter(event=state.event, entrant__in=by_id).order_by("at", "pk")
    rows = [(row.entrant_id, row) for row in kept if row.entrant_id is not None]
    found: list[Crowd] = []
    told: set[int] = set()
    for place, many in MANY.items():
        together: defaultdict[str, list[tuple[int, datetime]]] = defaultdict(list)
        for entrant, row in rows:
            if entrant not in told:
                together[getattr(row, place)].append((entrant, row.at))
        for group in together.values():
            most = most_in_a_minute([at for _, at in group])
            if most >= many:
                found.append(Crowd(place, most, tuple(by_id[entrant] for entrant, _ in group)))
                told.update(entrant for entrant, _ in group)
    return sorted(found, key=lambda crowd: (crowd.place != "device", -crowd.most))


def _is_unknown(entrant: Entrant) -> bool:
    return entrant.by_self and not entrant.checked_in and entrant.dropped_from is None
