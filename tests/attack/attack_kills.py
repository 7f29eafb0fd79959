"""kill -9 in sixty places under load: a worker, the main process, everything; nothing acknowledged is lost."""

import os
import shutil
import signal
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from time import sleep

import psutil

from tests.attack.durable import Place, signal_all
from tests.attack.mutations import SEED

KILLS = int(os.environ.get("KILLS") or 60)
BACK = 20
"""Seconds after a kill until a page answers; where everything was killed, with the start of all."""


def attack_kills_under_load(figures):
    found = figures(f"kill -9 in {KILLS} places under load (seed {SEED})")
    folder = Path(mkdtemp(prefix="flagship-kills-"))
    place, slowest, started = None, 0.0, 0
    try:
        place = Place(folder, SEED)
        place.start()
        place.come_in(writers=6, readers=2)
        for number in range(KILLS):
            sleep(place.dice.uniform(0.1, 1.5))
            what = ("worker", "worker", "main", "everything")[number % 4]
            kill(place, what, place.dice)
            if what != "worker":
                ended(place)
                place.start()
                started += 1
            slowest = max(slowest, place.back_after())
            if slowest >= 60:
                found.say("does not come back after", f"{what}, kill {number + 1}: {place.running.said[-300:]}")
                break
        place.over.set()
        sleep(1)
        place.stop()
        lost, twice = place.lost()
        told = place.told
        found.say("kills, starts", f"{number + 1}, {started}")
        found.say("reads", dict(sorted(told.statuses.items())))
        found.say("writes", dict(sorted(told.writes.items())))
        found.say("acknowledged", len(told.kept))
        found.none("acknowledged and lost", lost)
        found.none("acknowledged and there twice", twice)
        found.none("5xx other than a stated 503", five_hundreds(place))
        found.at_most("longest until a page answers again", slowest, BACK, "s")
        found.at_least("acknowledged in all", len(told.kept), 2 * KILLS)
    finally:
        if place:
            place.stop()
        shutil.rmtree(folder, ignore_errors=True)
    found.hold()


def kill(place: Place, what: str, dice: Random) -> None:
    main, workers = place.processes()
    database = place.postmaster()
    if what == "worker" and workers:
        chosen = [dice.choice(workers)]
    elif what == "main":
        chosen = [main]
    else:
        chosen = [main, *workers, *([database, *database.children()] if database else [])]
    signal_all(chosen, signal.SIGKILL)


def ended(place: Place) -> None:
    """Until the main process is gone, and with it the port."""
    place.running.process.wait(20)
    place.running.process.stdout.close()
    with suppress(psutil.Error):
        sleep(0.1)


def five_hundreds(place: Place) -> list[str]:
    told = place.told
    found = [f"{times} reads {status}" for status, times in told.statuses.items() if status >= 500 and status != 503]
    return found + [one for one in told.odd if " 50" in one and " 503" not in one and " 507" not in one]
