"""What the real server itself lets nobody do: endless bodies, headers and addresses, another protocol."""

import socket
from collections.abc import Iterator

import pytest

from tests.support.serving import PATIENCE, served

pytestmark = pytest.mark.django_db(transaction=True)  # what the server's start makes is gone afterwards

PIECE = b"x" * 65_536
MOST_SENT = 60_000_000  # bytes: what is discarded, and what lies in the buffers of the system


@pytest.fixture(scope="module")
def port(django_db_setup, tmp_path_factory) -> Iterator[int]:
    with served(tmp_path_factory.mktemp("server"), WORKERS="1") as running:
        yield running.port


def said(line: socket.socket) -> str:
    """All that the server says until it ends the connection."""
    parts = []
    while True:
        try:
            part = line.recv(65_536)
        except ConnectionResetError:
            break
        if not part:
            break
        parts.append(part)
    return b"".join(parts).decode()


def answer_to(port: int, *sent: bytes) -> str:
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as line:
        line.sendall(b"".join(sent))
        return said(line)


def status_of(answer: str) -> str:
    return answer.partition("\r\n")[0].partition(" ")[2][:3]


@pytest.mark.parametrize(
    ("declared", "piece"),
    [
        (b"Content-Length: 1500000000", PIECE),
        (b"Transfer-Encoding: chunked", b"10000\r\n" + PIECE + b"\r\n"),
    ],
    ids=["declared", "chunked"],
)
def test_a_body_of_gigabytes_is_refused_and_the_connection_ends(port, declared, piece):
    sent = 0
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as line:
        line.sendall(b"POST /sign-in/ HTTP/1.1\r\nHost: localhost\r\n" + declared + b"\r\n\r\n")
        try:
            while sent < 1_500_000_000:
                line.sendall(piece)
                sent += len(piece)
        except (BrokenPipeError, ConnectionResetError):
            pass
        answer = said(line)

    assert sent < MOST_SENT
    assert (status_of(answer), "connection: close" in answer) == ("413", True)
    assert "Send at most 512 kB." in answer


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"a: b\r\n" * 150 + b"\r\n", "431"),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\na: " + b"b" * 40_000 + b"\r\nConnection: close\r\n\r\n", "431"),
        (b"GET /" + b"p" * 70_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", "414"),
        (b"GET /" + b"p" * 2_000 + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "414"),
        (b"GET /%00 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "400"),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\na: \x00\r\n\r\n", "400"),
        (b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n", "400"),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", ""),
    ],
    ids=["many headers", "a long header", "a very long address", "a long address", "%00", "NUL", "no host", "HTTP/2"],
)
def test_what_is_no_request_of_a_browser_is_refused(port, asked, status):
    assert status_of(answer_to(port, asked)) == status


def test_who_asks_whether_to_send_is_told_before_sending(port):
    asked = b"POST /sign-in/ HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 9000000\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as line:
        line.sendall(asked)
        assert line.recv(12) == b"HTTP/1.1 413"
