"""The bus for news: by PostgreSQL or by Redis, what is changed anywhere reaches every page, whatever dies meanwhile."""

import asyncio
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

import psycopg
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, transaction
from django.db.models import F
from django.test import override_settings

from tests.support.loops import run
from tests.support.nights import BY, make_night
from tests.support.redis_server import RedisServer, redis_server
from tests.support.serving import Running, Stream, ask, served
from tourney.actions import deleting, entrants
from tourney.models import Event
from tourney.runtime.bus import Bus, Notifications, bus_at
from tourney.runtime.redis_bus import PATIENCE

pytestmark = pytest.mark.django_db(transaction=True)

END_LISTENERS = """
    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'flagship live'
"""
UNTIL = 20  # seconds after which what should have been heard never comes


@dataclass
class Served:
    """The real server with one of the buses, and how that is broken and mended."""

    running: Running
    breaks: Callable[[], None]
    mends: Callable[[], None]
    url: str


def end_listeners() -> None:
    with connection.cursor() as cursor:
        cursor.execute(END_LISTENERS)
        assert cursor.fetchone()[0] > 0


def own_address() -> str:
    """Of the database of the tests, as a pooler's users give it."""
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}").geturl()


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with redis_server(tmp_path_factory.mktemp("redis")) as redis:
        yield redis


@pytest.fixture(scope="module", params=["postgresql", "redis"])
def site(request: pytest.FixtureRequest, django_db_setup: None, tmp_path_factory) -> Iterator[Served]:
    folder, is_redis = tmp_path_factory.mktemp("site"), request.param == "redis"
    redis = request.getfixturevalue("redis") if is_redis else None
    url = redis.url if redis else own_address()
    how = (redis.kill, redis.start) if redis else (end_listeners, lambda: None)
    with override_settings(BUS_URL=url), served(folder, BUS_URL=url) as running:
        yield Served(running, *how, url)


@pytest.fixture
def watch(site: Served) -> Iterator[Callable[[Event], Stream]]:
    """`watch(event)`: a page that holds the stream of that event until the end of the test."""
    streams = []

    def watch(event: Event) -> Stream:
        streams.append(Stream(site.running.port, event.slug))
        return streams[-1]

    yield watch
    for stream in streams:
        stream.close()


def version_of(event: Event) -> int:
    return Event.objects.get(pk=event.pk).version


def heard(page: Stream, version: int) -> list[int]:
    """Each version that the page is told, once, until that one; the server says them again where nothing happens."""
    give_up, said = time.monotonic() + UNTIL, [page.next_version()]
    while said[-1] != version and time.monotonic() < give_up:
        told = page.next_version()
        said += [told] if said[-1:] != [told] else []
    return said


def test_what_is_changed_elsewhere_reaches_the_pages_of_every_process(watch):
    event = make_night(players=2).event
    pages = [watch(event) for _ in range(8)]
    first = [page.next_version() for page in pages]

    entrants.drop(event, 1, by=BY)

    assert [heard(page, first[0] + 1)[-1] for page in pages] == [version + 1 for version in first]


def test_that_a_store_is_deleted_reaches_its_open_pages_which_find_it_gone(site: Served, watch):
    night = make_night(players=2)
    pages = [watch(night.event) for _ in range(4)]
    first = [page.next_version() for page in pages]

    deleting.delete_store(night.store, by=BY)

    assert [heard(page, first[0] + 1)[-1] for page in pages] == [version + 1 for version in first]
    for path in (f"/e/{night.event.slug}/", f"/s/{night.store.slug}/"):
        assert ask(site.running.port, path).status == 410


def test_what_is_not_committed_is_not_said(watch):
    event = make_night(players=2).event
    page = watch(event)
    first = page.next_version()
    with transaction.atomic():
        entrants.drop(event, 1, by=BY)
        entrants.bring_back(event, 1, by=BY)
        transaction.set_rollback(True)

    entrants.drop(event, 1, by=BY)

    assert set(heard(page, first + 1)) <= {first, first + 1}


def test_what_was_missed_while_the_bus_was_away_is_asked_for_and_then_it_tells_again(site: Served, watch):
    event = make_night(players=2).event
    pages = [watch(event) for _ in range(4)]
    first, *_ = [page.next_version() for page in pages]
    site.breaks()

    entrants.drop(event, 1, by=BY)
    missed = [heard(page, first + 1)[-1] for page in pages]
    site.mends()
    entrants.bring_back(event, 1, by=BY)
    told = [heard(page, first + 2)[-1] for page in pages]

    assert (missed, told) == ([first + 1] * 4, [first + 2] * 4)


def test_what_is_no_news_is_passed_over_by_postgresql_too():
    async def listen() -> tuple[str, int]:
        async with Notifications(own_address()).listen() as coming:
            with psycopg.connect(own_address(), autocommit=True) as line:
                for text in ("later:soon", "nothing", "tonight:4"):
                    line.execute("SELECT pg_notify('event', %s)", [text])
            return await anext(coming)

    assert run(asyncio.wait_for(listen(), UNTIL)) == ("tonight", 4)


# Redis alone


by_redis = pytest.mark.parametrize("site", ["redis"], indirect=True)


@by_redis
def test_a_bus_that_is_silent_holds_nobody_up_and_pages_hear_of_it(site: Served, redis: RedisServer, watch):
    event = make_night(players=2).event
    page = watch(event)
    first = page.next_version()

    with redis.halted():
        start = time.perf_counter()
        for _ in range(10):
            entrants.drop(event, 1, by=BY)
            entrants.bring_back(event, 1, by=BY)
        taken = (time.perf_counter() - start) / 20
        last = heard(page, first + 20)[-1]

    assert taken < PATIENCE / 2
    assert last == first + 20 == version_of(event)


@by_redis
def test_news_of_a_process_that_died_before_it_told_them_are_asked_for(site: Served, watch):
    event = make_night(players=2).event
    page = watch(event)
    first = page.next_version()

    Event.objects.filter(pk=event.pk).update(version=F("version") + 1)

    assert heard(page, first + 1)[-1] == first + 1


def all_told(told: Bus, listening: Bus, *news: tuple[str, int], until: tuple[str, int]) -> list[tuple[str, int]]:
    """What the second hears of what the first tells, with that one as the last."""

    async def listen() -> list[tuple[str, int]]:
        heard: list[tuple[str, int]] = []
        async with listening.listen() as coming:
            for one in news:
                told.publish(*one)
            while heard[-1:] != [until]:
                heard.append(await anext(coming))
        return heard

    return run(asyncio.wait_for(listen(), UNTIL))


def test_installations_with_numbers_of_their_own_share_a_redis(redis: RedisServer):
    one, other = bus_at(f"{redis.url}/1"), bus_at(f"{redis.url}/2")

    async def listen() -> tuple[str, int]:
        async with one.listen() as coming:
            other.publish("theirs", 1)
            await asyncio.wrap_future(other._thread.submit(lambda: None))  # it was sent
            one.publish("ours", 2)
            return await anext(coming)

    assert run(asyncio.wait_for(listen(), UNTIL)) == ("ours", 2)


def test_what_is_no_news_is_passed_over(redis: RedisServer):
    bus = bus_at(f"{redis.url}/3")

    async def listen() -> tuple[str, int]:
        async with bus.listen() as coming:
            bus._redis.publish(bus.name, "later:soon tonight")  # as anybody may who shares it
            bus.publish("tonight", 4)
            return await anext(coming)

    assert run(asyncio.wait_for(listen(), UNTIL)) == ("tonight", 4)


def test_many_versions_at_once_end_with_the_last(redis: RedisServer):
    bus = bus_at(f"{redis.url}/4")

    told = all_told(bus, bus, *(("tonight", version) for version in range(1, 101)), until=("tonight", 100))

    assert told == sorted(told)


def test_of_two_that_tell_in_the_other_order_the_later_version_is_told(redis: RedisServer):
    bus = bus_at(f"{redis.url}/5")

    assert all_told(bus, bus, ("tonight", 7), ("tonight", 6), until=("tonight", 7)) == [("tonight", 7)]


def test_what_cannot_be_told_is_said_once(redis: RedisServer, caplog):
    bus = bus_at("redis://127.0.0.1:1")

    for version in range(3):
        bus.publish("tonight", version)
        bus._thread.submit(lambda: None).result()

    assert [record.message[:27] for record in caplog.records] == ["The bus takes no news; open"]


def test_the_address_says_which_bus_it_is():
    assert [type(bus_at(url)) for url in ("", "postgresql://there/flagship")] == [Notifications, Notifications]
    assert [bus_at(f"{scheme}://there").ask_every for scheme in ("redis", "rediss")] == [5, 5]
    for other in ("amqp://there", "unix:///run/redis.sock"):
        with pytest.raises(ImproperlyConfigured, match="must begin with postgresql:// or redis://"):
            bus_at(other)
