"""Messages to addresses that people typed: to whom no connection is made, and whose certificate is not trusted."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.receiving import Receiver, certificate_for, receiver
from tourney.runtime import outgoing
from tourney.runtime.outgoing import Patience, Trouble, post


@pytest.fixture
def server() -> Iterator[Receiver]:
    with receiver() as there:
        yield there


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1"])
def test_without_leave_this_computer_is_not_connected_to(host: str, server: Receiver):
    answer = post(f"https://{host}:{server.port}/", b"{}", {}, within=Patience())

    assert (answer.trouble, server.received) == (Trouble.NOT_PUBLIC, [])


def test_a_name_that_has_a_private_address_too_is_not_connected_to(server: Receiver, monkeypatch):
    def answers(host: str, port: int, **more: object) -> list[tuple]:
        return [(2, 1, 6, "", (address, port)) for address in ("8.8.8.8", "10.0.0.1")]

    monkeypatch.setattr(outgoing.socket, "getaddrinfo", answers)
    connected = []
    monkeypatch.setattr(outgoing.socket, "create_connection", lambda *asked: connected.append(asked))

    answer = post("https://hooks.example.com/", b"{}", {}, within=Patience())

    assert (answer.trouble, connected) == (Trouble.NOT_PUBLIC, [])


def test_a_name_that_nobody_resolves_is_waited_for_as_long_as_a_connection(monkeypatch):
    is_over = threading.Event()

    def never(*asked: object, **more: object) -> list[tuple]:
        is_over.wait()
        return []

    monkeypatch.setattr(outgoing.socket, "getaddrinfo", never)
    begun = time.monotonic()

    answer = post("https://hooks.example.com/", b"{}", {}, within=Patience(connect=0.2, total=60))

    assert answer.trouble == Trouble.TOO_SLOW
    assert time.monotonic() - begun < 30
    is_over.set()


def test_a_name_that_nobody_has():
    assert post("https://nothing.invalid/", b"{}", {}, within=Patience()).trouble == Trouble.NO_NAME


@pytest.mark.parametrize(
    ("name", "is_trusted", "trouble"),
    [
        ("localhost", True, None),
        ("localhost", False, Trouble.CERTIFICATE),
        ("other.example", True, Trouble.CERTIFICATE),
    ],
)
def test_the_certificate_is_one_that_is_trusted_for_the_name_that_was_typed(
    name: str, is_trusted: bool, trouble: Trouble | None, tmp_path: Path, monkeypatch
):
    certificate = certificate_for(name, tmp_path)
    if is_trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))

    with receiver(certificate) as server:
        answer = post(f"https://localhost:{server.port}/", b"{}", {}, within=Patience(), allow_loopback=True)

    assert (answer.trouble, len(server.received)) == (trouble, 0 if trouble else 1)
