"""The embedded PostgreSQL that dies is started again, whatever ended it (docs/operating.md)."""

import threading
import time
from collections.abc import Callable

import psutil
import psycopg

from tourney.runtime import disk, postmaster
from tourney.runtime.embedded import DatabaseDidNotStart, Server

LOOK = 0.25  # seconds between two looks at the postmaster; each reads two small files
LOOK_CLOSELY = 2  # seconds between two looks at its children, and two questions whether it lets anybody in
SILENCE = 8  # seconds without any answer, after which it is killed and started again
STEADY = 60  # seconds for which it has to live; until then each further start waits longer than the last
QUICK_STARTS = 3
LONGEST_PAUSE = 4
REPEAT = 60  # seconds after which it is said again why it does not start


class Supervisor:
    """`with Supervisor(server, say):` a thread keeps that server alive; `say` gets a line for each thing that it does.

    A server that is stopped on purpose (`Server.stop`) is left alone, and so is one whose data are gone.
    """

    def __init__(self, server: Server, say: Callable[[str], None]) -> None:
        self.server = server
        self.say = say
        self.postmaster = server.process()
        self.died_at: float | None = None
        self.heard_at = self.looked_closely_at = time.monotonic()
        self.starts: list[float] = []
        self.complained_at = -float(REPEAT)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="supervisor", daemon=True)

    def __enter__(self) -> "Supervisor":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._ended.wait(LOOK):
            try:
                self._look()
            except (DatabaseDidNotStart, psutil.Error, OSError) as error:
                self._complain(error)

    def _look(self) -> None:
        if self.server.is_stopped:
            return
        if self.postmaster is None or not postmaster.is_up(self.postmaster):
            self.postmaster = self.server.process()  # somebody else may have started it
        if self.postmaster is None or postmaster.is_stopping(self.server.data):
            self._start_again()
        elif postmaster.resume(self.postmaster):
            self.say("The database was paused. It is running again.")
        elif time.monotonic() - self.looked_closely_at >= LOOK_CLOSELY:
            self.looked_closely_at = time.monotonic()
            self._look_closely(self.postmaster)

    def _start_again(self) -> None:
        now = time.monotonic()
        if self.died_at is None:
            self.died_at = now
            self.say("The database stopped. Starting it again …")
        if self.starts and now < self.starts[-1] + self._pause(now):
            return
        self.starts.append(now)
        if self.server.revive():
            self.say(f"The database is back after {time.monotonic() - self.died_at:.1f} seconds.")
        self.died_at, self.heard_at = None, time.monotonic()
        self.complained_at = -float(REPEAT)

    def _pause(self, now: float) -> float:
        """Seconds between two starts, more with each of the last minute: it shall not take all of the computer."""
        self.starts = [start for start in self.starts if now - start < STEADY] or self.starts[-1:]
        return min(LOOK * 2.0 ** max(0, len(self.starts) - QUICK_STARTS), LONGEST_PAUSE)

    def _complain(self, error: Exception) -> None:
        now = time.monotonic()
        if now - self.complained_at >= REPEAT:
            self.complained_at = now
            full = "The disk is full. Free some space; Flagship keeps trying.\n" if disk.is_full() else ""
            self.say(f"The database can’t start yet. {full}{error}")

    def _look_closely(self, process: psutil.Process) -> None:
        if postmaster.resume(*postmaster.family(process)):
            self.say("A database process was paused. It is running again.")
        if self._answers():
            self.heard_at = time.monotonic()
        elif time.monotonic() - self.heard_at >= SILENCE:
            self.say(f"The database hasn’t answered for {SILENCE} seconds. Restarting it …")
            self.server.kill()

    def _answers(self) -> bool:
        """Whether it says anything at all; that it starts just now, or has no room for more, is an answer."""
        try:
            psycopg.connect(self.server.url(), connect_timeout=LOOK_CLOSELY).close()
        except psycopg.errors.ConnectionTimeout:
            return False
        except psycopg.Error:
            pass
        return True
