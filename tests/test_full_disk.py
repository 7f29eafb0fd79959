"""The disk of the store's computer is full: what is sent is refused with a sentence, pages go on, nothing is lost."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.support.serving import Running, free_port, installed
from tourney.runtime import disk

SIZE = 220_000_000
ROW = "x" * 100_000


@pytest.fixture(scope="module")
def small_disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    mounted = tmp_path_factory.mktemp("disk")
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", mounted], capture_output=True)
    if made.returncode:
        pytest.skip("Only root may make a small disk (mount -t tmpfs).")
    yield mounted
    subprocess.run(["umount", "--lazy", mounted], check=True)


@pytest.fixture(scope="module")
def site(small_disk: Path) -> Iterator[Running]:
    running = installed(small_disk / "var", free_port())
    yield running
    running.end(signal.SIGTERM)
    running.process.stdout.close()


def fill(folder: Path, leave: int) -> Path:
    """Take all room but that many bytes; the file to delete."""
    filler = folder / "filler"
    with filler.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, os.statvfs(folder).f_bavail * os.statvfs(folder).f_frsize - leave)
    return filler


def save_until_refused(url: str) -> int:
    """How many rows were acknowledged before one was not."""
    saved = 0
    try:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CREATE TABLE saved (number int, words text STORAGE EXTERNAL)")
            while True:
                connection.execute("INSERT INTO saved VALUES (%s, %s)", [saved, ROW])
                saved += 1
    except psycopg.OperationalError:
        return saved


def test_nothing_is_taken_from_the_reserve(site: Running, small_disk: Path):
    filler = fill(small_disk, leave=disk.RESERVE // 2)
    refused, page, health = site.ask("/sign-in/", "POST"), site.ask("/"), site.ask("/health/ready")
    filler.unlink()
    taken = site.ask("/sign-in/", "POST")

    assert (refused.status, page.status, health.status) == (503, 200, 503)
    assert "Not saved. The store computer’s disk is full." in refused.text
    assert json.loads(health.text)["reasons"] == ["The disk is full."]
    assert taken.status == 403  # no token


def test_what_was_acknowledged_is_there_when_the_disk_has_room_again(site: Running, small_disk: Path):
    filler = fill(small_disk, leave=disk.RESERVE)
    saved = save_until_refused(site.database().url())
    meanwhile = {site.ask("/").status for _ in range(20)}
    filler.unlink()

    assert site.statuses_until("/")[-1] == 200
    assert saved > 0
    assert meanwhile <= {200, 503}
    with psycopg.connect(site.database().url()) as connection:
        assert connection.execute("SELECT count(*) FROM saved").fetchone() == (saved,)
