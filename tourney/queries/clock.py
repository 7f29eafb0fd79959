"""The clock of a round, as a page shows it (rule 1.1)."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from tourney.models import Round
from tourney.queries.matches import RoundState
from tourney.queries.state import EventState
from tourney.runtime.messages import pmessage

LAST_TEN, LAST_MINUTE = 600, 60


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock at the moment `now`. `phase` is waiting (not started), paused, running, last-ten, last-minute or over."""

    phase: str
    seconds: int
    now: datetime
    ends_at: datetime | None = None

    @property
    def text(self) -> str:
        """What the clock reads: "42:00", or "Time" when it has run out."""
        return (
            str(pmessage("on the clock", "Time"))
            if self.phase == "over"
            else f"{self.seconds // 60}:{self.seconds % 60:02}"
        )

    @property
    def ends_ms(self) -> int | None:
        """The end in milliseconds since 1970, for the browser; None while the clock stands."""
        return None if self.ends_at is None else round(self.ends_at.timestamp() * 1000)

    @property
    def now_ms(self) -> int:
        """The server's time in milliseconds since 1970."""
        return round(self.now.timestamp() * 1000)


def clock_of(row: Round, minutes: int, now: datetime) -> Clock:
    """The clock of that round, which lasts so many minutes unless somebody extended it."""
    if row.ends_at is None:
        phase = "waiting" if row.paused_seconds_left is None else "paused"
        return Clock(phase, minutes * 60 if row.paused_seconds_left is None else row.paused_seconds_left, now)
    seconds = max(0, -int((now - row.ends_at).total_seconds() // 1))
    return Clock(_phase(seconds), seconds, now, row.ends_at)


def clock_shown(state: EventState, round: RoundState | None) -> Clock | None:
    """The clock of that round now; while it stands still, one and the same for all who read this state."""
    if round is None:
        return None
    clock = clock_of(round.row, state.event.minutes, timezone.now())
    return clock if clock.ends_at else state.memoized(("clock", round.number), lambda: clock)


def _phase(seconds: int) -> str:
    if seconds == 0:
        return "over"
    if seconds <= LAST_MINUTE:
        return "last-minute"
    return "last-ten" if seconds <= LAST_TEN else "running"
