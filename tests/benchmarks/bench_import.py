"""What it costs to read an event back from its archive: processor time of this process and the database's."""

import json

import pytest
from django.db import connection, transaction

from tests.benchmarks.bench_night import table
from tests.benchmarks.bench_store import cpu
from tests.support.large_nights import make_large_night
from tests.support.nights import BY, make_store
from tourney.actions import events
from tourney.actions.archive import import_event
from tourney.queries.archive import archive_of

SIZES = (50, 250, 1000)
ROUNDS = 6


@pytest.mark.django_db
def bench_import_of_an_archive():
    rows = [("entrants", "archive", "import")]
    for size in SIZES:
        archive = archive_of_a_large_night(size)
        store, _ = make_store("Another Harbor")
        with transaction.atomic():
            taken = cpu(lambda archive=archive, store=store: import_event(store, archive, by=BY), times=1)
            connection.check_constraints()
            transaction.set_rollback(True)
        rows.append((str(size), f"{len(json.dumps(archive)) / 1000:.0f} kB", f"{taken:.2f} s"))
    table(f"Import of a finished event of {ROUNDS} rounds (CPU of action + database, once)", rows)


def archive_of_a_large_night(size: int) -> dict:
    """Of a finished event that is gone again."""
    with transaction.atomic():
        event = make_large_night(players=size, rounds=ROUNDS).event
        events.finish_event(event, by=BY, reason="the shop closes")
        archive = json.loads(json.dumps(archive_of(event)))
        transaction.set_rollback(True)
    return archive
