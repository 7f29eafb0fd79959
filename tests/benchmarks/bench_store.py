"""What pages over many months cost in a store that has played for years: processor time, and size."""

import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import psutil
import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from tests.benchmarks.bench_night import table
from tests.support.nights import make_night
from tests.support.years import add_months_before
from tourney.models import Event
from tourney.queries.campaigns import PEOPLE
from tourney.queries.records import PASTS
from tourney.queries.seasons import SEASONS
from tourney.queries.shared import SHARED
from tourney.runtime.memory import for_caches, of_machine

PLAYERS, SIZES, MONTHS = 64, (8, 40, 120, 320), 8
RUNS = 9


@pytest.mark.django_db
def bench_a_store_of_many_years(client: Client):
    """Of this process and of its connection's: pages are rendered in it, the database answers beside it."""
    night = make_night(players=PLAYERS, rounds=3, finish=True)
    player, other = (night.event.entrants.get(number=number).player for number in (1, 2))
    at = [night.store.slug]
    pages = {
        "home": reverse("store_home", args=at),
        "player": reverse("store_player", args=[*at, player.pk]),
        "head to head": reverse("head_to_head", args=[*at, player.pk, other.pk]),
    }
    rows = [("finished events", *pages, "player again")]
    there = 1
    for size in SIZES:
        add_months_before(night.event, size - there, months=MONTHS, first=there)
        there = size
        rows.append(
            (str(size), *(cost(client, page) for page in pages.values()), cost(client, pages["player"], again=True))
        )
    table(f"A store, {PLAYERS} players, {MONTHS} months to a campaign (CPU of page + database, median of {RUNS})", rows)


@pytest.mark.django_db
def bench_a_campaign_of_120_months(client: Client):
    night = make_night(players=PLAYERS, rounds=3, finish=True)
    add_months_before(night.event, 119, months=200)
    Event.objects.exclude(pk=night.event.pk).update(campaign=night.campaign)
    pages = {
        name: reverse(name, args=[night.store.slug, night.campaign.slug]) for name in ("campaign", "poster", "tokens")
    }
    table(
        f"A campaign of 120 months, {PLAYERS} players (CPU of page + database, median of {RUNS})",
        [
            (*pages, "campaign again"),
            (*(cost(client, page) for page in pages.values()), cost(client, pages["campaign"], again=True)),
        ],
    )


def cost(client: Client, page: str, *, again: bool = False) -> str:
    """Of a whole answer of a warm process that nothing was kept for, in milliseconds of both, with its size.

    `again`: for whom what was read for another one is still kept, as nothing has changed.
    """
    for _ in range(3):
        answer = ask(client, page)
    taken = median(cpu(lambda: ask(client, page, again=again)) for _ in range(RUNS))
    return f"{taken * 1000:.0f} ms, {len(answer.content) / 1000:.0f} kB"


def ask(client: Client, page: str, *, again: bool = False):
    for kept in () if again else (SHARED, SEASONS, PEOPLE, PASTS):
        kept.forget()
    answer = client.get(page)
    assert answer.status_code == 200
    return answer


def cpu(act: Callable[[], object], times: int = 3) -> float:
    """Seconds of processor time of this process and the database's, for each of so many runs."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        backend = cursor.fetchone()[0]
    ours, theirs = time.process_time(), used_by(backend)
    for _ in range(times):
        act()
    return (time.process_time() - ours + used_by(backend) - theirs) / times


def used_by(process: int) -> float:
    """Its processor time so far in seconds; to the nanosecond where Linux says it, else to the hundredth."""
    exact = Path(f"/proc/{process}/schedstat")
    return int(exact.read_text().split()[0]) / 1e9 if exact.exists() else sum(psutil.Process(process).cpu_times()[:2])


@pytest.mark.django_db
@pytest.mark.parametrize("players", [24, 64])
def bench_two_hundred_events_in_turn(client: Client, monkeypatch, players: int):
    """Whoever asks for one event after another pays for each once; what is kept of all of them stays.

    For readers with a cookie, so that no whole answer is kept for a second. As before: 180 MB whatever the machine has.
    """
    night = make_night(players=players, rounds=3, open_round=False)
    add_months_before(night.event, 199, months=1)
    pages = [event.get_absolute_url() for event in Event.objects.order_by("pk")]
    client.cookies["reader"] = "one"
    rows, ratios = [("kept in each process", "first", "8 in turn", "200 in turn", "ratio")], []
    of_one_process = for_caches(of_machine(), 1) * 750_000
    for what, most in (("as before", 180_000_000), ("by the machine’s memory", of_one_process)):
        monkeypatch.setattr(SHARED, "most", most)
        SHARED.forget()
        first = in_turn(client, pages)
        few, many = (min(in_turn(client, some) for _ in range(3)) for some in (pages[:8] * 25, pages))
        ratios.append(many / few)
        costs = (f"{taken * 1000:.1f} ms" for taken in (first, few, many))
        rows.append((f"{what}, {most // 1_000_000} MB", *costs, f"{ratios[-1]:.2f}"))
    table(f"200 events of {players}, CPU of an event page", rows)
    assert ratios[-1] < 1.5


def in_turn(client: Client, pages: list[str]) -> float:
    """Seconds of processor time for each."""
    return cpu(lambda: [client.get(page) for page in pages], times=1) / len(pages)
