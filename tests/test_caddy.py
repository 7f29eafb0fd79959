"""The Caddyfile of docs/operating.md, run by Caddy in front of the real server, with a certificate of its own."""

import json
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPMessage
from http.cookiejar import CookieJar
from ssl import SSLContext, create_default_context
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, HTTPSHandler, OpenerDirector, Request, build_opener

import pytest

from tests.support.nights import BY
from tests.support.serving import PATIENCE, ROOT, Stream, free_port, night_of_its_own, served
from tourney.actions import rounds
from tourney.models import Attempt

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not shutil.which("caddy"), reason="Caddy is not installed here (apt-get install caddy)"),
]

HERE_ONLY = """{
    admin off
    auto_https disable_redirects
    skip_install_trust
}
"""
"""Of the whole program: it asks nobody for a certificate, and has no other doors."""


@dataclass(frozen=True)
class Site:
    port: int
    tls: SSLContext

    def browser(self) -> OpenerDirector:
        """A browser that trusts Caddy's certificate and keeps cookies."""
        return build_opener(HTTPSHandler(context=self.tls), HTTPCookieProcessor(CookieJar()))

    def url(self, path: str) -> str:
        return f"https://localhost:{self.port}{path}"


@dataclass(frozen=True)
class Page:
    url: str
    status: int
    headers: HTTPMessage
    text: str


def asked(browser: OpenerDirector, url: str, sent: bytes | None = None, **headers: str) -> Page:
    """What that browser is answered, after every redirect."""
    try:
        answer = browser.open(Request(url, sent, headers))
    except HTTPError as refused:
        answer = refused
    with answer:
        return Page(answer.url, answer.status, answer.headers, answer.read().decode())


def documented(port: int, behind: int) -> str:
    """The Caddyfile of the docs for this computer."""
    text = (ROOT / "docs/operating.md").read_text()
    found = re.search(r"```caddyfile\n(.*?)```", text, re.DOTALL)[1]
    own = f"localhost:{port} {{\n    bind 127.0.0.1\n    tls internal"
    made = found.replace("flagship.example {", own).replace("127.0.0.1:8000", f"127.0.0.1:{behind}")
    assert (made.count(own), made.count(str(behind))) == (1, 1)
    return HERE_ONLY + made


@pytest.fixture(scope="module")
def site(django_db_setup, tmp_path_factory) -> Iterator[Site]:
    folder, port = tmp_path_factory.mktemp("caddy"), free_port()
    told = {"HOST": "127.0.0.1", "HTTPS": "1", "ALLOWED_HOSTS": "localhost", "WORKERS": "1"}
    with served(folder, PUBLIC_URL=f"https://localhost:{port}", **told) as running:
        (folder / "Caddyfile").write_text(documented(port, running.port))
        caddy = subprocess.Popen(
            ["caddy", "run", "--config", folder / "Caddyfile", "--adapter", "caddyfile"],
            env={"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)},
            stderr=subprocess.PIPE,
            text=True,
        )
        said = has_certificate(caddy)
        assert caddy.poll() is None, said
        yield Site(port, create_default_context(cafile=str(folder / "caddy/pki/authorities/local/root.crt")))
        caddy.send_signal(signal.SIGTERM)
        caddy.communicate(timeout=PATIENCE)


def has_certificate(caddy: subprocess.Popen[str]) -> str:
    """What it says until it has one for its site, or has ended."""
    said = ""
    for line in caddy.stderr:
        said += line
        if line.startswith("{") and json.loads(line).get("msg") == "certificate obtained successfully":
            break
    return said


@pytest.mark.nightly
def test_a_form_is_sent_over_https_as_from_any_page(site: Site):
    browser = site.browser()
    page = asked(browser, site.url("/sign-in/"))
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)[1]
    sent = urlencode({"csrfmiddlewaretoken": token, "username": "nobody", "password": "not the one"}).encode()

    refused = asked(browser, site.url("/sign-in/"), sent, Origin=site.url(""), Referer=site.url("/sign-in/"))

    assert "; Secure" in page.headers["Set-Cookie"]
    assert refused.status == 422  # a wrong password, not a page of another site


@pytest.mark.nightly
def test_what_visitors_say_of_themselves_is_overwritten(site: Site):
    lies = {"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "http", "X-Request-Id": "mine-12345678"}
    Attempt.objects.all().delete()

    page = asked(site.browser(), site.url("/sign-in/"), **lies)
    refused = asked(site.browser(), site.url("/card/no-such-key/"), **lies)

    assert (page.url, page.status, refused.status) == (site.url("/sign-in/"), 200, 404)
    assert re.fullmatch(r"[0-9a-f-]{36}", page.headers["X-Request-Id"])
    assert [*Attempt.objects.values_list("who", flat=True)] == ["key 127.0.0.1"]


@pytest.mark.nightly
def test_phones_share_one_connection_for_all_pages(site: Site):
    site.tls.set_alpn_protocols(["h2", "http/1.1"])
    try:
        with (
            socket.create_connection(("127.0.0.1", site.port), PATIENCE) as line,
            site.tls.wrap_socket(line, server_hostname="localhost") as secured,
        ):
            assert secured.selected_alpn_protocol() == "h2"
    finally:
        site.tls.set_alpn_protocols(["http/1.1"])


@pytest.mark.nightly
@pytest.mark.parametrize("accepted", ["gzip", "identity"])
def test_streams_arrive_unbuffered(site: Site, accepted: str):
    """Each message is read before the next thing happens."""
    night = night_of_its_own(players=2)
    page = f"/e/{night.event.slug}/"
    stream = Stream(site.port, night.event.slug, of=page, tls=site.tls, Accept_Encoding=accepted)
    heard = [stream.next_version()]
    row = rounds.pair_round(night.event, seed=1, by=BY)
    heard.append(stream.next_version())
    rounds.publish_round(night.event, row.number, by=BY)
    heard.append(stream.next_version())
    stream.close()

    assert heard == sorted({*heard})
