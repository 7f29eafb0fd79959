"""Whether the database answers, as a server process knows it: nobody waits for one that is dead or silent.

One thread holds a connection of its own, whose end says at once that the database died. When a query of anybody takes
longer than a second, the thread asks on its connection; if that is not answered either, the database is silent, and all
who wait for it are let go. So what takes long is never cut, only what has nobody at the other end.
"""

import asyncio
import logging
import os
import selectors
import socket
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Any

import psycopg
from django.conf import settings
from psycopg import pq
from psycopg.abc import PQGen

SLOW = 1.0  # seconds for which a query may last before anybody asks whether the database is still there
SILENCE = 1.0  # seconds in which it has to answer that question
LOOK = 0.25  # seconds between two looks at who waits
LOOK_AGAIN = 0.05  # seconds between two looks of who waits for it to come back
AGAIN = 0.1  # seconds between two attempts to reach it while it is away
CONNECT = 2  # seconds that an attempt may take, the shortest that psycopg knows
NAME = "flagship watch"  # of the connection, for who looks at the database
RESTORED = "restored"  # channel of NOTIFY: the tables are those of a backup now (tourney/runtime/restored.py)
NOT_LOST = "53"  # class of errors of a database that answers and has too little of something

logger = logging.getLogger(__name__)


class Away(psycopg.OperationalError):
    """The database does not answer, and nobody asked it again."""


def hang_up(connection: psycopg.BaseConnection) -> None:
    """End the line of a connection that somebody waits on: that one gets the error of a lost connection."""
    with suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(connection.fileno())) as line:
        line.shutdown(socket.SHUT_RDWR)


class Availability:
    """What this process knows of its database. Until `watch` is called it is taken to be there."""

    def __init__(self) -> None:
        self.is_away = False
        self._present = threading.Event()  # cleared while it is away, or somebody doubts that it is there
        self._present.set()
        self._lock = threading.Lock()
        self._waiting: dict[psycopg.Connection, float] = {}
        self._away_since = 0.0
        self._is_watching = False

    def watch(self, address: Callable[[], dict[str, Any]], renew: Callable[[], None]) -> None:
        """Watch the database at that address from now on; `renew` gets rid of what is from before it died.

        It is called, too, when a backup was restored there.
        """
        self._bell, self._ring = socket.socketpair()
        self._bell.setblocking(False)
        self._ring.setblocking(False)
        self._is_watching = True
        threading.Thread(target=self._watch, args=(address, renew), name="availability", daemon=True).start()

    def refuse_if_away(self) -> None:
        """Raise `Away` instead of waiting in vain."""
        if self.is_away:
            raise Away("the database does not answer")

    def doubt(self) -> None:
        """Have it looked at now: a connection ended, or there was none to be had."""
        if self._is_watching:
            self._present.clear()
            with suppress(BlockingIOError):  # it rings already
                self._ring.send(b"!")

    async def is_back_within(self, seconds: float) -> bool:
        """Whether it is there, now or after so long at most."""
        give_up = time.monotonic() + seconds
        while not self._present.is_set() and time.monotonic() < give_up:
            await asyncio.sleep(LOOK_AGAIN)
        return self._present.is_set()

    # Who waits for an answer.

    def starts_waiting(self, connection: psycopg.Connection) -> None:
        """Note that a query of this connection began. Raises what `refuse_if_away` raises."""
        self.refuse_if_away()
        with self._lock:
            self._waiting[connection] = time.monotonic()

    def stops_waiting(self, connection: psycopg.Connection) -> None:
        """Note that the query of this connection ended."""
        with self._lock:
            self._waiting.pop(connection, None)

    def _longest_wait(self) -> float:
        with self._lock:
            return time.monotonic() - min(self._waiting.values(), default=time.monotonic())

    def _let_go(self) -> None:
        """End the connections of all who wait: they get the error of a lost connection."""
        with self._lock:  # nobody leaves meanwhile, so each descriptor is still that of the connection
            for connection in self._waiting:
                hang_up(connection)

    # The thread.

    def _watch(self, address: Callable[[], dict[str, Any]], renew: Callable[[], None]) -> None:
        options = {**address(), "connect_timeout": CONNECT, "application_name": NAME, "autocommit": True}
        while True:
            try:
                with closing(psycopg.connect(**options)) as line:
                    self._ask(line)  # a pooler lets everybody in, whether there is a database behind it or not
                    if not settings.PGBOUNCER:  # which would listen on a connection that others get
                        line.execute(f"LISTEN {RESTORED}")  # which ends `_listen`, as if the line had been cut
                    self._found(renew)
                    self._listen(line)
            except psycopg.Error as error:
                if not (error.sqlstate or "").startswith(NOT_LOST):
                    self._lost(error)
                time.sleep(AGAIN)

    def _listen(self, line: psycopg.Connection) -> None:
        """Until that connection ends. Raises `Away` when it is silent."""
        with selectors.DefaultSelector() as ready:
            ready.register(line.fileno(), selectors.EVENT_READ)
            ready.register(self._bell, selectors.EVENT_READ)
            while True:
                heard = {key.fileobj for key, _ in ready.select(LOOK)}
                if line.fileno() in heard:
                    return
                if self._bell in heard:
                    self._bell.recv(4096)
                if self._bell in heard or self._longest_wait() > SLOW:
                    self._ask(line)
                    self._present.set()

    def _ask(self, line: psycopg.Connection) -> None:
        line.pgconn.send_query(b"SELECT 1")
        with selectors.DefaultSelector() as ready:
            ready.register(line.fileno(), selectors.EVENT_READ)
            if not ready.select(SILENCE):
                raise Away("the database is silent")
        while answer := line.pgconn.get_result():
            if answer.status != pq.ExecStatus.TUPLES_OK:
                raise Away("the database ended the connection")

    def _lost(self, error: psycopg.Error) -> None:
        if not self.is_away:
            self._away_since = time.monotonic()
            logger.warning("The database does not answer; pages say so and try again. %s", str(error).strip())
        self._present.clear()
        self.is_away = True
        self._let_go()

    def _found(self, renew: Callable[[], None]) -> None:
        renew()
        if self.is_away:
            logger.warning("The database answers again after %.1f seconds.", time.monotonic() - self._away_since)
        self.is_away = False
        self._present.set()


class WatchedConnection(psycopg.Connection):
    """A connection of the pool, whose queries nobody waits for in vain."""

    def wait[Answer](self, gen: PQGen[Answer], *args: Any, **options: Any) -> Answer:
        """The answer that the generator waits for. Raises `Away` at once while the database does not answer."""
        database.starts_waiting(self)
        try:
            return super().wait(gen, *args, **options)
        except psycopg.OperationalError:
            if self.closed:
                database.doubt()
            raise
        finally:
            database.stops_waiting(self)


database = Availability()
