"""A night through a real PgBouncer in transaction mode, whose two connections everybody shares."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import parse_qs, urlencode, urlsplit

import psycopg
import pytest
from django.conf import settings
from django.db import connection
from django.test import override_settings

from tests.cluster.prepare import session_of, tables_of
from tests.cluster.programs import PATH, Pooler
from tests.support.nights import make_night
from tests.support.prepared import put_static_files
from tests.support.serving import ROOT, Running, Stream, free_port
from tourney.models import JournalEntry, Result
from tourney.runtime.bus import Asked, bus, database_address

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not shutil.which("pgbouncer", path=PATH), reason="Not installed here: pgbouncer"),
]

TOKEN = "t" * 32
ELSEWHERE = "'SET TimeZone TO ''Australia/Sydney'''"  # what a connection begins with, as somebody may have set it up


@pytest.fixture(scope="module")
def pooler(django_db_setup: None) -> Iterator[Pooler]:
    """In front of the PostgreSQL of the tests, in a folder of its own: pytest closes its folders to other accounts."""
    url = urlsplit(os.environ["DATABASE_URL"])
    [host] = parse_qs(url.query).get("host", [url.hostname])
    target = {"host": host, "port": str(url.port or 5432), "dbname": connection.settings_dict["NAME"]}
    target |= {"user": url.username, "password": url.password or "none", "connect_query": ELSEWHERE}
    with TemporaryDirectory(prefix="flagship-pooler-") as folder:
        Path(folder).chmod(0o755)
        pooler = Pooler(Path(folder) / "pgbouncer", 0, pool_size="2", **target)
        if host.startswith("/"):
            pooler.account = Path(host).owner()  # whose socket it is
        try:
            pooler.start()
            yield pooler
        finally:
            pooler.kill()


@pytest.fixture(scope="module")
def site(pooler: Pooler, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("site")
    put_static_files(folder)
    running = Running(folder, free_port(), **environment(pooler))
    yield running
    running.process.terminate()
    running.process.communicate()


def environment(pooler: Pooler) -> dict[str, str]:
    return {"DATABASE_URL": pooler.url, "PGBOUNCER": "1", "SECRET_KEY": settings.SECRET_KEY, "TASK_WORKER": "0"}


def send(site: Running, path: str, cookie: str, **facts: object) -> int:
    headers = {"Cookie": f"csrftoken={TOKEN}; {cookie}", "Content-Type": "application/x-www-form-urlencoded"}
    with closing(HTTPConnection("localhost", site.port, timeout=60)) as line:
        line.request("POST", path, urlencode(facts | {"csrfmiddlewaretoken": TOKEN}), headers | {"X-Outbox": "1"})
        return line.getresponse().status


def test_phones_report_at_once_and_the_desk_reads_it_all(site: Running):
    night = make_night(players=16, open_round=True)
    slug, owner, tables = night.event.slug, session_of(night.owner), tables_of(night)
    page = Stream(site.port, slug)
    first = page.next_version()
    said = {"do": "report", "ending": "time", "sp_left_a": 60, "sp_left_b": 20}

    phones = [(phone, f"key-{at}-{side}") for at, table in enumerate(tables) for side, phone in enumerate(table)]
    with ThreadPoolExecutor(8) as hands:
        statuses = list(hands.map(lambda one: send(site, one[0]["path"], one[0]["cookie"], **said, key=one[1]), phones))
    told = page.next_version()
    page.close()
    pages = [
        site.ask(f"/e/{slug}/{path}", Cookie=owner).status
        for path in ("", "standings/", "desk/", "desk/players/", "desk/rounds/1/", "desk/history/", "desk/journal/")
        for _ in range(4)
    ]

    assert statuses == [204] * 16
    assert (set(pages), told > first) == ({200}, True)
    assert {(one.sp_left_a, one.sp_left_b) for one in Result.objects.all()} == {(60, 20)}
    assert Result.objects.count() == 8


def test_what_reads_and_writes_much_goes_through_it(pooler: Pooler, site: Running, tmp_path):
    night = make_night(players=8, open_round=True)
    file = tmp_path / "night.json"

    def manage(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env=os.environ | environment(pooler) | {"VAR_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    manage("prepare")
    manage("export_event", night.event.slug, "--to", str(file))
    proved = manage("prove_history", night.event.slug)
    journal = site.ask(f"/s/{night.store.slug}/journal/csv/", Cookie=session_of(night.owner))

    assert night.event.name in file.read_text()
    assert "1 event as recorded" in proved
    assert journal.status == 200
    assert JournalEntry.objects.filter(event=night.event).exists()


def test_the_planner_is_told_by_the_role(pooler: Pooler, site: Running):
    with psycopg.connect(dbname=connection.settings_dict["NAME"], **without_options()) as line:
        shown = [line.execute(f"SHOW {name}").fetchone()[0] for name in ("jit", "random_page_cost")]

    assert shown == ["off", "1.1"]


def without_options() -> dict:
    return {name: value for name, value in database_address().items() if name not in ("options", "dbname")}


WATCH = """
import sys
from tourney.runtime.availability import Availability
known = Availability()
known.watch(lambda: {"conninfo": sys.argv[1]}, lambda: print("found, was away:", known.is_away, flush=True))
input()
"""


def test_a_pooler_that_lets_everybody_in_is_no_database(pooler: Pooler):
    command = [sys.executable, "-c", WATCH, pooler.url]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with closing(psycopg.connect(pooler.url, dbname="pgbouncer", autocommit=True)) as console:
        console.execute("PAUSE flagship")
        with subprocess.Popen(command, cwd=ROOT, text=True, **pipes) as watching:
            try:
                paused = watching.stdout.readline()
            finally:
                console.execute("RESUME flagship")
            assert paused.startswith("The database does not answer")
            assert watching.stdout.readline() == "found, was away: True\n"


def test_nothing_is_prepared_and_without_a_bus_it_asks():
    with override_settings(PGBOUNCER=True, BUS_URL=""):
        assert database_address()["prepare_threshold"] is None
        assert isinstance(bus(), Asked)
    with override_settings(PGBOUNCER=True, BUS_URL="redis://there"):
        assert bus().ask_every == 5
