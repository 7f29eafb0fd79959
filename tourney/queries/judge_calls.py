"""The judges that players called for anything but a fleet sheet, and where these players are."""

from dataclasses import dataclass
from datetime import datetime

from tourney.domain.progress import why_not_take_part
from tourney.models import Entrant, JudgeCall, Round
from tourney.queries.months import is_ahead
from tourney.queries.sent import sent_of
from tourney.queries.state import EventState
from tourney.runtime.messages import Message, message

ABOUT = {
    JudgeCall.About.RULES: message("Rules question"),
    JudgeCall.About.TIME: message("Time"),
    JudgeCall.About.BEHAVIOR: message("Behavior"),
    JudgeCall.About.OTHER: message("Something else"),
}
"""What a judge can be called for."""


@dataclass(frozen=True, slots=True)
class PlayerCall:
    """An open call of the player `by`; at `table` in the round in play, None for who sits at none."""

    row: JudgeCall
    by: Entrant
    table: int | None

    @property
    def about(self) -> Message:
        """What it is about."""
        return ABOUT[JudgeCall.About(self.row.about)]


def player_calls(state: EventState) -> tuple[PlayerCall, ...]:
    """The open calls, those first that nobody has answered, each the oldest first.

    None once the event is finished. Memoized by the state.
    """
    return state.memoized("player calls", lambda: _player_calls(state))


def _player_calls(state: EventState) -> tuple[PlayerCall, ...]:
    if state.is_finished:
        return ()
    by_pk = {entrant.pk: entrant for entrant in state.entrants}
    calls = sent_of(state).calls
    return tuple(PlayerCall(row, by, table_now(state, by.number)) for row in calls if (by := by_pk.get(row.entrant_id)))


def why_no_call(state: EventState, now: datetime) -> tuple[Message, ...]:
    """What keeps a player from calling a judge: nobody comes before the day, unless a round is drawn, or afterwards."""
    if reasons := why_not_take_part(state.is_finished, state.event.is_canceled):
        return reasons
    if is_ahead(state.event, now) and not state.rounds:
        return (message("You can call a judge on the day of the event."),)
    return ()


def table_now(state: EventState, number: int) -> int | None:
    """The table where that player sits in the round in play."""
    last = state.public_rounds[-1] if state.public_rounds else None
    match = last.match_of(number) if last and last.state == Round.State.PUBLISHED else None
    return match.table if match else None
