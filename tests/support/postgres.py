"""A throw-away PostgreSQL for the tests, there before Django reads its settings (`-p tests.support.postgres`).

It begins with every table (tests/support/prepared.py). With `DATABASE_URL` set, that server is used instead. The
workers of a parallel run inherit the address.
"""

import fcntl
import os
from itertools import count

import psycopg
import pytest

from tests.support.prepared import EMPTY_TABLES, put_database
from tourney.runtime import embedded

TEMPLATE = "TEST_DATABASE_TEMPLATE"
"""The variable that names the database from which each process copies its own."""
_started: list[tuple[embedded.Server, int]] = []


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    if not os.environ.get("DATABASE_URL"):
        _started.append(free_server())
        server, _ = _started[0]
        server.remove()  # left behind by a run that was killed
        put_database(server.data)
        os.environ["DATABASE_URL"], os.environ[TEMPLATE] = server.ensure_running(), EMPTY_TABLES
        let_rows_be_copied(server)


def pytest_unconfigure() -> None:
    while _started:
        server, lock = _started.pop()
        server.remove()
        os.close(lock)
        del os.environ["DATABASE_URL"], os.environ[TEMPLATE]


def started() -> list[embedded.Server]:
    """The servers that this process started: one, or none where it uses another's."""
    return [server for server, _ in _started]


def let_rows_be_copied(server: embedded.Server) -> None:
    """Tests may store rows without what triggers do (tests/support/copied.py)."""
    with psycopg.connect(server.url("postgres", "postgres"), autocommit=True) as connection:
        connection.execute(f"GRANT SET ON PARAMETER session_replication_role TO {embedded.NAME}")


def free_server() -> tuple[embedded.Server, int]:
    """The first test server that no other run uses, and the lock that says so."""
    embedded.var_dir().mkdir(parents=True, exist_ok=True)
    for number in count(1):
        data = embedded.var_dir() / f"test-postgres-{number}"
        lock = os.open(data.with_name(f"{data.name}.run"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            continue
        return embedded.Server(data, durable=False), lock
    raise AssertionError("count() ended")
