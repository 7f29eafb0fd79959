"""The stream of an event, from the real server: what one process changes, the pages of every process hear."""

import signal
from collections.abc import Callable, Iterator

import psutil
import pytest
from django.db import connection, transaction

from tests.support.nights import BY, make_night
from tests.support.serving import Running, Stream, free_port, on_test_database
from tourney.actions import entrants, stores
from tourney.actions.record import bump_version_and_notify
from tourney.models import Event
from tourney.serving.live import Channel

pytestmark = pytest.mark.django_db(transaction=True)

MANY = 60
END_LISTENERS = """
    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'flagship live'
"""


@pytest.fixture
def watch(running: Running) -> Iterator[Callable[[str], Stream]]:
    """`watch(slug)`: a page that holds the stream of that event until the end of the test."""
    streams = []

    def watch(slug: str) -> Stream:
        streams.append(Stream(running.port, slug))
        return streams[-1]

    yield watch
    for stream in streams:
        stream.close()


def version_of(event: Event) -> int:
    return Event.objects.get(pk=event.pk).version


def test_a_page_hears_the_version_at_once_and_each_that_comes(watch):
    event = make_night(players=2).event
    first = version_of(event)
    page = watch(event.slug)
    heard = [page.next_version()]

    entrants.drop(event, 1, by=BY)
    heard.append(page.next_version())
    entrants.bring_back(event, 1, by=BY)
    heard.append(page.next_version())

    assert heard == [first, first + 1, first + 2]


def test_what_is_changed_elsewhere_reaches_the_pages_of_every_process(watch):
    event = make_night(players=2).event
    pages = [watch(event.slug) for _ in range(8)]
    before = [page.next_version() for page in pages]

    entrants.drop(event, 1, by=BY)

    assert [page.next_version() for page in pages] == [version + 1 for version in before]


def test_a_page_hears_of_its_own_event_only(watch):
    one, other = make_night(players=2).event, make_night(players=2, store=None).event
    page = watch(one.slug)
    first = page.next_version()

    entrants.drop(other, 1, by=BY)
    entrants.drop(one, 1, by=BY)

    assert page.next_version() == first + 1 == version_of(one)


def test_what_is_not_committed_is_not_said(watch):
    event = make_night(players=2).event
    page = watch(event.slug)
    first = page.next_version()
    with transaction.atomic():
        bump_version_and_notify(event)
        transaction.set_rollback(True)

    entrants.drop(event, 1, by=BY)

    assert page.next_version() == first + 1


def test_word_that_comes_late_takes_no_page_back():
    channel = Channel()
    channel.tell(3)  # as the first page has read it
    heard = []
    for version in (2, 3, 4):
        waiting = channel.changed
        channel.tell(version)
        heard.append((channel.version, waiting.is_set()))

    assert heard == [(3, False), (3, False), (4, True)]


def test_another_name_of_the_store_reaches_the_pages_of_its_events(watch):
    night = make_night(players=2)
    page = watch(night.event.slug)
    first = page.next_version()

    stores.change_store(night.store, name="Deck Nine", time_zone="Europe/Berlin", by=BY)

    assert page.next_version() == first + 1


def test_a_lost_connection_to_the_database_is_made_again_and_what_was_missed_is_said(watch):
    event = make_night(players=2).event
    pages = [watch(event.slug) for _ in range(4)]
    before = [page.next_version() for page in pages]
    with connection.cursor() as cursor:
        cursor.execute(END_LISTENERS)
        assert cursor.fetchone()[0] > 0

    entrants.drop(event, 1, by=BY)

    assert [page.next_version() for page in pages] == [version + 1 for version in before]


def test_an_event_that_is_not_there_has_no_stream(watch):
    assert watch("nowhere").answer.status == 404


def test_proxies_and_browsers_keep_nothing_of_a_stream_back(watch):
    answer = watch(make_night(players=2).event.slug).answer

    said = {name: answer.headers[name] for name in ("Content-Type", "Cache-Control", "X-Accel-Buffering")}
    assert said == {"Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no"}


def test_an_open_page_holds_neither_a_thread_nor_a_connection_to_the_database(watch, running: Running):
    slug = make_night(players=2).event.slug
    watch(slug).next_version()
    before = held_by(running)

    for _ in range(MANY):
        watch(slug).next_version()

    assert all(now - then < MANY // 4 for now, then in zip(held_by(running), before, strict=True))


def held_by(running: Running) -> tuple[int, int]:
    """Threads of the server's processes, and connections to the database of the tests."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
        connections = cursor.fetchone()[0]
    workers = psutil.Process(running.process.pid).children(recursive=True)
    return sum(worker.num_threads() for worker in workers), connections


@pytest.mark.nightly
def test_the_server_ends_the_streams_when_it_stops(django_db_setup, tmp_path):
    port = free_port()
    running = on_test_database(tmp_path, port)
    page = Stream(port, make_night(players=2).event.slug)
    page.next_version()

    code = running.end(signal.SIGTERM)

    assert (code, "refused to gracefully stop" in running.said) == (0, False)
    with pytest.raises(EOFError):
        page.next_version()
    page.close()
    running.process.stdout.close()
