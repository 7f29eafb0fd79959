"""When an evening's rounds and breaks begin and end, as it is planned."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta


@dataclass(frozen=True, slots=True)
class TimetableSlot:
    """A stretch of the evening: the round of that number, or the break after it."""

    round: int
    is_break: bool
    starts_at: datetime
    ends_at: datetime


def timetable(starts_at: datetime, *, rounds: int, minutes: int, break_minutes: int) -> tuple[TimetableSlot, ...]:
    """Every round of so many minutes, with a break of so many between two; none after the last, none of 0 minutes.

    The minutes are those that pass, also in the night in which clocks are changed.
    """
    slots: list[TimetableSlot] = []
    now = starts_at.astimezone(UTC)
    for number in range(1, rounds + 1):
        lengths = [(False, minutes), (True, break_minutes if number < rounds else 0)]
        for is_break, length in lengths:
            if length:
                slots.append(TimetableSlot(number, is_break, now, now := now + timedelta(minutes=length)))
    return tuple(slots)
