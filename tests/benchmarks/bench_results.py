"""What one result costs: processor time of the action, and of the whole request, by the size of the event."""

from collections.abc import Callable
from itertools import count
from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from scoring.domain.points import Ending, Played, Side
from tests.benchmarks.bench_night import table
from tests.benchmarks.bench_store import cpu
from tests.support.large_nights import make_large_night
from tests.support.nights import BY
from tests.support.result_forms import TIME
from tourney.actions import reports, simulation
from tourney.actions.results import report_result
from tourney.models import Round
from tourney.queries.results import ResultInput
from tourney.queries.state import state_of

SIZES, ROUNDS, RUNS = (24, 128, 500, 1000), 6, 3


@pytest.mark.django_db(transaction=True)
def bench_a_result(client: Client):
    """Each at a table of its own: entered by the action, sent by the desk, reported and agreed by two phones."""
    rows = [("players", "action", "POST at the desk", "reported and agreed")]
    rows += [costs(size, client) for size in SIZES]
    table(f"One result, {ROUNDS} rounds behind it (CPU of page + database, mean of {RUNS})", rows)


def costs(size: int, client: Client) -> tuple[str, ...]:
    night = make_large_night(players=size, rounds=ROUNDS, seed=size)
    event, number = night.event, ROUNDS + 1
    simulation.draw(event, random=Random(size), by=BY)
    client.force_login(night.organizer)
    assert event.rounds.get(number=number).state == Round.State.PUBLISHED
    tables, seats = count(1), {match.table: match.numbers for match in state_of(event).rounds[-1].tables}
    played = Played(Ending.TIME, (Side(35), Side(50)))

    def act() -> None:
        report_result(event, number, next(tables), ResultInput(played), version=0, by=BY)

    def send() -> None:
        answer = client.post(reverse("result", args=[event.slug, number, next(tables)]), TIME)
        assert answer.status_code == 302, answer.content.decode()

    def agree() -> None:
        for entrant in seats[next(tables)]:
            reports.report(event, number, entrant, played, by=BY)

    return (str(size), *map(figure, (act, send, agree)))


def figure(act: Callable[[], None]) -> str:
    """Of three runs after a first; a table of its own each."""
    act()
    return f"{cpu(act, times=RUNS) * 1000:.1f} ms"
