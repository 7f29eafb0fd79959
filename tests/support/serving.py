"""The real server, with its two processes: in a folder of its own, or on the database of the tests."""

import os
import signal
import socket
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPMessage, HTTPSConnection
from itertools import count
from pathlib import Path
from ssl import SSLContext
from urllib.parse import urlencode, urlsplit

import psutil
from django.conf import settings
from django.db import connection
from django.db.models import F

from tests.support.nights import Night, make_night
from tests.support.prepared import put_installation, put_static_files
from tourney.models import Event
from tourney.runtime.embedded import Server

ROOT = Path(__file__).parents[2]
UP = "Press Ctrl-C to stop it."
PATIENCE = 60  # seconds after which a server that does not answer has failed
NIGHTS = count(1)
COMES_BACK = 30  # seconds; how fast it has to be is measured elsewhere


class Running:
    """`python -m tourney.serving.run`, read until it says that it runs or until it ends."""

    def __init__(self, folder: Path, port: int, *, module: str = "tourney.serving.run", **more: str):
        self.folder, self.port = folder, port
        environment = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "HOST")}
        environment |= {"VAR_DIR": str(folder), "PORT": str(port), "DEMO": "0"} | more
        self.process = subprocess.Popen(
            [sys.executable, "-m", module],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.said = ""
        for line in self.process.stdout:
            self.said += line
            if UP in line:
                break

    def database(self) -> Server:
        """The embedded server that it uses."""
        return Server(self.folder / "postgres")

    def postmaster(self) -> psutil.Process | None:
        """The main process of the embedded server; None while there is none."""
        return self.database().process()

    def backends(self) -> list[psutil.Process]:
        """The processes of the embedded server that each serve one connection of the site."""
        found = self.postmaster()
        return [one for one in found.children() if any(" [local]" in word for word in one.cmdline())] if found else []

    def workers(self) -> list[psutil.Process]:
        """The processes that answer."""
        children = psutil.Process(self.process.pid).children(recursive=True)
        return [one for one in children if "spawn_main" in command_of(one)]

    def ask(self, path: str, method: str = "GET", **headers: str) -> "Answer":
        """The site's answer; names of headers have _ for -."""
        return ask(self.port, path, method, **headers)

    def statuses_until(self, path: str, status: int = 200) -> list[int]:
        """The statuses of that page, asked for again and again until it is that one; 0 where nobody answers."""
        give_up = time.monotonic() + COMES_BACK
        found = [self._status_of(path)]
        while found[-1] != status and time.monotonic() < give_up:
            found.append(self._status_of(path))
        return found

    def _status_of(self, path: str) -> int:
        try:
            return self.ask(path).status
        except (OSError, HTTPException):
            return 0

    def end(self, how: signal.Signals) -> int:
        """Send the signal; the exit code."""
        self.process.send_signal(how)
        self.said += self.process.stdout.read()
        return self.process.wait()


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: HTTPMessage
    text: str


def ask(port: int, path: str, method: str = "GET", **headers: str) -> Answer:
    connection = HTTPConnection("localhost", port, timeout=COMES_BACK)
    try:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, headers=named | ({"Content-Length": "0"} if method == "POST" else {}))
        answer = connection.getresponse()
        return Answer(answer.status, answer.headers, answer.read().decode())
    finally:
        connection.close()


def send(port: int, path: str, form: dict[str, str], **headers: str) -> Answer:
    """The site's answer to a form."""
    connection = HTTPConnection("localhost", port, timeout=COMES_BACK)
    try:
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", path, urlencode(form), kind | headers)
        answer = connection.getresponse()
        return Answer(answer.status, answer.headers, answer.read().decode())
    finally:
        connection.close()


def installed(folder: Path, port: int, **more: str) -> Running:
    """The server in that folder, with a database of its own, as it is started a second time."""
    put_installation(folder)
    return Running(folder, port, **more)


class Stream:
    """A page that watches an event; `of` is its address, where the stream is to bring its part."""

    def __init__(self, port: int, slug: str, *, of: str = "", tls: SSLContext | None = None, **headers: str):
        over = partial(HTTPSConnection, context=tls) if tls else HTTPConnection
        self.connection = over("localhost", port, timeout=PATIENCE)
        asked = f"?{urlencode({'of': of})}" if of else ""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.connection.request("GET", f"/e/{slug}/live/{asked}", headers=named)
        self.answer = self.connection.getresponse()
        self.unpack = zlib.decompressobj(wbits=31) if self.answer.headers["Content-Encoding"] == "gzip" else None
        self.heard = b""

    def next(self) -> tuple[str, int, str]:
        """The next message: its kind, its id, and its data as a browser joins the lines."""
        while b"\n\n" not in self.heard:
            came = self.answer.read1()
            if not came:
                raise EOFError("the server ended the stream")
            self.heard += self.unpack.decompress(came) if self.unpack else came
        message, _, self.heard = self.heard.partition(b"\n\n")
        fields = [line.split(": ", 1) for line in message.decode().split("\n") if not line.startswith(":")]
        said = {name: value for name, value in fields if name != "data"}
        return said["event"], int(said["id"]), "\n".join(value for name, value in fields if name == "data")

    def next_version(self) -> int:
        """The version that the server says next, or of which it brings the part."""
        return self.next()[1]

    def close(self) -> None:
        self.answer.close()
        self.connection.close()


def on_test_database(folder: Path, port: int, **more: str) -> Running:
    """The server on what the tests commit; who is signed in here is signed in there."""
    put_static_files(folder)
    url = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}").geturl()
    return Running(folder, port, DATABASE_URL=url, SECRET_KEY=settings.SECRET_KEY, **more)


def night_of_its_own(**what) -> Night:
    """At versions that no other test reaches: the server keeps what it knows of an event by id and version."""
    night = make_night(**what)
    Event.objects.filter(pk=night.event.pk).update(version=F("version") + 1000 * next(NIGHTS))
    night.event.refresh_from_db()
    return night


@contextmanager
def served(folder: Path, **more: str) -> Iterator[Running]:
    """`with served(folder) as running`: the server runs meanwhile, on a free port, on what the tests commit."""
    running = on_test_database(folder, free_port(), **more)
    yield running
    running.end(signal.SIGTERM)
    running.process.stdout.close()


def command_of(process: psutil.Process) -> str:
    """Its command line; nothing if it is gone."""
    with suppress(psutil.Error):
        return " ".join(process.cmdline())
    return ""


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("0.0.0.0", 0))
        return free.getsockname()[1]
