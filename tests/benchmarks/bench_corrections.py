"""What it costs to look at a correction of the round before, with the next one in play: processor time by size.

And what the event's page costs its first reader after a step, an ordinary one or a correction.
"""

from collections.abc import Callable
from random import Random
from statistics import median
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scoring.domain.points import Ending, Played, Side
from tests.benchmarks.bench_night import table
from tests.benchmarks.bench_store import cpu
from tests.support.large_nights import make_large_night
from tests.support.nights import BY
from tourney.actions import results, simulation
from tourney.models import Event
from tourney.queries.repairs import Repair, RepairMode
from tourney.queries.results import ResultInput
from tourney.queries.shared import SHARED
from tourney.queries.state import state_of

SIZES, ROUNDS, RUNS = (24, 128, 500, 1000), 6, 3
OF_PAGE = (24, 128, 500)


@pytest.mark.django_db(transaction=True)
def bench_the_effect_of_a_correction(client: Client):
    """The page with all ways to go on, after its first answer."""
    rows = [("players", "preview (POST)", "with nothing kept", "kB")]
    rows += [figures(size, client) for size in SIZES]
    table(f"A correction looked at, {ROUNDS} rounds behind it (CPU of page + database, mean of {RUNS})", rows)


def figures(size: int, client: Client) -> tuple[str, ...]:
    night = make_large_night(players=size, rounds=ROUNDS, seed=size)
    simulation.draw(night.event, random=Random(size), by=BY)
    client.force_login(night.organizer)
    corrected = state_of(night.event).rounds[-2].tables[0]
    address = reverse("result", args=[night.event.slug, ROUNDS, corrected.table])
    facts = {"ending": "elimination", "out": "ab"[corrected.score.winner or 0], "sp_left_a": "5", "sp_left_b": "5"}
    asked = facts | {"version": str(corrected.version), "reason": "the slip was misread"}

    def look() -> int:
        answer = client.post(address, asked)
        assert answer.status_code == 200, answer.content.decode()
        assert b"Points of round 6" in answer.content or b"<h2" in answer.content
        return len(answer.content)

    def look_at_once() -> int:
        SHARED.forget()
        return look()

    size_of_page = look()
    taken = (f"{cpu(one, times=RUNS) * 1000:.0f} ms" for one in (look, look_at_once))
    return (str(size), *taken, f"{size_of_page / 1000:.0f}")


@pytest.mark.django_db(transaction=True)
def bench_the_page_of_the_event_after_a_step(client: Client):
    rows = [("players", "result", "correction", "with the round paired anew", "loaded anew")]
    rows += [after_a_step(size, client) for size in OF_PAGE]
    table(f"The event's page, first reader after a step (CPU of page + database, median of {RUNS})", rows)


def after_a_step(size: int, client: Client) -> tuple[str, ...]:
    event = make_large_night(players=size, rounds=ROUNDS, seed=size).event
    simulation.draw(event, random=Random(size), by=BY)
    steps = {
        "result": lambda place: enter(event, ROUNDS + 1, place),
        "correction": lambda place: enter(event, ROUNDS, place, reason="misread"),
        "paired anew": lambda place: enter(event, ROUNDS, place, reason="misread", repair=Repair(RepairMode.ALL)),
        "loaded anew": lambda place: SHARED.forget() or enter(event, ROUNDS + 1, place + RUNS),
    }
    return str(size), *(first_look(event, client, step) for step in steps.values())


def first_look(event: Event, client: Client, step: Callable[[int], object]) -> str:
    taken = []
    for place in range(RUNS):
        client.get(event.get_absolute_url())
        step(place)
        taken.append(cpu(lambda: client.get(event.get_absolute_url()), times=1))
    return f"{median(taken) * 1000:.0f} ms"


def enter(event: Event, number: int, place: int, **more: Any) -> None:
    """The other player wins there, or the second one."""
    match = state_of(event).rounds[number - 1].tables[place]
    out = (match.score.winner or 0) if match.score else 0
    left = [0 if side == out else 40 + place for side in range(2)]
    played = Played(Ending.ELIMINATION, (Side(left[0]), Side(left[1])), out=out)
    results.report_result(event, number, match.table, ResultInput(played), version=match.version, by=BY, **more)
