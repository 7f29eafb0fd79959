"""A real HTTP server on this computer for what leaves the program, which answers as it is told."""

import json
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from typing import Any

type Answer = Callable[["Handler"], None]


@dataclass(frozen=True, slots=True)
class Request:
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def data(self) -> Any:
        return json.loads(self.body)


@dataclass
class Receiver:
    """`answers` are given one after the other, then 204 for ever; `received` is what came."""

    port: int
    answers: list[Answer] = field(default_factory=list)
    received: list[Request] = field(default_factory=list)
    arrived: Queue[Request] = field(default_factory=Queue)
    """The same, for who waits for the next."""
    over: threading.Event = field(default_factory=threading.Event)
    """Set when the test is over: who hangs goes on."""
    written: int = 0
    """Bytes that an answer wrote until it was cut off."""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook?key=1"


class Handler(BaseHTTPRequestHandler):
    receiver: Receiver

    def __init__(self, receiver: Receiver, *args: Any) -> None:
        self.receiver = receiver
        super().__init__(*args)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        request = Request(self.path, dict(self.headers), body)
        self.receiver.received.append(request)
        self.receiver.arrived.put(request)
        answer = self.receiver.answers.pop(0) if self.receiver.answers else status(204)
        self.close_connection = True
        answer(self)

    do_GET = do_POST

    def log_message(self, *_: object) -> None:
        pass


def status(code: int, text: str = "", **headers: str) -> Answer:
    """A whole answer."""

    def answer(handler: Handler) -> None:
        handler.send_response(code)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(text.encode())

    return answer


def hang(handler: Handler) -> None:
    handler.receiver.over.wait()


def close(handler: Handler) -> None:
    """End the connection without a word."""


def close_inside(handler: Handler) -> None:
    """End the connection in the middle of the answer's first line."""
    handler.wfile.write(b"HTTP/1.")


def close_in_body(handler: Handler) -> None:
    """End the connection in the middle of an answer that says how long it is."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nTha")


def go_on_for_ever(handler: Handler) -> None:
    """Always something new, so that no read ever waits, and never an answer."""
    try:
        while not handler.receiver.over.is_set():
            handler.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    except OSError:
        pass


def ten_megabytes(handler: Handler) -> None:
    handler.send_response(200)
    handler.end_headers()
    try:
        for _ in range(160):
            handler.receiver.written += handler.wfile.write(b"x" * 65_536)
    except OSError:
        pass


@contextmanager
def receiver(certificate: Path | None = None) -> Iterator[Receiver]:
    """The server, listening on loopback; with TLS where it has a file of certificate and key."""
    found = Receiver(0)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, found))
    server.daemon_threads = False  # each is joined at the end
    if certificate:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    found.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield found
    finally:
        found.over.set()
        server.shutdown()
        server.server_close()
        thread.join()


def certificate_for(name: str, folder: Path) -> Path:
    """A certificate for that host, made just now, and its key, in one file."""
    made = folder / f"{name}.pem"
    asked = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    named = ["-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}"]
    command = ["openssl", "req", "-x509", *asked, *named, "-keyout", "-", "-out", "-"]
    made.write_bytes(subprocess.run(command, capture_output=True, check=True).stdout)
    return made
