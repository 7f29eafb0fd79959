"""How long the desk waits: the draw, the whole action, the standings, the pages."""

from collections.abc import Callable
from statistics import median
from time import perf_counter

import pytest
from django.test import Client
from django.urls import reverse

from tests.nights import BY, make_night
from tourney.actions import rounds
from tourney.domain.swiss import pair
from tourney.queries.state import state_of

SIZES = (8, 32, 128)


def seconds(act: Callable[[], object], times: int = 5) -> float:
    """The median of so many runs."""
    taken = []
    for _ in range(times):
        start = perf_counter()
        act()
        taken.append(perf_counter() - start)
    return median(taken)


def table(title: str, rows: list[tuple[str, ...]]) -> None:
    print(f"\n\n{title}")
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)))


def milliseconds(taken: float) -> str:
    return f"{taken * 1000:.1f} ms"


@pytest.mark.django_db
def bench_a_night_with_three_rounds_behind_it(client: Client):
    rows = [("players", "draw of round 4", "state and standings", "event page", "not changed", "pair round 4, saved")]
    rows += [(str(size), *map(milliseconds, figures(size, client))) for size in SIZES]
    table("A night with three rounds behind it (median of 5; the saved pairing once)", rows)


def figures(size: int, client: Client) -> tuple[float, ...]:
    """Seconds for each column of the table."""
    event = make_night(players=size, rounds=3, seed=size).event
    event.rounds_planned = 4
    event.save()
    contenders = state_of(event).contenders(4)
    page = reverse("event", args=[event.slug])
    etag = client.get(page)["ETag"]
    return (
        seconds(lambda: pair(contenders, seed=1)),
        seconds(lambda: state_of(event).standing_lines(3)),
        seconds(lambda: client.get(page)),
        seconds(lambda: client.get(page, headers={"If-None-Match": etag})),
        seconds(lambda: rounds.pair_round(event, seed=1, by=BY), times=1),
    )
