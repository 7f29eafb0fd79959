"""What players ask the desk for, and how far that is."""

from dataclasses import dataclass

from scoring.domain.points import Ending
from tourney.models import Entrant, Event, Round, Wish
from tourney.queries.matches import MatchState, RoundState
from tourney.queries.sent import sent_of
from tourney.queries.state import EventState
from tourney.runtime.messages import Message, message


@dataclass(frozen=True, slots=True)
class PlayerRequest:
    """A wish of `by`, made in that match: `kind` is asked, granted, declined, or moot (it was settled otherwise)."""

    row: Wish
    by: Entrant
    match: MatchState

    @property
    def side(self) -> str:
        """The letter of who asked."""
        return self.row.seat.side

    @property
    def tone(self) -> str:
        """How its message looks: success, warning or info."""
        return {"granted": "success", "declined": "warning"}.get(self.kind, "info")

    @property
    def kind(self) -> str:
        """One of asked, granted, declined and moot."""
        if self.row.answer:
            return self.row.answer
        if self.row.kind == Wish.Kind.DROP:
            return "asked" if self.by.dropped_from is None else "granted"
        result = self.match.result
        if result is None:
            return "asked" if self.match.round.state == Round.State.PUBLISHED else "moot"
        return "granted" if (result.ending, result.out) == (Ending.CONCESSION.value, self.side) else "moot"


def wishes_of(state: EventState) -> tuple[PlayerRequest, ...]:
    """Every wish at the tables of this state, oldest first."""
    rows = sent_of(state).wishes
    asked_in = {row.seat.round_id for row in rows}
    sits = {
        (round.row.pk, entrant.pk): (entrant, match)
        for round in state.public_rounds
        if round.row.pk in asked_in
        for match in round.matches
        for entrant in match.entrants
    }
    made = [(row, sits.get((row.seat.round_id, row.seat.entrant_id))) for row in rows]
    return tuple(PlayerRequest(row, *where) for row, where in made if where)


def round_of_wishes(state: EventState, number: int) -> RoundState | None:
    """The last published round, if that player sits in it: there they can ask for something."""
    last = state.public_rounds[-1] if state.public_rounds else None
    return last if last and last.match_of(number) else None


def why_not_ask(state: EventState, number: int, kind: str) -> Message | None:
    """Why that player cannot ask for this now; None if they can."""
    round = round_of_wishes(state, number)
    if state.is_finished or round is None:
        return message("You’re not at a table right now. Ask at the counter.")
    match = round.match_with(number)
    if kind == Wish.Kind.DROP and round.number >= state.event.rounds_planned:
        return message("This is the last round, so there’s no round to drop from.")
    if kind == Wish.Kind.DROP:
        return None if state.by_number[number].dropped_from is None else message("You’ve already dropped.")
    if match.is_bye or match.result or round.state != Round.State.PUBLISHED:
        return message("Your match is over, so there is nothing to concede.")
    return None


def wish_at(event: Event, number: int) -> Wish | None:
    """The wish of that id, with who asked, and where."""
    found = Wish.objects.filter(pk=number, seat__round__event=event)
    return found.select_related("seat__entrant__player", "seat__round", "seat__match").first()
