"""What /metrics tells: the figures of all processes of a host, to who has the token, and for little."""

import json
import subprocess
import time
from collections.abc import Iterator
from shutil import copy
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from prometheus_client.parser import text_string_to_metric_families

from tests.support.nights import make_night
from tests.support.serving import UP, Running, Stream, served
from tourney.runtime.metrics import MOST_TOLD, Meter
from tourney.runtime.release import release
from tourney.views import health

pytestmark = pytest.mark.django_db(transaction=True)

TOKEN = "a-token-for-monitors"
ASKED = 12


@pytest.fixture(scope="module")
def running(django_db_setup, tmp_path_factory) -> Iterator[Running]:
    with served(tmp_path_factory.mktemp("server"), WORKERS="2", METRICS_TOKEN=TOKEN, LOG_FORMAT="json") as running:
        yield running


def figures(running: Running) -> dict[tuple, float]:
    answer = running.ask("/metrics", Authorization=f"Bearer {TOKEN}")
    assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    return {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
        if not sample.name.endswith("_bucket")
    }


def connections_in(found: dict[tuple, float]) -> float:
    return sum(found.get(("flagship_pool_connections", state), 0) for state in ("used", "free"))


def figures_when(running: Running, is_so) -> dict[tuple, float]:
    """Those of all processes are told as soon as each has looked."""
    give_up = time.monotonic() + 30
    while not is_so(found := figures(running)) and time.monotonic() < give_up:
        pass
    return found


def test_every_process_of_the_host_is_in_the_answer(running: Running):
    before = figures(running).get(("flagship_requests_total", "200", "GET", "front"), 0)
    for _ in range(ASKED):  # each on a line of its own, which either process takes
        assert running.ask("/").status == 200

    found = figures_when(running, lambda now: now.get(("flagship_processes",)) == 2 and connections_in(now) >= 2)

    assert found["flagship_requests_total", "200", "GET", "front"] - before == ASKED
    assert found["flagship_request_seconds_count", "front"] >= ASKED
    assert found["flagship_processes",] == 2
    assert connections_in(found) >= 2
    assert (found["flagship_pool_waiting",], found["flagship_database_away",]) == (0, 0)
    assert [name for name in found if name[0] == "flagship_build" and release() in name]


def test_open_streams_are_counted_and_are_no_slow_requests(running: Running):
    night = make_night(players=2)
    first = figures(running).get(("flagship_streams",), 0)
    stream = Stream(running.port, night.event.slug)
    stream.next_version()

    during = figures(running)["flagship_streams",]
    stream.close()
    after = figures_when(running, lambda now: now["flagship_streams",] == first)

    assert (during - first, after["flagship_streams",] - first) == (1, 0)
    assert ("flagship_request_seconds_count", "live") not in after


def test_a_process_that_was_killed_counts_as_one_no_more(running: Running):
    killed = running.workers()[0]
    killed.kill()
    killed.wait()

    found = figures_when(running, lambda now: now["flagship_processes",] == 2 and len(running.workers()) == 2)

    assert found["flagship_processes",] == 2


def test_a_process_that_ended_after_the_others_had_begun_counts_no_more(running: Running):
    """As with a renewed certificate, for which each process ends after the one that takes its place has begun."""
    ended = subprocess.Popen(["true"])
    ended.wait()
    figures_when(running, lambda now: now["flagship_processes",] == 2)
    left = next((running.folder / "metrics").glob("gauge_livesum_*.db"))
    copy(left, left.with_name(f"gauge_livesum_{ended.pid}.db"))

    assert figures(running)["flagship_processes",] == 2


def test_what_the_server_logs_itself_is_json_too(tmp_path):
    with served(tmp_path, WORKERS="1", LOG_FORMAT="json") as running:
        running.workers()[0].kill()
        assert running.statuses_until("/health/")[-1] == 200

    lines = [line for line in running.said.split(UP)[1].splitlines() if "worker" in line]
    assert {json.loads(line)["logger"] for line in lines} == {"_granian"}


@pytest.mark.parametrize("first", ["told", "heard"])
def test_news_are_timed_whether_they_are_told_or_heard_first(first: str):
    """A bus that tells with the commit is often quicker than the thread that committed."""
    meter = Meter()
    second = {"told": "heard", "heard": "told"}[first]

    for version in range(3 * MOST_TOLD):
        getattr(meter, first)("tonight", version)
    for version in range(3 * MOST_TOLD):
        getattr(meter, second)("tonight", version)

    families = text_string_to_metric_families(meter.text().decode())
    counted = {sample.name: sample.value for family in families for sample in family.samples}
    assert counted["flagship_news_seconds_count"] == MOST_TOLD
    assert counted["flagship_news_seconds_sum"] > 0
    assert len(meter._told) + len(meter._heard) <= 2 * MOST_TOLD


def test_without_the_token_nothing_is_told(running: Running):
    wrong = [{}, {"Authorization": "Bearer wrong"}, {"Authorization": TOKEN}, {"Authorization": f"Bearer {TOKEN}x"}]

    answers = [running.ask("/metrics", **headers) for headers in wrong]

    assert [(answer.status, answer.text) for answer in answers] == [(401, "")] * 4
    assert answers[0].headers["WWW-Authenticate"] == "Bearer"


def test_where_no_token_is_set_there_is_no_such_page(client: Client):
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404
    assert health.meter is None


def test_the_process_answers_though_the_database_is_asked_nothing(client: Client, django_assert_num_queries):
    with django_assert_num_queries(0):
        answers = [client.get(path).json() for path in ("/health/live", "/health/live/")]

    assert answers == [{"live": True}] * 2


def test_the_bus_is_timed_by_the_process_that_told_it(running: Running):
    """A clock that is paused and started at the desk is news for the page that watches.

    Each process listens from its first request on, so not everything that is told is timed.
    """
    night = make_night(players=2, open_round=True)
    client = Client()
    client.force_login(night.organizer)
    cookies = {"csrftoken": "a" * 32, settings.SESSION_COOKIE_NAME: client.cookies[settings.SESSION_COOKIE_NAME].value}
    address = f"http://localhost:{running.port}{reverse('clock', args=[night.event.slug, 1])}"
    stream = Stream(running.port, night.event.slug)
    stream.next_version()

    found = {}
    for do in ("pause", "start") * 20:
        form = urlencode({"csrfmiddlewaretoken": "a" * 32, "do": do}).encode()
        urlopen(Request(address, form, {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}))
        stream.next_version()
        found = figures(running)
        if found.get(("flagship_news_seconds_count",)):
            break
    stream.close()

    assert found["flagship_news_seconds_count",] >= 1
    assert 0 < found["flagship_news_seconds_sum",] < found["flagship_news_seconds_count",] * 5
