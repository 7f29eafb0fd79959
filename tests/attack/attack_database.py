"""The embedded PostgreSQL dies nine times: it is back within five seconds each time, and nobody waits longer."""

import os
import shutil
import signal
from pathlib import Path
from tempfile import mkdtemp
from time import sleep

import psutil

from tests.attack.attack_kills import five_hundreds
from tests.attack.durable import LONGEST, Place, signal_all
from tests.attack.mutations import SEED

BACK = 5
FROZEN = 8
"""Seconds that the database stands still where it is stopped and not killed."""
KINDS = os.environ.get("KINDS", "").split() or [
    *("postmaster", "backend", "everything", "quit", "fast", "writer", "stop", "frozen", "postmaster"),
]


def attack_database_dies(figures):
    found = figures(f"PostgreSQL killed {len(KINDS)} times (seed {SEED})")
    folder = Path(mkdtemp(prefix="flagship-database-"))
    place = None
    try:
        place = Place(folder, SEED)
        place.start()
        place.come_in(writers=4, readers=4)
        sleep(2)
        for kind in KINDS:
            before = dict(place.told.statuses)
            seconds = away(place, kind)
            met = {status: times - before.get(status, 0) for status, times in place.told.statuses.items()}
            found.say(f"reads while “{kind}”", {status: times for status, times in sorted(met.items()) if times})
            found.at_most(f"back after “{kind}”", seconds, BACK, "s")
            if seconds >= 60:
                break
            sleep(1)
        place.over.set()
        place.stop()
        lost, twice = place.lost()
        told = place.told
        found.say("writes", dict(sorted(told.writes.items())))
        found.say("acknowledged", len(told.kept))
        found.none("acknowledged and lost", lost)
        found.none("acknowledged and there twice", twice)
        found.none(
            "reads other than 200 and 503",
            [f"{times} × {status}" for status, times in told.statuses.items() if status not in (200, 503)],
        )
        found.none("5xx other than a stated 503", five_hundreds(place))
        found.none(f"answers that took more than {LONGEST} s", told.slow)
    finally:
        if place:
            thaw(place)
            place.stop()
        shutil.rmtree(folder, ignore_errors=True)
    found.hold()


def away(place: Place, kind: str) -> float:
    """Do it; seconds until everything is back, measured from the moment at which it can be."""
    database = place.postmaster()
    if database is None:
        return 60
    children = database.children()
    backends = [one for one in children if "[local]" in title(one)]
    match kind:
        case "postmaster":
            signal_all([database], signal.SIGKILL)
        case "backend":
            signal_all(backends[:1], signal.SIGKILL)
        case "everything":
            signal_all([database, *children], signal.SIGKILL)
        case "quit":
            signal_all([database], signal.SIGQUIT)
        case "fast":
            signal_all([database], signal.SIGINT)
        case "writer":
            signal_all(
                [one for one in children if "writer" in title(one) or "checkpointer" in title(one)], signal.SIGKILL
            )
        case "stop":
            freeze([database])
        case "frozen":
            freeze([database, *children])
    sleep(0.2)
    return place.back_after() + 0.2


def freeze(processes: list[psutil.Process]) -> None:
    """They stand still, and go on."""
    signal_all(processes, signal.SIGSTOP)
    sleep(FROZEN)
    signal_all(processes, signal.SIGCONT)


def thaw(place: Place) -> None:
    if database := place.postmaster():
        signal_all([database, *database.children()], signal.SIGCONT)


def title(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""
