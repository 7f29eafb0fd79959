"""The commands of the README work on a fresh machine, before anything else was run, or say what to do."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg import sql

from fleets.starter import starter_list
from tests.support.serving import ROOT, free_port
from tourney.runtime.embedded import Server

EMPTY = "flagship_without_tables"


def manage(*arguments: str, **environment: str) -> subprocess.CompletedProcess:
    """`manage.py` in a process of its own, with just this environment besides the one needed to find programs."""
    return python("manage.py", *arguments, **environment)


def python(*arguments: str, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=kept() | environment, capture_output=True, text=True
    )


def kept() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "VAR_DIR")}


@pytest.fixture(scope="module")
def fresh(tmp_path_factory) -> Iterator[Path]:
    """The folder of an installation in which nothing was run yet."""
    folder = tmp_path_factory.mktemp("fresh") / "var"
    yield folder
    Server(folder / "postgres").remove()


@pytest.fixture
def without_tables() -> Iterator[str]:
    """The address of a database of one's own that was made a moment ago."""
    address = os.environ["DATABASE_URL"]
    name = sql.Identifier(EMPTY)
    with psycopg.connect(address, autocommit=True) as line:
        line.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(name))
        line.execute(sql.SQL("CREATE DATABASE {}").format(name))
        yield urlsplit(address)._replace(path=f"/{EMPTY}").geturl()
        line.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))


@pytest.mark.nightly
def test_a_night_is_simulated_before_the_first_start(fresh):
    done = manage("simulate", "--players", "4", "--seed", "7", VAR_DIR=str(fresh))

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("The Last Battle of DS9, 100 SP, after round 3\n")


@pytest.mark.nightly
@pytest.mark.many
@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["standings", "no-such-event"], "There is no event “no-such-event”."),
        (["export_event", "no-such-event"], "There is no event “no-such-event”."),
        (["import_event", "no-such-file.json"], "Name the store with --store. Stores here: none yet."),
        (["import_cards", "no-such-file.xml"], "no-such-file.xml can’t be read: No such file or directory."),
    ],
)
def test_the_other_commands_say_what_is_missing(fresh, command, told):
    done = manage(*command, VAR_DIR=str(fresh))

    assert done.returncode == 1
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_who_brings_a_database_is_told_to_migrate_it(without_tables, tmp_path):
    done = manage("simulate", DATABASE_URL=without_tables, VAR_DIR=str(tmp_path))

    told = "The tables in your database are missing or out of date. Run “manage.py prepare” first.\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", told)


def test_a_server_whose_tables_nobody_prepared_says_what_to_do(without_tables, tmp_path):
    done = python(
        "-m", "tourney.serving.serve", DATABASE_URL=without_tables, VAR_DIR=str(tmp_path), PORT=str(free_port())
    )

    told = "\nThe tables in your database are missing or out of date. Run “manage.py prepare” first.\n\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", told)


ONCE = """
    SELECT (SELECT count(*) - count(DISTINCT (app, name)) FROM django_migrations),
        (SELECT count(*) FROM tourney_pushkey), (SELECT count(*) FROM fleets_cataloguecard)
"""


def test_three_hosts_that_prepare_at_the_same_moment_prepare_once(without_tables, tmp_path):
    """Each has its own static files; of tables, key and cards the last two find nothing to do."""
    hosts = [tmp_path / name for name in ("one", "two", "three")]
    running = [
        subprocess.Popen(
            [sys.executable, "manage.py", "prepare"],
            cwd=ROOT,
            env=kept() | {"DATABASE_URL": without_tables, "VAR_DIR": str(host)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for host in hosts
    ]
    said = [(one.communicate()[0], one.returncode) for one in running]
    with psycopg.connect(without_tables) as line:
        made = line.execute(ONCE).fetchone()

    assert said == [("The database is ready.\n", 0)] * 3
    assert made == (0, 1, len(starter_list().entries))
    assert [(host / "static/.collected").exists() for host in hosts] == [True] * 3


def test_who_brings_a_database_that_does_not_answer_is_told_so(tmp_path):
    done = manage("simulate", DATABASE_URL=f"postgresql://nobody@/none?host={tmp_path}", VAR_DIR=str(tmp_path))

    assert done.returncode == 1
    assert done.stderr.startswith("The database of DATABASE_URL doesn’t answer:\n")
    assert "Traceback" not in done.stderr
