"""A full disk: writes are refused with a sentence, reads go on, and nothing acknowledged is lost."""

import os
import shutil
import subprocess
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp
from time import sleep

import pytest

from tests.attack.attack_kills import five_hundreds
from tests.attack.durable import Place
from tests.attack.mutations import SEED

SIZE = 160
"""MB: what a new database with its log takes, and some room."""
FULL = 12
"""Seconds with a full disk."""


@contextmanager
def small_disk():
    """A folder on a disk of SIZE MB. Skipped where nobody may mount one."""
    folder = Path(mkdtemp(prefix="flagship-disk-"))
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE}m,mode=755", "tmpfs", str(folder)], capture_output=True, text=True
    )
    if done.returncode:
        folder.rmdir()
        pytest.skip(
            f"A small disk cannot be mounted here ({done.stderr.strip() or 'not as this user'}); run it as root."
        )
    try:
        yield folder
    finally:
        for _ in range(20):
            if not subprocess.run(["umount", str(folder)], capture_output=True).returncode:
                break
            sleep(0.5)
        else:
            subprocess.run(["umount", "--lazy", str(folder)], capture_output=True)
        shutil.rmtree(folder, ignore_errors=True)


def attack_disk_full(figures):
    found = figures(f"A disk of {SIZE} MB is full")
    with small_disk() as disk:
        place = None
        try:
            place = Place(disk / "var", SEED)
            place.start()
            place.come_in(writers=4, readers=4)
            sleep(3)
            before = len(place.told.kept)
            ready_before, _ = ready(place)
            fill(disk / "filler")
            place.told.statuses.clear()
            place.told.writes.clear()
            place.told.odd.clear()
            for _ in range(FULL * 2):
                fill(disk / "filler")
                sleep(0.5)
            reads, writes, sentences = dict(place.told.statuses), dict(place.told.writes), list(place.told.odd)
            ready_full, said = ready(place)
            kept_full = len(place.told.kept)
            (disk / "filler").unlink()
            seconds = back(place)
            sleep(3)
            after = len(place.told.kept)
            ready_after, _ = ready(place)
            place.over.set()
            place.stop()
            lost, twice = place.lost()
        finally:
            if place:
                place.stop()
    found.say("acknowledged before, while full, after", f"{before}, {kept_full - before}, {after - kept_full}")
    found.say("reads while full", dict(sorted(reads.items())))
    found.say("writes while full", dict(sorted(writes.items())))
    found.none("reads other than 200 while full", [f"{times} × {one}" for one, times in reads.items() if one != 200])
    found.at_least("writes refused with 503 or 507 while full", writes.get(503, 0) + writes.get(507, 0), 1)
    found.none(
        "writes without a sentence",
        [one for one in sentences if " 50" in one and len(one.split()) < 6],
    )
    found.none(
        "5xx other than 503 and 507",
        [*five_hundreds(place), *(f"{one}" for one in writes if one >= 500 and one not in (503, 507))],
    )
    found.holds("/health/ready is 200 before", ready_before == 200)
    found.holds("/health/ready is 503 while full", ready_full == 503)
    found.say("it says", " ".join(said.split())[:120])
    found.holds("/health/ready is 200 afterwards", ready_after == 200)
    found.at_most("writes again after", seconds, 10, "s")
    found.none("acknowledged and lost", lost)
    found.none("acknowledged and there twice", twice)
    found.none("answers that took more than 5 s", place.told.slow)
    found.hold()


def fill(path: Path) -> None:
    """Until no byte more goes in."""
    with suppress(OSError), path.open("ab", buffering=0) as file:
        for size in (2**20, 4096, 1):
            with suppress(OSError):
                while file.write(b"\0" * size):
                    pass
            os.fsync(file.fileno())


def ready(place: Place) -> tuple[int, str]:
    """Whether the site says that it can be written to; with or without a slash at the end."""
    answers = [place.ask("GET", path) for path in ("/health/ready/", "/health/ready")]
    return next((one for one in answers if one[0] not in (301, 404)), answers[0])


def back(place: Place, patience: float = 30) -> float:
    """Seconds until something is acknowledged again."""
    known = len(place.told.kept)
    for number in range(int(patience * 10)):
        if len(place.told.kept) > known:
            return number / 10
        sleep(0.1)
    return patience
