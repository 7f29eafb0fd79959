"""HTTPS by the server itself (`TLS_CERT`, `TLS_KEY`): pages, cookies, streams; a renewal; what the start says."""

import os
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.client import HTTPResponse, HTTPSConnection
from pathlib import Path

import psutil
import pytest

from tests.support.certificates import OwnCertificate, make_certificate
from tests.support.nights import BY
from tests.support.serving import PATIENCE, Running, Stream, night_of_its_own, served
from tourney.actions import rounds
from tourney.runtime.certificate import Certificate, CertificateIsWrong, own_certificate
from tourney.serving import serve
from tourney.serving.renewal import Renewals

committed = pytest.mark.django_db(transaction=True)

PORT = 8443
NOW = datetime(2026, 11, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Site:
    running: Running
    certificate: OwnCertificate

    def ask(self, path: str, **headers: str) -> HTTPResponse:
        """The answer to somebody who trusts this certificate alone; names of headers have _ for -."""
        line = HTTPSConnection("localhost", self.running.port, context=self.certificate.trusted(), timeout=PATIENCE)
        line.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = line.getresponse()
        answer.read()
        line.close()
        return answer

    def handshake(self, tls: ssl.SSLContext) -> ssl.SSLSocket:
        """A connection that was made, and nothing asked."""
        address = "localhost", self.running.port
        with socket.create_connection(address, PATIENCE) as line:
            return tls.wrap_socket(line, server_hostname="localhost")

    def answers_again(self) -> bool:
        """Whether it answers, as soon as it listens; a worker may just be starting."""
        give_up = time.monotonic() + PATIENCE
        while time.monotonic() < give_up:
            with suppress(ConnectionError):
                return self.ask("/health/").status == 200
        return False


@pytest.fixture(scope="module")
def site(django_db_setup, tmp_path_factory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("https")
    certificate = make_certificate(folder / "tls", "localhost", "127.0.0.1")
    with served(folder, WORKERS="1", **certificate.environment) as running:
        yield Site(running, certificate)


@committed
def test_the_start_says_the_address_of_the_certificate_and_nothing_of_plain_http(site: Site):
    assert f"https://localhost:{site.running.port}\n" in site.running.said
    assert "http://" not in site.running.said


@committed
def test_cookies_are_secure_and_browsers_insist(site: Site):
    answer = site.ask("/sign-in/")

    assert answer.status == 200
    assert "; Secure" in answer.headers["Set-Cookie"]
    assert answer.headers["Strict-Transport-Security"].startswith("max-age=31536000")


@committed
def test_what_a_proxy_would_say_is_not_believed(site: Site):
    answer = site.ask("/sign-in/", X_Forwarded_Proto="http", X_Request_Id="mine-12345678")

    assert answer.status == 200
    assert answer.headers["X-Request-Id"] != "mine-12345678"


@committed
def test_it_speaks_http_1_1_and_tls_from_1_2_on(site: Site):
    tls = site.certificate.trusted()
    tls.set_alpn_protocols(["h2", "http/1.1"])
    with site.handshake(tls) as line:
        assert (line.selected_alpn_protocol(), line.version()) == ("http/1.1", "TLSv1.3")
    tls.maximum_version = ssl.TLSVersion.TLSv1_2
    with site.handshake(tls) as line:
        assert line.version() == "TLSv1.2"


@committed
def test_plain_http_gets_no_page_and_leaves_the_site_as_it_was(site: Site):
    with socket.create_connection(("localhost", site.running.port), PATIENCE) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b"HTTP/" not in line.recv(1000)

    assert site.ask("/health/").status == 200


@committed
def test_a_stream_brings_what_is_published(site: Site):
    night = night_of_its_own(players=2)
    stream = Stream(site.running.port, night.event.slug, tls=site.certificate.trusted())
    first = stream.next_version()
    row = rounds.pair_round(night.event, seed=1, by=BY)
    rounds.publish_round(night.event, row.number, by=BY)

    assert stream.next_version() > first
    stream.close()


@committed
@pytest.mark.nightly
def test_a_renewed_certificate_is_used_and_open_pages_connect_again(site: Site):
    before = site.certificate.trusted()
    night = night_of_its_own(players=2)
    stream = Stream(site.running.port, night.event.slug, tls=before)
    stream.next_version()
    make_certificate(site.certificate.file.parent, "localhost")

    with pytest.raises(EOFError):
        hear_all(stream)
    stream.close()

    assert site.answers_again()
    with pytest.raises(ssl.SSLCertVerificationError):
        site.handshake(before)


@committed
@pytest.mark.nightly
def test_what_is_wrong_with_it_is_said_at_another_start_too(tmp_path: Path):
    certificate = make_certificate(tmp_path / "tls", "localhost")
    with served(tmp_path, WORKERS="1", **certificate.environment) as running:
        certificate.key.write_text("")
        while running.process.poll() is None:
            with suppress(psutil.NoSuchProcess):
                for worker in running.workers():
                    worker.kill()

    assert running.process.returncode == 1
    assert "isn’t the key of the certificate in TLS_CERT." in running.said
    assert "Traceback" not in running.said


def test_a_renewal_is_noticed_once_both_files_are_there(tmp_path: Path, monkeypatch):
    certificate = use(monkeypatch, make_certificate(tmp_path / "live", "localhost"))
    said, reloaded = [], []
    renewals = Renewals(lambda: reloaded.append(own_certificate()), said.append)
    renewals.look()
    assert (said, reloaded) == ([], [])

    new = make_certificate(tmp_path / "new", "localhost")
    new.file.replace(certificate.file)
    renewals.look()
    assert reloaded == []
    assert said == [
        "The server keeps its certificate: the files have changed, and don’t fit. "
        f"TLS_KEY={certificate.key} isn’t the key of the certificate in TLS_CERT. "
        "It has to be a PEM file without a password."
    ]

    new.key.replace(certificate.key)
    renewals.look()
    renewals.look()
    assert (len(reloaded), said[1:]) == (1, ["The certificate was renewed."])


def test_a_link_that_leads_to_other_files_is_a_renewal(tmp_path: Path, monkeypatch):
    """As Certbot renews."""
    links = OwnCertificate(tmp_path / "fullchain.pem", tmp_path / "privkey.pem")
    lead(links, make_certificate(tmp_path / "1", "localhost"))
    use(monkeypatch, links)
    done = []
    renewals = Renewals(lambda: done.append("reloaded"), done.append)
    lead(links, make_certificate(tmp_path / "2", "localhost"))
    renewals.look()

    assert done == ["The certificate was renewed.", "reloaded"]


def test_the_first_name_that_can_be_typed_is_the_address(tmp_path: Path, monkeypatch):
    use(monkeypatch, make_certificate(tmp_path, "*.shop.example", "flagship.shop.example", "192.168.1.20"))
    certificate = own_certificate()

    assert certificate.site(PORT) == "https://flagship.shop.example:8443"
    assert certificate.site(443) == "https://flagship.shop.example"


def test_an_address_of_the_network_will_do(tmp_path: Path, monkeypatch):
    use(monkeypatch, make_certificate(tmp_path, "192.168.1.20"))

    assert own_certificate().site(PORT) == "https://192.168.1.20:8443"


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["*.shop.example"], "is for *.shop.example.\nSay which address people type, such as "),
        ([], "is for no name.\nSay which address people type, such as PUBLIC_URL=https://flagship.example:8443"),
    ],
)
def test_who_has_no_name_is_asked_for_the_address(tmp_path: Path, monkeypatch, names, told):
    use(monkeypatch, make_certificate(tmp_path, *names))
    monkeypatch.delenv("PUBLIC_URL", raising=False)

    with pytest.raises(CertificateIsWrong) as refused:
        serve.take_the_name_of_the_certificate(PORT)

    assert told in str(refused.value)


def test_an_address_that_is_set_stays(tmp_path: Path, monkeypatch):
    use(monkeypatch, make_certificate(tmp_path, "*.shop.example"))
    monkeypatch.setenv("PUBLIC_URL", "https://events.shop.example:8443")

    serve.take_the_name_of_the_certificate(PORT)

    assert os.environ["PUBLIC_URL"] == "https://events.shop.example:8443"


def test_files_that_do_not_do_are_named_with_what_they_have_to_be(tmp_path: Path, monkeypatch):
    made, other = make_certificate(tmp_path / "a", "localhost"), make_certificate(tmp_path / "b", "localhost")
    locked = tmp_path / "locked.pem"
    locked.write_text("-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----\n")

    assert refusal(monkeypatch, made.file, None) == "TLS_CERT and TLS_KEY go together: set both, or neither."
    assert refusal(monkeypatch, tmp_path / "c", made.key) == (
        f"TLS_CERT={tmp_path / 'c'} can’t be read: No such file or directory."
    )
    assert refusal(monkeypatch, made.key, made.key) == (
        f"TLS_CERT={made.key} has no certificate. It has to be a PEM file, with its chain."
    )
    for key in (other.key, locked, made.file):
        assert refusal(monkeypatch, made.file, key) == (
            f"TLS_KEY={key} isn’t the key of the certificate in TLS_CERT. It has to be a PEM file without a password."
        )


@pytest.mark.parametrize(
    ("days", "told"),
    [
        (15, ""),
        (13, "ends on 2026-11-25: renew it"),
        (-1, "ended on 2026-11-11: browsers warn until it is renewed"),
    ],
)
def test_the_start_says_when_a_certificate_ends_soon(days, told):
    certificate = Certificate(Path("c"), Path("k"), (), NOW + timedelta(days=days))

    assert certificate.ending(NOW) == told


@pytest.mark.parametrize(
    ("environment", "host", "is_said"),
    [
        ({}, "0.0.0.0", True),
        ({"PUBLIC_URL": "http://desk.lan:8000"}, "192.168.1.20", True),
        ({}, "127.0.0.1", False),
        ({"PUBLIC_URL": "https://flagship.example"}, "0.0.0.0", False),
        ({"HTTPS": "1"}, "0.0.0.0", False),
    ],
    ids=repr,
)
def test_the_start_says_what_other_devices_miss_over_plain_http(monkeypatch, environment, host, is_said):
    for name in ("PUBLIC_URL", "HTTPS", "TLS_CERT", "TLS_KEY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    assert ("phones can’t read pages offline or get notifications" in serve.welcome(host, 8000, [])) is is_said


def hear_all(stream: Stream) -> None:
    """What it says, until the server ends it with an EOFError."""
    while True:
        stream.next()


def lead(links: OwnCertificate, made: OwnCertificate) -> None:
    """Have the links lead to the files of that certificate."""
    for link, file in ((links.file, made.file), (links.key, made.key)):
        link.unlink(missing_ok=True)
        link.symlink_to(file)


def use(monkeypatch, certificate: OwnCertificate) -> OwnCertificate:
    """The environment names it from now on."""
    for name, value in certificate.environment.items():
        monkeypatch.setenv(name, value)
    return certificate


def refusal(monkeypatch, file: Path, key: Path | None) -> str:
    monkeypatch.setenv("TLS_CERT", str(file))
    monkeypatch.setenv("TLS_KEY", str(key or ""))
    with pytest.raises(CertificateIsWrong) as refused:
        own_certificate()
    return str(refused.value)
