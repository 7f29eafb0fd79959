"""The embedded PostgreSQL dies, falls silent or is stopped: pages say so, and go on as soon as it is back."""

import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.prepared import put_database, put_static_files
from tests.support.serving import UP, Running, free_port, installed
from tourney.runtime import postmaster
from tourney.runtime.embedded import DatabaseDidNotStart, Server
from tourney.serving.task_worker import TaskWorker

PAGE = "/"  # asks the database which stores there are
OFFLINE = "/sw.js"  # asks it nothing
LONGEST = 5  # seconds that anybody waits for an answer while the database is silent
AT_ONCE = 24  # visitors
SIGNED_IN = {"Cookie": f"sessionid={'a' * 32}"}
ASKED = (
    ("GET", PAGE, {}),
    ("GET", "/sign-in/", SIGNED_IN),
    ("GET", "/e/tonight/", {"HX_Request": "true"}),
    ("GET", "/e/tonight/desk/", SIGNED_IN),
    ("GET", "/health/ready", {}),
    ("GET", "/e/tonight/live/", {}),
)


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[Running]:
    running = installed(tmp_path_factory.mktemp("site"), free_port())
    assert UP in running.said, running.said
    yield running
    running.end(signal.SIGTERM)
    running.process.stdout.close()
    running.database().remove()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    found = Server(tmp_path / "postgres", durable=False)
    put_database(found.data)
    found.ensure_running()
    yield found
    found.release()
    found.remove()


@pytest.fixture
def stopped(site: Running) -> Iterator[None]:
    """The database is stopped on purpose, and started again afterwards."""
    database = site.database()
    database.stop()
    yield
    database.ensure_running()
    database.release()
    assert site.statuses_until(PAGE)[-1] == 200


@pytest.mark.many
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGQUIT, signal.SIGTERM, signal.SIGINT])
def test_a_database_that_somebody_ends_is_started_again(site: Running, how: signal.Signals):
    before = site.postmaster()
    site.ask(PAGE)

    before.send_signal(how)
    before.wait()
    statuses = site.statuses_until(PAGE)

    assert statuses[-1] == 200
    assert set(statuses) <= {200, 503}
    assert site.postmaster().pid != before.pid


def test_a_backend_that_is_killed_takes_no_page_along(site: Running):
    site.ask(PAGE)
    backend = site.backends()[0]

    backend.kill()
    backend.wait()
    statuses = site.statuses_until(PAGE)

    assert statuses[-1] == 200
    assert set(statuses) <= {200, 503}


@pytest.mark.many
@pytest.mark.parametrize("which", [Running.postmaster, lambda site: site.backends()[0]])
def test_a_process_of_the_database_that_is_halted_goes_on(site: Running, which: Callable):
    halted = which(site)

    halted.suspend()
    statuses = site.statuses_until(PAGE)

    assert statuses[-1] == 200
    assert set(statuses) <= {200, 503}
    site.database().stop()  # in good order, which a process that is halted would hold up
    assert not postmaster.is_up(halted)
    site.database().ensure_running()
    site.database().release()
    assert site.statuses_until(PAGE)[-1] == 200


def test_while_the_database_is_away_a_page_says_so_and_asks_again(site: Running, stopped):
    answer = site.ask(PAGE)

    assert (answer.status, answer.headers["Retry-After"], answer.headers["Cache-Control"]) == (503, "3", "no-store")
    assert "The store’s database isn’t answering right now." in answer.text
    assert '<meta http-equiv="refresh" content="3">' in answer.text
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]


def test_a_part_of_a_page_gets_the_sentence_alone(site: Running, stopped):
    answer = site.ask(PAGE, HX_Request="true")

    assert (answer.status, answer.text) == (503, "The store’s database isn’t answering right now.")


@pytest.mark.nightly
def test_what_asks_the_database_nothing_goes_on(site: Running, stopped):
    assert site.ask(PAGE).status == 503
    assert site.ask(OFFLINE).status == 200


def test_health_says_that_nothing_can_be_saved(site: Running, stopped):
    answer = site.ask("/health/ready")

    assert answer.status == 503
    assert "The database doesn't save anything right now." in answer.text


def test_a_server_stopped_on_purpose_is_left_alone(server: Server):
    server.stop()

    assert server.revive() is False
    assert server.process() is None


@pytest.mark.parametrize("command", [("worker", "--until-input-ends"), ("backup", "--keep")])
def test_a_server_stopped_on_purpose_is_started_by_no_process_that_the_site_starts(
    server: Server, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
):
    monkeypatch.delenv("DATABASE_URL")
    monkeypatch.setenv("VAR_DIR", str(server.data.parent))
    server.stop()

    started = TaskWorker(print).start(*command)
    started.stdin.close()  # nothing is there for it to do any more
    started.wait()

    assert server.is_stopped
    assert server.process() is None


@pytest.mark.nightly
def test_one_that_runs_is_left_alone(server: Server):
    before = server.process()

    assert server.revive() is False
    assert server.process() == before


def test_one_whose_data_are_gone_is_not_made_anew(server: Server):
    postmaster.kill_all(server.data)
    server.data.rename(server.data.with_name("elsewhere"))

    with pytest.raises(DatabaseDidNotStart, match="The data is gone"):
        server.revive()

    assert not server.data.exists()


@pytest.mark.nightly
def test_children_that_outlive_their_postmaster_are_no_obstacle(server: Server):
    first = server.process()
    child = first.children()[0]
    child.suspend()
    first.kill()
    first.wait()

    assert server.revive() is True
    assert not postmaster.is_up(child)


@pytest.mark.nightly
def test_it_is_stopped_in_good_order_without_its_file(server: Server):
    (server.data / "postmaster.pid").unlink()

    server.stop()

    assert server.process() is None
    assert "database system is shut down" in server.log.read_text()


@pytest.mark.nightly
def test_nobody_waits_for_a_database_of_ones_own_that_is_silent(server: Server, tmp_path: Path):
    put_static_files(tmp_path / "var")
    site = Running(tmp_path / "var", free_port(), DATABASE_URL=server.url())
    site.ask(PAGE)
    everybody = postmaster.family(server.process())
    for process in everybody:
        process.suspend()

    with ThreadPoolExecutor(AT_ONCE) as visitors:  # of each kind some that meet the silence, and some that come later
        answers = list(visitors.map(lambda asked: timed(site, *asked), ASKED * (5 * AT_ONCE // len(ASKED))))
    for process in everybody:
        process.resume()
    statuses = site.statuses_until(PAGE)

    longest = max(seconds for seconds, _ in answers)
    print(f"{len(answers)} answers, the longest after {longest:.2f} s")
    assert {status for _, status in answers} == {503}
    assert longest < LONGEST
    assert statuses[-1] == 200
    site.end(signal.SIGTERM)
    site.process.stdout.close()


def timed(site: Running, method: str, path: str, headers: dict[str, str]) -> tuple[float, int]:
    """The seconds until the whole answer, and its status."""
    start = time.perf_counter()
    status = site.ask(path, method, **headers).status
    return time.perf_counter() - start, status
