"""What a night leaves in the database for good: bytes of each table and its indexes, as it is played and once packed.

The sizes are of twelve nights of one store after a vacuum, so that pages that are half full count for little.
"""

from dataclasses import replace
from datetime import timedelta
from random import Random
from statistics import median

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from fleets import starter
from fleets.domain.sheet import FLEET, Sheet
from scoring.shipped import shipped_pack
from tests.benchmarks.bench_night import table
from tests.benchmarks.bench_store import ask, cpu
from tests.support.nights import AT, BY, make_store
from tourney.actions import events, packed_history, simulation
from tourney.actions import fleets as fleet_steps
from tourney.actions.record import Actor
from tourney.models import Campaign, Event, Fleet, PackedHistory
from tourney.queries.history import history_of, rows_at
from tourney.queries.integrity import event_problems
from tourney.runtime.messages import message

NIGHTS, ROUNDS, SHOWN, RUNS = 12, 3, 12, 5
LATER = AT + timedelta(days=800)
SIZES = """
    SELECT relname, pg_table_size(oid)::bigint, pg_indexes_size(oid)::bigint FROM pg_class
    WHERE relkind = 'r' AND relname LIKE 'tourney\\_%'
"""


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("players", "fleets"), [(8, ""), (8, "brought"), (8, "built here"), (16, "brought")])
def bench_growth_of_a_night(players: int, fleets: str):
    starter.load()
    store, users = make_store()
    campaign = events.make_campaign(store, storyline="The Dominion War", by=BY)
    before = sizes()
    for number in range(NIGHTS):
        play(campaign, players, number, fleets=fleets)
    title = f"A night of {players}, {f'with fleets {fleets}' if fleets else 'without fleets'}"
    show_growth(title, before)
    desk = Client()
    desk.force_login(users["owner"])
    plain = costs_of_reading(desk)
    packing = median(cpu(lambda event=event: packed_history.pack(event, LATER), 1) for event in Event.objects.all())
    packed = costs_of_reading(desk)
    show_growth(f"{title}, packed", before)
    unpacking = median(cpu(packed.delete, 1) for packed in PackedHistory.objects.all())
    rows = [(name, cost, packed[name]) for name, cost in plain.items()]
    rows += [("to pack it, and unpack it", milliseconds(packing), milliseconds(unpacking))]
    table(f"{title}: CPU of this process + database", [("", "as played", "packed"), *rows])


def show_growth(title: str, before: dict[str, tuple[int, int]]) -> None:
    after = sizes()
    grown = {name: (after[name][0] - before[name][0], after[name][1] - before[name][1]) for name in after}
    grown["all"] = sum(data for data, _ in grown.values()), sum(index for _, index in grown.values())
    largest = sorted(grown.items(), key=lambda one: -sum(one[1]))[:SHOWN]
    rows = [(name, kilobytes(data), kilobytes(index), kilobytes(data + index)) for name, (data, index) in largest]
    table(title, [("table", "rows", "indexes", "together"), *rows])


def costs_of_reading(desk: Client) -> dict[str, str]:
    """What is asked of the history of the last night."""
    event = Event.objects.with_context().last()
    page, entry = reverse("history", args=[event.slug]), history_of(event).last
    acts = {
        "its page": lambda: ask(desk, page),
        "the event as it was": lambda: ask(desk, reverse("snapshot", args=[event.slug, entry.pk])),
        "its steps": lambda: history_of(event),
        "its rows by the history": lambda: rows_at(event),
        "proved": lambda: event_problems(event),
    }
    for act in acts.values():
        act()
    return {name: milliseconds(median(cpu(act, 1) for _ in range(RUNS))) for name, act in acts.items()}


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"


def sizes() -> dict[str, tuple[int, int]]:
    with connection.cursor() as cursor:
        cursor.execute("VACUUM FULL")
        cursor.execute(SIZES)
        return {name: (data, index) for name, data, index in cursor.fetchall()}


def kilobytes(size: int) -> str:
    return f"{size / NIGHTS / 1000:.1f} kB"


def play(campaign: Campaign, players: int, seed: int, *, fleets: str) -> None:
    """By the actions, each in a transaction of its own, as on a night."""
    event = events.make_event(campaign, shipped_pack("dominion-war-6"), starts_at=AT, sp_limit=100, by=BY)
    random = Random(seed)
    by = simulation.arrive(event, players, random=random, by=simulation.actor_at(AT))
    if fleets:
        simulation.equip(event, random=random, by=by)
    if fleets == "built here":
        build(event, by)
    for _ in range(ROUNDS):
        by = simulation.draw(event, random=random, by=by)
        by = simulation.play_round(event, random=random, by=by, by_phone=True)
    events.finish_event(event, by=by, reason="the shop closes")


def build(event: Event, by: Actor) -> None:
    """Each fleet once more from nothing, a card a step, as on a phone."""
    for row in Fleet.objects.filter(entrant__event=event):
        whole = row.sheet
        begun = (
            replace(whole, ships=(*whole.ships[:place], replace(ship, cards=ship.cards[:cards])), resource_at=FLEET)
            for place, ship in enumerate(whole.ships)
            for cards in range(len(ship.cards) + 1)
        )
        for sheet in (Sheet(last_id=whole.last_id), *begun):
            fleet_steps.step(row, lambda _, sheet=sheet: sheet, did=message("{card} added.", card="Quill"), by=by)
