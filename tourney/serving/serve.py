"""The web server, until Ctrl-C. It only serves: `manage.py prepare` comes first, and `make run` calls both."""

import contextlib
import errno
import fcntl
import http.client
import multiprocessing
import os
import signal
import socket
import ssl
import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TextIO

from tourney.runtime import embedded, installation, memory, metrics
from tourney.runtime.certificate import CertificateIsWrong, own_certificate
from tourney.runtime.lan import lan_address
from tourney.runtime.supervisor import Supervisor
from tourney.serving.renewal import Renewals
from tourney.serving.task_worker import TaskWorker
from tourney.serving.worker import AT_ONCE, application

if TYPE_CHECKING:
    from granian.server.common import AbstractServer

type Rows = list[tuple[str, str]]
"""Lines of the greeting, each with its label."""

USUAL_PORT = 8000
WORKERS = 3  # at most; one for each core
CONNECTIONS = "8"  # to the database, from each worker; more requests than that wait for one another
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # and how to reach it from here
HEADERS_WITHIN = 15_000  # milliseconds until a request has said what it wants, and until a line without one ends
READ_AT_ONCE = 65_536  # bytes of each connection that are read ahead, and the longest that address and headers can be
ENOUGH_SECONDS_TO_ANSWER = 3  # what a request in progress gets when the server stops
SECONDS_BEFORE_ANOTHER_START = 0.5  # of a server that ended by itself


class CannotRun(Exception):
    """The server cannot start; the message says what to do."""


def main(prepare: Callable[[str], Rows] | None = None) -> int:
    """Serve until Ctrl-C or SIGTERM; 0 after an orderly stop.

    `prepare` is called with the site's address once the database answers, and returns lines of the greeting; without
    it nothing is prepared here, and a server that would have to is refused.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        host, port = address()
        take_the_name_of_the_certificate(port)
        with only_server_of_this_folder(f"{scheme()}://{local(host)}:{port}"):
            check_port(host, port)
            if host in EVERYWHERE and not os.environ.get("PUBLIC_URL"):
                os.environ["LAN_PORT"] = str(port)  # for codes on pages opened at “localhost”
            links = get_ready(os.environ.get("PUBLIC_URL") or f"http://{local(host)}:{port}", prepare)
            with supervised_database(), task_worker():
                serve(host, port, welcome(host, port, links))
    except (CannotRun, CertificateIsWrong, embedded.DatabaseDidNotStart) as error:
        say(f"\n{error}\n", sys.stderr)
        return 1
    except KeyboardInterrupt:
        pass
    say("\nStopping …")
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    embedded.release()
    say("Stopped. All data is saved.")
    return 0


def address() -> tuple[str, int]:
    """`HOST` and `PORT`: every interface and 8000 unless the environment says otherwise. Raises CannotRun."""
    port = os.environ.get("PORT") or str(USUAL_PORT)
    if not port.isdigit() or not 0 < int(port) < 65536:
        raise CannotRun(f"PORT={port} isn't a port. Choose a number between 1024 and 65535, such as PORT=8001.")
    return os.environ.get("HOST") or "0.0.0.0", int(port)


def take_the_name_of_the_certificate(port: int) -> None:
    """With a certificate of our own that is where the site is, unless the environment says so.

    Raises CertificateIsWrong.
    """
    if (certificate := own_certificate()) and not os.environ.get("PUBLIC_URL"):
        os.environ["PUBLIC_URL"] = certificate.site(port)


def scheme() -> str:
    """What we speak ourselves; a proxy in front may speak another."""
    return "https" if os.environ.get("TLS_CERT") else "http"


@contextlib.contextmanager
def only_server_of_this_folder(url: str) -> Iterator[None]:
    """Keep a second server away from the same `VAR_DIR`: it would only confuse the people in front of it.

    Raises CannotRun.
    """
    embedded.var_dir().mkdir(parents=True, exist_ok=True)
    with (embedded.var_dir() / "run.lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise CannotRun(
                f"Flagship is already running from this folder: {lock.read().strip()}\n"
                "Open that address, or press Ctrl-C in its window to stop it."
            ) from None
        lock.truncate(0)
        lock.write(f"{url} (process {os.getpid()})\n")
        lock.flush()
        yield


def check_port(host: str, port: int, patience: float = 5) -> None:
    """Raise `CannotRun` if we cannot listen there. A server that was killed gets a moment to let go."""
    give_up = time.monotonic() + patience
    while True:
        try:
            with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((host, port))
            return
        except OSError as error:
            if error.errno == errno.EADDRINUSE and time.monotonic() < give_up:
                time.sleep(0.1)
                continue
            raise CannotRun(why_not_there(error, host, port)) from None


def why_not_there(error: OSError, host: str, port: int) -> str:
    """Why the server cannot listen there, in sentences with a way out."""
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {port} is in use by another program on this computer.\n"
            f"Stop that program, or choose another port: {installation.start(port + 1 if port < 65535 else 8000)}"
        )
    if error.errno == errno.EACCES:
        return f"Port {port} is reserved for administrators. Choose one from 1024 up: {installation.start(USUAL_PORT)}"
    return f"This computer can’t listen at HOST={host} ({error.strerror}). Leave HOST out to listen on every network."


def get_ready(url: str, prepare: Callable[[str], Rows] | None) -> Rows:
    """What has to be there before the first answer; the lines that the greeting gets. Raises CannotRun."""
    open_database()
    rows = prepare(url) if prepare else check_prepared()
    tidy_up()
    close_connections()
    return rows


def open_database() -> None:
    """Set Django up, with a database that answers: the embedded one is started. Raises CannotRun."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tourney.settings")
    if embedded.is_used():
        if not (embedded.var_dir() / "postgres").exists():
            say("First start: creating the database …")
        embedded.ensure_running()

    import django
    from django.db import OperationalError, connection

    django.setup()
    try:
        connection.ensure_connection()
    except OperationalError as error:
        raise CannotRun(f"The database of DATABASE_URL doesn’t answer:\n{error}") from None


def check_prepared() -> Rows:
    """No lines. Raises `CannotRun` if `manage.py prepare` has something to do first."""
    from tourney.runtime import collected, tables

    if not tables.are_up_to_date():
        raise CannotRun(tables.OUT_OF_DATE)
    if not collected.are_up_to_date():
        again = installation.command("prepare")
        raise CannotRun(f"The static files here are missing or out of date. Run “{again}” first.")
    return []


def close_connections() -> None:
    """Hold none: the server's processes have their own."""
    from django.db import connections

    connections.close_all()


def tidy_up() -> None:
    """Delete what has had its time, with Django set up."""
    from django.utils import timezone

    from tourney.serving.housekeeping import tidy

    tidy(timezone.now())


def supervised_database() -> contextlib.AbstractContextManager[Supervisor | None]:
    """The embedded database is started again meanwhile when it dies; for one's own PostgreSQL that is not our task."""
    return Supervisor(embedded.server(), say) if embedded.is_used() else contextlib.nullcontext()


def task_worker() -> contextlib.AbstractContextManager[TaskWorker | None]:
    """The process that does what takes longer than a page may; with `TASK_WORKER=0` it runs elsewhere if at all."""
    return contextlib.nullcontext() if os.environ.get("TASK_WORKER") == "0" else TaskWorker(say)


def welcome(host: str, port: int, links: Rows) -> str:
    """The block that the organizer reads when the server answers."""
    rows = [*addresses(host, port), *where_data_is(), ("", ""), *links, *([("", "")] if links else [])]
    lines = [f"  {name:<18} {value}".rstrip() for name, value in rows]
    end = [*what_plain_http_cannot(host), "  Press Ctrl-C to stop it. All data is saved.\n"]
    return "\n".join(["\n  Flagship is running.\n", *lines, *end])


def what_plain_http_cannot(host: str) -> list[str]:
    """Two lines for who serves other devices without HTTPS."""
    public = os.environ.get("PUBLIC_URL", "")
    if public.startswith("https:") or os.environ.get("HTTPS") == "1" or not (public or host in EVERYWHERE):
        return []
    return [
        "  Other devices use plain HTTP here, so phones can’t read pages offline or get notifications, and TVs",
        "  can’t keep themselves awake. Everything else works. For HTTPS see docs/operating.md, “HTTPS”.\n",
    ]


def addresses(host: str, port: int) -> Rows:
    """The addresses under which the site can be opened, each with its label."""
    if public := os.environ.get("PUBLIC_URL"):
        ending = certificate.ending(datetime.now(UTC)) if (certificate := own_certificate()) else ""
        return [("Address", public), *([("Certificate", ending)] if ending else [])]
    here = ("On this computer", f"http://{local(host)}:{port}")
    if host not in EVERYWHERE:
        return [here]
    phones = lan_address()
    return [here, ("On phones", f"http://{phones}:{port}" if phones else "connect this computer to the Wi-Fi first")]


def where_data_is() -> list[tuple[str, str]]:
    """The folder of all data, where nobody knows it from the checkout that they started."""
    return [("Data", str(embedded.var_dir()))] if installation.IS_INSTALLED else []


def local(host: str) -> str:
    """The host as a URL on this computer writes it."""
    return "localhost" if host in EVERYWHERE else f"[{host}]" if ":" in host else host


def serve(host: str, port: int, greeting: str) -> None:
    """Run the ASGI server until a signal; print `greeting` when it answers.

    Granian starts a worker again that dies, but ends with all of them where one dies twice within seconds. Nobody
    asked for that: the whole server is started once more, unless it never answered. Raises CannotRun.
    """
    multiprocessing.set_start_method("spawn")
    os.environ.setdefault("DATABASE_POOL", CONNECTIONS)  # a worker answers many requests at once
    os.environ.setdefault("CACHE_MB", str(memory.for_caches(memory.of_machine(), workers())))
    if os.environ.get("METRICS_TOKEN"):
        metrics.make_folder(embedded.var_dir() / "metrics")
    greeter = threading.Thread(target=greet, args=(host, port, greeting), daemon=True)
    greeter.start()
    while not serve_until_it_ends(host, port):
        if greeter.is_alive():
            raise CannotRun("The server stopped before it answered. The reason is above.")
        say("The server stopped unexpectedly. Starting it again …", sys.stderr)
        time.sleep(SECONDS_BEFORE_ANOTHER_START)


def serve_until_it_ends(host: str, port: int) -> bool:
    """Whether a signal ended it; then it is over for good."""
    server = make_server(host, port)
    # A closed terminal window is a wish to stop; Granian would take it for a wish to reload.
    server.on_startup(lambda: signal.signal(signal.SIGHUP, server.signal_handler_interrupt))
    server.on_reload(lambda: use_certificate(server))
    with Renewals(server.signal_handler_reload, say), contextlib.suppress(SystemExit):
        server.serve(target_loader=application, wrap_loader=False)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)  # as it was: its own would be heard by nobody
    is_over: bool = server.interrupt_signal
    return is_over


def make_server(host: str, port: int) -> "AbstractServer[Any]":
    """The ASGI server, not started yet."""
    from granian import Granian
    from granian.constants import HTTPModes, Interfaces
    from granian.http import HTTP1Settings
    from granian.log import LogLevels

    server = Granian(
        "tourney.serving.asgi:application",
        address=host,
        port=port,
        interface=Interfaces.ASGINL,
        workers=workers(),
        backpressure=AT_ONCE,
        http=HTTPModes.http1,  # a proxy speaks that too, and there is one set of limits
        http1_settings=HTTP1Settings(header_read_timeout=HEADERS_WITHIN, max_buffer_size=READ_AT_ONCE),
        workers_kill_timeout=ENOUGH_SECONDS_TO_ANSWER,
        respawn_failed_workers=True,
        log_level=LogLevels.warning,
        log_dictconfig=like_our_log(),
        websockets=False,
    )
    use_certificate(server)
    return server


def like_our_log() -> dict[str, Any]:
    """What Granian logs is written as everything else is."""
    kind = "OneJson" if os.environ.get("LOG_FORMAT") == "json" else "OneLine"
    return {"formatters": {"generic": {"()": f"tourney.runtime.request_log.{kind}"}, "access": {}}}


def use_certificate(server: "AbstractServer[Any]") -> None:
    """Workers that start from now on speak HTTPS with the files of now, if there are any."""
    from granian.constants import SSLProtocols

    if certificate := own_certificate():
        of_tvs_too = SSLProtocols.tls12
        server.build_ssl_context(certificate.file, certificate.key, None, of_tvs_too, None, [], False)


def workers() -> int:
    """How many processes answer."""
    return int(os.environ.get("WORKERS") or min(WORKERS, cores()))


def cores() -> int:
    """How many processors this process may use; what gives it fewer than the machine has is not known everywhere."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def greet(host: str, port: int, greeting: str) -> None:
    """Print the greeting as soon as the server answers."""
    while not answers(host, port):
        time.sleep(0.05)
    say(greeting)


def answers(host: str, port: int) -> bool:
    """Whether the site, database included, is there for a visitor from this computer."""
    allowed = os.environ.get("ALLOWED_HOSTS", "").replace(",", " ").split()
    name = allowed[0].lstrip(".") if allowed and allowed[0] != "*" else "localhost"
    connection = connection_to_ourselves(EVERYWHERE.get(host, host), port)
    try:
        connection.request("GET", "/health/", headers={"Host": name, "X-Forwarded-Proto": "https"})
        return connection.getresponse().status < 500
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def connection_to_ourselves(host: str, port: int) -> http.client.HTTPConnection:
    """Over HTTPS if we have a certificate, which is for another name than that of this computer."""
    if scheme() == "http":
        return http.client.HTTPConnection(host, port, timeout=5)
    whoever = ssl.create_default_context()
    whoever.check_hostname, whoever.verify_mode = False, ssl.CERT_NONE
    return http.client.HTTPSConnection(host, port, timeout=5, context=whoever)


def say(text: str, stream: TextIO | None = None) -> None:
    """Print a line at once; a closed terminal is no error."""
    with contextlib.suppress(OSError):  # nobody reads any more: the window was closed
        print(text, file=stream or sys.stdout, flush=True)


if __name__ == "__main__":
    sys.exit(main())
