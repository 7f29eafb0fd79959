"""How long the desk waits: the standings, the draw, the whole action with its database, the pages."""

from collections.abc import Callable
from statistics import median
from time import perf_counter

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.domain.standings import standings, why
from tests.support.large_nights import make_large_night
from tests.support.nights import BY
from tourney.actions import rounds
from tourney.domain.swiss import pair
from tourney.models import Event
from tourney.queries.state import state_of

SIZES = (8, 32, 128, 1000)
ROUNDS = 6


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
def bench_a_night_with_six_rounds_behind_it(client: Client):
    title = f"A night with {ROUNDS} rounds behind it, 5 % gone since (median of 5; pair, saved: once)"
    columns = "players|load|standings|with reasons|who plays whom|event page|not changed|pair, saved|queries"
    rows = [tuple(columns.split("|"))]
    rows += [figures(size, client) for size in SIZES]
    table(title, rows)


def figures(size: int, client: Client) -> tuple[str, ...]:
    """One row: everything in milliseconds, then how often the saved pairing asks the database."""
    event = make_large_night(players=size + size // 20, rounds=ROUNDS, drop_outs=size // 20, seed=size).event
    state = state_of(event)
    rules, people, scores = event.rules, state.participants(ROUNDS), state.scores(ROUNDS)
    dice, contenders = state.roll_off_facts(), state.contenders(ROUNDS + 1)
    page = reverse("event", args=[event.slug])
    etag = client.get(page)["ETag"]
    taken = (
        seconds(lambda: state_of(event)),
        seconds(lambda: standings(rules, people, scores, dice)),
        seconds(lambda: why(standings(rules, people, scores, dice), state.names, dice)),
        seconds(lambda: pair(contenders, seed=1)),
        seconds(lambda: client.get(page)),
        seconds(lambda: client.get(page, headers={"If-None-Match": etag})),
        seconds(lambda: rounds.pair_round(event, seed=1, by=BY), times=1),
    )
    return (str(size), *map(milliseconds, taken), queries_of_a_pairing(event))


def queries_of_a_pairing(event: Event) -> str:
    """The draft is discarded and made again, this time counted: counting costs time."""
    rounds.discard_draft(event, ROUNDS + 1, by=BY)
    with CaptureQueriesContext(connection) as queries:
        rounds.pair_round(event, seed=1, by=BY)
    return str(len(queries))
