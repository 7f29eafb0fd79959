"""Nights by dice until the heart is content: python -m tests.soak [--nights 1000000] [--from 0] [--seed 123]

Each seed is one whole night (tests/support/nights_by_dice.py). A failure prints its seed first; `--seed` plays that
night again, alone and with the traceback.
"""

import argparse
import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import batched
from time import monotonic
from traceback import format_exception

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
    asked = parser.parse_args()
    if asked.seed is not None:
        print(f"seed {asked.seed}", flush=True)
        play_night(asked.seed)
        print("as the rules want it")
        return 0
    print(f"seeds {asked.first} to {asked.first + asked.nights - 1} in {asked.processes} processes", flush=True)
    return play_all(range(asked.first, asked.first + asked.nights), asked.processes)


def play_all(seeds: range, processes: int) -> int:
    started, played, failed = monotonic(), 0, 0
    with ProcessPoolExecutor(processes, initializer=leave_stopping_to_the_first) as pool:
        batches = [pool.submit(failures, batch) for batch in batched(seeds, BATCH)]
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
    return list(_failures(seeds))


def _failures(seeds: tuple[int, ...]) -> Iterator[str]:
    for seed in seeds:
        try:
            play_night(seed)
        except Exception as error:
            yield f"seed {seed}\n{''.join(format_exception(error))}"


if __name__ == "__main__":
    sys.exit(main())
