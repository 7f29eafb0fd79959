"""How much the history of a night takes, by table and by what happened to the row; and what reading it costs."""

from random import Random

import pytest
from django.db import connection

from fleets import starter
from tests.benchmarks.bench_night import table
from tests.benchmarks.bench_store import cpu
from tests.support.nights import AT, make_night
from tourney.actions import events, simulation
from tourney.models import Event
from tourney.queries.history import differences, state_at, steps_kept

PLAYERS, ROUNDS = 50, 3
SIZES = """
    SELECT "table", CASE WHEN before IS NULL THEN 'added' WHEN after IS NULL THEN 'deleted' ELSE 'changed' END,
        count(*), sum(coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0)),
        sum(coalesce(pg_column_size(before), 0) + coalesce(pg_column_size(after), 0))
    FROM tourney_change WHERE event_id = %s GROUP BY 1, 2 ORDER BY 4 DESC
"""


@pytest.mark.django_db
def bench_history_of_a_night_with_fleets():
    event = night_of_fleets()
    with connection.cursor() as cursor:
        cursor.execute(SIZES, [event.pk])
        found = cursor.fetchall()
    total = [sum(int(row[column]) for row in found) for column in (2, 3, 4)]
    rows = [("table", "rows", "of them", "as text", "stored")]
    rows += [(name, what, str(count), kilobytes(text), kilobytes(stored)) for name, what, count, text, stored in found]
    rows += [("all", "", str(total[0]), kilobytes(total[1]), kilobytes(total[2]))]
    table(f"History of a finished night of {PLAYERS} with fleets, {ROUNDS} rounds", rows)
    last = steps_kept(event).order_by("pk").last()
    taken = [f"{cpu(act) * 1000:.0f} ms" for act in (lambda: differences(event), lambda: state_at(event, last))]
    table("Reading it (CPU of this process + database)", [("proved", "as it stood after the last step"), tuple(taken)])


def kilobytes(size: int) -> str:
    return f"{int(size) / 1000:.0f} kB"


def night_of_fleets() -> Event:
    """Played through the actions: drafts, results by desk and phone, dice, rounds closed, finished."""
    starter.load()
    event, random, by = make_night(players=PLAYERS).event, Random(1), simulation.actor_at(AT)
    simulation.equip(event, random=random, by=by)
    for _ in range(ROUNDS):
        by = simulation.draw(event, random=random, by=by)
        by = simulation.play_round(event, random=random, by=by, by_phone=True)
    events.finish_event(event, by=by, reason="the shop closes")
    return Event.objects.with_context().get(pk=event.pk)
