"""On which day the next month is played, and which days are asked about once."""

from datetime import date, datetime, time
from zoneinfo import ZoneInfo

import pytest

from tourney.domain.dates import a_month_on, why_really


@pytest.mark.parametrize(
    ("last", "following"),
    [
        ("2026-11-20", "2026-12-18"),  # a third Friday
        ("2026-11-01", "2026-12-06"),  # a first Sunday, five weeks on
        ("2026-11-07", "2026-12-05"),  # the 7th is still the first of its weekday
        ("2026-11-08", "2026-12-13"),  # the 8th is the second
        ("2026-11-27", "2026-12-25"),  # a fourth Friday in months that have no fifth, or have one
        ("2026-12-25", "2027-01-22"),
        ("2026-10-30", "2026-11-27"),  # a fifth Friday: the last one where there is no fifth
        ("2026-10-31", "2026-11-28"),
        ("2026-07-31", "2026-08-28"),
        ("2027-10-29", "2027-11-26"),
        ("2027-01-29", "2027-02-26"),  # February has four of each
        ("2028-01-31", "2028-02-28"),  # a fifth Monday, before a leap day
        ("2028-02-29", "2028-03-28"),  # a leap day is a fifth Tuesday; March has four
        ("2026-12-31", "2027-01-28"),  # over the end of the year
        ("2026-12-18", "2027-01-15"),
        ("2026-03-20", "2026-04-17"),  # over the days on which clocks change
        ("2026-10-16", "2026-11-20"),
    ],
)
def test_a_month_on_is_the_same_weekday_at_the_same_place_of_the_next_month(last, following):
    day = a_month_on(date.fromisoformat(last), today=date.fromisoformat(last))

    assert day.isoformat() == following
    assert day.weekday() == date.fromisoformat(last).weekday()


@pytest.mark.parametrize(
    ("last", "today", "following"),
    [
        ("2026-11-20", "2026-12-18", "2026-12-18"),  # that very day
        ("2026-11-20", "2026-12-19", "2027-01-15"),  # the day after
        ("2025-05-16", "2026-11-26", "2026-12-18"),  # after a break of a year and a half
        ("2026-10-30", "2026-12-01", "2026-12-25"),  # a fifth Friday, two months on: the last one
        ("2026-11-20", "1999-01-01", "2026-12-18"),  # a clock that is behind
    ],
)
def test_no_day_before_today_is_proposed(last, today, following):
    day = a_month_on(date.fromisoformat(last), today=date.fromisoformat(today))

    assert day.isoformat() == following


@pytest.mark.parametrize(("last", "hours"), [("2026-10-16", 5 * 7 * 24 + 1), ("2026-03-20", 4 * 7 * 24 - 1)])
def test_the_evening_begins_at_the_same_time_though_the_clocks_change(last, hours):
    berlin, day = ZoneInfo("Europe/Berlin"), date.fromisoformat(last)
    following = a_month_on(day, today=day)

    evenings = [datetime.combine(one, time(18, 30), berlin) for one in (day, following)]

    assert (evenings[1].timestamp() - evenings[0].timestamp()) / 3600 == hours


TODAY = date(2026, 11, 26)


@pytest.mark.parametrize(
    ("day", "why"),
    [
        ("2026-11-26", None),
        ("2026-11-27", None),
        ("2027-11-27", None),
        ("2027-11-28", "more than a year away"),
        ("2099-01-01", "more than a year away"),
        ("2026-11-25", "in the past"),
        ("2025-11-25", "in the past"),
        ("2025-11-24", "more than a year ago"),
        ("1999-12-18", "more than a year ago"),
    ],
)
def test_a_date_that_is_unlikely_is_asked_about(day, why):
    asked = why_really(date.fromisoformat(day), TODAY)

    assert (asked is None) if why is None else why in str(asked)
