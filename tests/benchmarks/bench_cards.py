"""How long the catalogue lets people wait: an import, and a search with every letter that is typed."""

from statistics import quantiles
from time import perf_counter

import pytest
from django.test import Client
from django.urls import reverse

from fleets.catalogue import search, take_over
from fleets.domain.space_dock import read_catalogue
from tests.benchmarks.bench_night import milliseconds, table
from tests.support.fleets_for_tests import shared
from tests.support.nights import make_store

TYPED = (
    *("enterprise-d", "defiant ship", "jean-luc picard", "photon torpedoes", "klingon captain", "borg", "tal shiar"),
    *("cloaking device", "romulan crew", "weyoun", "mirror universe", "elite attack die", "zzz", "d'deridex class"),
    *("vulcan tech", "quark", "seven of nine", "weapon federation"),
)
LONGEST = 0.050
"""Seconds that nobody notices while typing."""


@pytest.mark.django_db
def bench_the_catalogue(client: Client):
    data = shared("spacedock-Data.xml")
    reading, found = timed(lambda: read_catalogue(data))
    saving, report = timed(lambda: take_over(found, source="bench"))
    again, _ = timed(lambda: take_over(found, source="bench"))
    store, users = make_store()
    client.force_login(users["owner"])
    url = reverse("cards", args=[store.slug])
    headers = {"HX-Request": "true", "HX-Target": "found"}

    asked = [text[:end] for text in TYPED for end in range(1, len(text) + 1)]
    queries = [timed(lambda text=text: list(search(text)))[0] for text in asked]
    answers = [timed(lambda text=text: client.get(url, {"q": text}, headers=headers))[0] for text in asked]

    table(
        f"The public catalogue, {report.added} cards",
        [("read", "saved", "saved again"), tuple(map(milliseconds, (reading, saving, again)))],
    )
    table(
        f"A search with every letter, {len(asked)} times",
        [
            ("", "median", "95 %", "longest"),
            ("cards from the database", *spread(queries)),
            ("answer of the page", *spread(answers)),
        ],
    )
    assert quantiles(answers, n=20)[-1] < LONGEST


def timed(act):
    """(seconds, what it gave)."""
    start = perf_counter()
    given = act()
    return perf_counter() - start, given


def spread(taken: list[float]) -> tuple[str, ...]:
    cuts = quantiles(taken, n=20)
    return tuple(map(milliseconds, (cuts[9], cuts[18], max(taken))))
