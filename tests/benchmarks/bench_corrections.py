"""What it costs to look at a correction of the round before, with the next one in play: processor time by size."""

from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from tests.benchmarks.bench_night import table
from tests.benchmarks.bench_store import cpu
from tests.support.large_nights import make_large_night
from tests.support.nights import BY
from tourney.actions import simulation
from tourney.queries.state import SHARED, state_of

SIZES, ROUNDS, RUNS = (24, 128, 500, 1000), 6, 3


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
