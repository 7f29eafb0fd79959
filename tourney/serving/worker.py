"""A worker process of the web server: it answers requests until the main process ends it, or is gone."""

import asyncio
import atexit
import multiprocessing
import os
import resource
import signal
import socket
import threading
from typing import TYPE_CHECKING, Any

from tourney.runtime import embedded
from tourney.runtime.garbage import collect_less_garbage

if TYPE_CHECKING:
    from psycopg_pool import ConnectionPool

    from tourney.serving.front_door import FrontDoor

AT_ONCE = 8192  # connections of each worker: every open page holds one for its stream (tourney/serving/live.py)
TAKEN_WITHIN = 60_000  # milliseconds for which a visitor may take nothing of an answer, or of a stream


def application() -> "FrontDoor":
    """The ASGI application, in a worker process that ends when the server's main process is gone."""
    allow_open_files(AT_ONCE + 1024)
    os.setsid()  # Ctrl-C is for the main process, which then stops us in good order
    # The last thing at exit: Granian's threads would panic on an interpreter that takes itself apart.
    atexit.register(os._exit, 0)
    if embedded.is_used():
        embedded.hold()
    threading.Thread(target=end_with_parent, daemon=True).start()

    from tourney.runtime import metrics
    from tourney.runtime.availability import database
    from tourney.runtime.bus import database_address
    from tourney.serving.asgi import application
    from tourney.serving.housekeeping import keep_tidy

    threading.Thread(target=keep_tidy, daemon=True).start()

    start_streams_over_when_restored(application)
    database.watch(database_address, renew_connections)
    metrics.begin(pool, lambda: database.is_away)
    end_streams_when_stopped(application)
    asyncio.get_event_loop().call_soon(end_what_nobody_takes)  # once Granian listens
    collect_less_garbage()
    return application


def renew_connections() -> None:
    """Drop all connections of the pool: the database has been away, and they are dead; or it is another one now."""
    import psycopg

    from tourney.runtime import restored
    from tourney.runtime.bus import database_address

    if found := pool():
        found.drain()
    with psycopg.connect(**database_address(), autocommit=True) as line:
        restored.seen.look(line)


def pool() -> "ConnectionPool[Any] | None":
    """The pool of connections of this process, if it has one that is open."""
    from django.db import DEFAULT_DB_ALIAS, connections
    from django.db.backends.postgresql.base import DatabaseWrapper

    connection = connections[DEFAULT_DB_ALIAS]
    found: ConnectionPool[Any] | None = connection.pool if isinstance(connection, DatabaseWrapper) else None
    return found if found and not found.closed else None


def start_streams_over_when_restored(application: "FrontDoor") -> None:
    """Once a backup took the place of the database, every open page asks for what is there now."""
    from tourney.runtime import restored

    loop = asyncio.get_event_loop()

    def start_over() -> None:
        loop.call_soon_threadsafe(application.start_over)

    restored.seen.do_too = start_over


def end_streams_when_stopped(application: "FrontDoor") -> None:
    """Granian waits for the answers in progress, and a stream has no end of its own. Its handler runs as well."""
    loop = asyncio.get_event_loop()

    def end_streams(*_: object) -> None:
        loop.call_soon_threadsafe(application.close)

    loop.call_soon(signal.signal, signal.SIGTERM, end_streams)  # once Granian has set its own


def end_what_nobody_takes() -> None:
    """Have the system end connections whose other end takes nothing; Granian would wait for it for ever.

    They have this from the socket on which this process listens, which Granian opens and gives to nobody.
    """
    import psutil

    if not hasattr(socket, "TCP_USER_TIMEOUT"):  # only Linux has it
        return
    for one in psutil.Process().net_connections("tcp"):
        if one.status == psutil.CONN_LISTEN:
            with socket.socket(fileno=os.dup(one.fd)) as listening:
                listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, TAKEN_WITHIN)


def allow_open_files(wanted: int) -> None:
    """Every connection is an open file; many systems begin with 256 or 1,024 and allow more to who asks."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def end_with_parent() -> None:
    """End this process with its parent, without which nobody would stop it; the last worker stops the database too."""
    if parent := multiprocessing.parent_process():
        parent.join()
    try:
        embedded.release()
    finally:  # the database may have been killed too
        os._exit(1)
