"""The timetable of an evening: rounds by their minutes, and the breaks between them."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from tourney.domain.timetable import timetable

BERLIN = ZoneInfo("Europe/Berlin")
EVENING = datetime(2026, 11, 20, 18, 45, tzinfo=BERLIN)

CASES = [
    pytest.param(1, 60, 15, ["R1 18:45–19:45"], id="one round has no break"),
    pytest.param(2, 50, 15, ["R1 18:45–19:35", "break 19:35–19:50", "R2 19:50–20:40"], id="a break between two"),
    pytest.param(2, 50, 0, ["R1 18:45–19:35", "R2 19:35–20:25"], id="no minutes are no break"),
    pytest.param(
        3,
        90,
        30,
        ["R1 18:45–20:15", "break 20:15–20:45", "R2 20:45–22:15", "break 22:15–22:45", "R3 22:45–00:15"],
        id="past midnight",
    ),
]


def told(slots) -> list[str]:
    return [
        f"{'break' if one.is_break else f'R{one.round}'} "
        f"{one.starts_at.astimezone(BERLIN):%H:%M}–{one.ends_at.astimezone(BERLIN):%H:%M}"
        for one in slots
    ]


@pytest.mark.parametrize(("rounds", "minutes", "pause", "expected"), CASES)
def test_rounds_and_breaks_follow_one_another(rounds: int, minutes: int, pause: int, expected: list[str]):
    assert told(timetable(EVENING, rounds=rounds, minutes=minutes, break_minutes=pause)) == expected


def test_an_hour_is_an_hour_in_the_night_in_which_clocks_go_back():
    late = datetime(2026, 10, 25, 1, 30, tzinfo=BERLIN)

    slots = timetable(late, rounds=2, minutes=60, break_minutes=30)

    assert told(slots) == ["R1 01:30–02:30", "break 02:30–02:00", "R2 02:00–03:00"]
    assert slots[-1].ends_at - slots[0].starts_at == datetime(2026, 1, 1, 2, 30) - datetime(2026, 1, 1)
    assert slots[0].starts_at.tzinfo is UTC
