"""Nights by dice until the heart is content: python -m tests.soak [--nights 1000000] [--from 0] [--seed 123] [--whole]

Each seed is one night: of pairings alone (tests/support/nights_by_dice.py), or, `--whole`, from registration to the
final ranks (tests/support/nights_in_memory.py). A failure prints its seed first; `--seed` plays that night again, alone
and with the traceback.
"""

import argparse
import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from importlib import import_module
from itertools import batched
from time import monotonic
from traceback import format_exception
from types import ModuleType

import django

from tests.support.nights_by_dice import play_night

BATCH = 50  # small, because those begun are played to their end when somebody stops it
SHOWN = 10


def main() -> int:
    """The exit status: 0 when every night went by the rules."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak")
    parser.add_argument("--nights", type=int, default=1_000_000)
    parser.add_argument("--from", type=int, default=0, dest="first", help="the first seed")
    parser.add_argument("--seed", type=int, help="this night alone")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--whole", action="store_true", help="whole nights in memory, not their pairings alone")
    asked = parser.parse_args()
    if asked.seed is not None:
        print(f"seed {asked.seed}", flush=True)
        (play_whole_night if asked.whole else play_night)(asked.seed)
        print("as the rules want it")
        return 0
    print(f"seeds {asked.first} to {asked.first + asked.nights - 1} in {asked.processes} processes", flush=True)
    play = failures_in_memory if asked.whole else failures
    return play_all(range(asked.first, asked.first + asked.nights), asked.processes, play)


def play_whole_night(seed: int) -> None:
    """Play the night of that seed in memory. Raises AssertionError."""
    with_models().play_in_order(seed)


@cache
def with_models() -> ModuleType:
    """What plays whole nights; models are there only where Django is set up."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tourney.settings")
    django.setup()
    return import_module("tests.support.nights_in_memory")


def play_all(seeds: range, processes: int, play: Callable[[tuple[int, ...]], list[str]]) -> int:
    started, played, failed = monotonic(), 0, 0
    with ProcessPoolExecutor(processes, initializer=leave_stopping_to_the_first) as pool:
        batches = [pool.submit(play, batch) for batch in batched(seeds, BATCH)]
        try:
            for done in as_completed(batches):
                for report in done.result():
                    failed += 1
                    if failed <= SHOWN:
                        print(f"\n{report}", flush=True)
                played = min(played + BATCH, len(seeds))
                rate = f"{played / (monotonic() - started):.0f} a second"
                print(f"\r{played:,} of {len(seeds):,} nights, {rate}, {failed} failed ", end="", flush=True)
        except KeyboardInterrupt:
            print(f"\nstopped after {played:,} nights", end="", flush=True)
            pool.shutdown(cancel_futures=True)
    print()
    return int(failed > 0)


def leave_stopping_to_the_first() -> None:
    """Ctrl-C reaches all processes of a terminal; the one that counts says when to stop."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def failures(seeds: tuple[int, ...]) -> list[str]:
    """A report for each night that went wrong, its seed first."""
    return list(_failures(seeds, play_night))


def failures_in_memory(seeds: tuple[int, ...]) -> list[str]:
    """The same for whole nights."""
    return list(_failures(seeds, play_whole_night))


def _failures(seeds: tuple[int, ...], play: Callable[[int], None]) -> Iterator[str]:
    for seed in seeds:
        try:
            play(seed)
        except Exception as error:
            yield f"seed {seed}\n{''.join(format_exception(error))}"


if __name__ == "__main__":
    sys.exit(main())
