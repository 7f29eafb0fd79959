"""`make run` from the outside: a server of its own in a folder of its own, started, killed and started again."""

import errno
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.request import urlopen

import psycopg
import pytest

from tests.support.prepared import put_database, put_installation
from tests.support.serving import PATIENCE, ROOT, Running, free_port
from tourney.runtime.embedded import Server
from tourney.serving.worker import end_what_nobody_takes


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def run(tmp_path: Path, port: int) -> Iterator[Callable[[], Running]]:
    """`run()` starts the server of this test, which was installed before; whatever still runs is ended afterwards."""
    started = []

    def run(is_first_start: bool = False, **more: str) -> Running:
        if not started and not is_first_start:
            put_installation(tmp_path)
        started.append(Running(tmp_path, port, **more))
        return started[-1]

    yield run
    for running in started:
        if running.process.poll() is None:
            running.end(signal.SIGKILL)
        running.process.stdout.close()
    Server(tmp_path / "postgres").remove()


@pytest.mark.parametrize(("answer", "code"), [("n", 1), ("y", 0)])
def test_everything_is_thrown_away_after_a_yes_alone(answer: str, code: int, tmp_path: Path):
    ours, other = tmp_path / "secret-key", tmp_path / "notes.txt"
    for path in (ours, other):
        path.write_text("…")

    done = subprocess.run(
        [sys.executable, "-m", "tourney.serving.fresh"],
        cwd=ROOT,
        env=os.environ | {"VAR_DIR": str(tmp_path)},
        input=f"{answer}\n",
        capture_output=True,
        text=True,
    )

    assert (done.returncode, done.stderr) == (code, "")
    assert (ours.exists(), other.exists()) == (answer == "n", True)


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="Linux ends such a connection")
def test_a_connection_whose_other_end_takes_nothing_is_ended(port: int, monkeypatch):
    monkeypatch.setattr("tourney.serving.worker.TAKEN_WITHIN", 300)
    with socket.create_server(("127.0.0.1", port)) as listening:
        end_what_nobody_takes()
        with socket.create_connection(("127.0.0.1", port)):
            line, _ = listening.accept()
            line.settimeout(PATIENCE)
            with line, pytest.raises(TimeoutError) as ended:
                line.sendall(b"x" * 50_000_000)  # more than the buffers of the system take

    assert ended.value.errno == errno.ETIMEDOUT  # of the system, and not of this test's patience


def test_the_first_start_without_demo_prints_a_link_that_opens(run):
    said = run(is_first_start=True).said
    link = next(word for word in said.split() if "/set-up/" in word)

    assert urlopen(link).status == 200


def test_what_was_prepared_before_is_served_alone(run, port: int):
    running = run(module="tourney.serving.serve")

    assert (running.ask("/health/").status, "/set-up/" in running.said) == (200, False)


@pytest.mark.nightly
@pytest.mark.parametrize("start", [{"module": "tourney.serving.serve"}, {"PREPARE": "0"}], ids=["serve", "PREPARE=0"])
def test_static_files_that_nobody_collected_are_named_before_serving(run, tmp_path: Path, start):
    put_database(tmp_path / "postgres")
    refused = run(is_first_start=True, **start)

    assert refused.process.wait() == 1
    assert refused.said.strip().endswith("are missing or out of date. Run “manage.py prepare” first.")


@pytest.mark.nightly
def test_the_page_for_the_counter_has_the_address_for_phones_at_localhost_too(run, port: int):
    """The demo's page of codes, opened at the address for this computer."""
    running = run(is_first_start=True, DEMO="1")
    phones = re.search(r"On phones +(http://\S+)", running.said)
    home = urlopen(f"http://localhost:{port}/").read().decode()
    event = re.search(r'href="(/e/[^/"]+/)', home)[1]

    codes = urlopen(f"http://localhost:{port}{event}qr/").read().decode()

    assert phones is not None or "These codes only work on this computer" in codes
    assert phones is None or phones[1].removeprefix("http://") in codes


@pytest.mark.nightly
def test_ctrl_c_stops_server_and_database_in_good_order(run, tmp_path: Path):
    code = run().end(signal.SIGINT)
    log = (tmp_path / "postgres.log").read_text()

    assert (code, "database system is shut down" in log, (tmp_path / "postgres/postmaster.pid").exists()) == (
        0,
        True,
        False,
    )


@pytest.mark.nightly
def test_what_was_saved_is_there_after_everything_was_killed(run, tmp_path: Path):
    first = run()
    database = Server(tmp_path / "postgres")
    with psycopg.connect(database.url()) as connection:
        connection.execute("CREATE TABLE saved AS SELECT 7 AS number")
    os.kill(int((tmp_path / "postgres/postmaster.pid").read_text().split()[0]), signal.SIGKILL)
    first.end(signal.SIGKILL)

    run()

    with psycopg.connect(database.url()) as connection:
        assert connection.execute("SELECT number FROM saved").fetchall() == [(7,)]


@pytest.mark.nightly
def test_a_worker_that_dies_again_at_once_ends_no_night(run):
    running = run(WORKERS="1")
    died = set()
    while len(died) < 2:
        for worker in running.workers():
            if worker.pid not in died:
                worker.kill()
                died.add(worker.pid)

    answered = running.statuses_until("/health/")[-1]

    assert running.end(signal.SIGINT) == 0
    assert answered == 200
    assert "The server stopped unexpectedly." in running.said


@pytest.mark.nightly
def test_a_second_server_in_the_same_folder_says_where_the_first_one_is(run, port: int):
    run()
    second = run()

    assert second.process.wait() == 1
    assert f"is already running from this folder: http://localhost:{port}" in second.said


@pytest.mark.nightly
def test_a_taken_port_is_named_with_the_way_out(run, port: int):
    with socket.socket() as other:
        other.bind(("0.0.0.0", port))
        other.listen()
        refused = run()

    assert refused.process.wait() == 1
    assert f"make run PORT={port + 1}" in refused.said


@pytest.mark.nightly
def test_the_database_stops_with_its_last_user(tmp_path: Path):
    use = "import sys; from pathlib import Path; from tourney.runtime.embedded import Server; "
    use += "Server(Path(sys.argv[1])).ensure_running(); print('up', flush=True); sys.stdin.read()"
    users = [
        subprocess.Popen(
            [sys.executable, "-c", use, tmp_path / "postgres"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    alive = []
    for user in users:
        user.stdout.readline()
    for user in users:
        user.communicate()
        alive.append((tmp_path / "postgres/postmaster.pid").exists())

    assert alive == [True, False]
