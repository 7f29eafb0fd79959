"""On which day the next month is played, and which days are so unlikely that they are asked about once."""

from collections.abc import Iterator
from datetime import date, timedelta

from tourney.runtime.messages import Message, message

FIRST_YEAR, LAST_YEAR = 1990, 2100
"""Years in which an event can be."""
A_YEAR = timedelta(days=366)
WEEK = timedelta(weeks=1)


def a_month_on(last: date, today: date) -> date:
    """The same weekday at the same place of a later month, the first of them that is not before today.

    After a third Friday comes a third Friday; after a fifth one the last of its month.
    """
    place = (last.day - 1) // 7
    return next(day for day in _days_at(last, place) if day >= today)


def why_really(day: date, today: date) -> Message | None:
    """Why somebody is asked once whether an event is really on that day; None where nothing is odd about it."""
    if today - day > A_YEAR:
        return message("This date is more than a year ago. If it’s right, press the button again.")
    if day < today:
        return message("This date is in the past. If it’s right, press the button again.")
    if day - today > A_YEAR:
        return message("This date is more than a year away. If it’s right, press the button again.")
    return None


def _days_at(last: date, place: int) -> Iterator[date]:
    """The days with that weekday at that place, 0 to 4, of each month after the one of `last`."""
    month = last.replace(day=1)
    while True:
        month = (month + timedelta(days=31)).replace(day=1)
        first = month + timedelta(days=(last.weekday() - month.weekday()) % 7)
        in_month = [day for week in range(5) if (day := first + week * WEEK).month == month.month]
        yield in_month[min(place, len(in_month) - 1)]
