"""What it costs that pages speak five languages: each with the catalogue and without, in turn, in one process."""

from collections.abc import Callable
from statistics import median
from time import process_time

import pytest
from django.conf import settings
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils.translation import _trans

from tests.benchmarks.bench_night import table
from tests.support.large_nights import make_large_night
from tourney.models import Event

RUNS = 200
READERS = {"no catalogue": ("en", False), "English": ("en", True), "German": ("de", True)}


@pytest.mark.django_db
def bench_the_words_of_a_page():
    """A version that nobody saw before, six rounds behind it; each time in milliseconds, and as a ratio."""
    rows = [("page", *READERS, "English, ratio", "German, ratio")]
    for players in (24, 128):
        event = make_large_night(players=players, rounds=6, drop_outs=0, seed=players).event
        for name in ("event", "standings"):
            path = reverse(name, args=[event.slug])
            times = {reader: [] for reader in READERS}
            for turn in range(RUNS + 10):
                for reader, (language, has_catalogue) in READERS.items():
                    took = with_catalogue(has_catalogue, lambda path=path, language=language: read(path, language))
                    if turn >= 10:
                        times[reader].append(took)
            plain, *others = (median(took) for took in times.values())
            ratios = [f"{one / plain:.3f}" for one in others]
            rows.append((f"{name}, {players}", *(f"{one * 1000:.2f}" for one in (plain, *others)), *ratios))
    table("Words: CPU of a page not seen before, median of 200 (ms)", rows)


def with_catalogue(is_there: bool, do: Callable[[], float]) -> float:
    """What it answers while Django looks sentences up, or says each as it is written (USE_I18N)."""
    settings.USE_I18N = is_there
    _trans.__dict__.clear()
    try:
        return do()
    finally:
        settings.USE_I18N = True
        _trans.__dict__.clear()


def read(path: str, language: str) -> float:
    """How long that page took, in a version of its own."""
    Event.objects.filter(slug=path.split("/")[2]).update(version=F("version") + 1)
    client = Client(headers={"accept-language": language})
    begun = process_time()
    answer = client.get(path)
    took = process_time() - begun
    assert answer.status_code == 200
    return took
