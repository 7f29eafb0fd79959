"""A store moves between two running installations with databases of their own, and a player's phone follows."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.support.serving import ROOT, Answer, Running, ask, free_port, installed, send

KEY = "the-key-of-a-card"
A_NIGHT = f"""
import django; django.setup()
from tests.support.nights import BY, make_night
from tourney.actions import player_cards
night = make_night(players=5, rounds=1)
player = night.event.entrants.select_related("player__store").get(number=2).player
player_cards.issue_with_words(player, by=BY, key={KEY!r})
print(night.store.slug, night.event.slug, player.name, sep="|")
"""
ANOTHER_NIGHT = A_NIGHT.replace(KEY, "the-key-of-another")


@pytest.fixture
def first(tmp_path_factory) -> Iterator[Running]:
    yield from installation(tmp_path_factory.mktemp("first"))


@pytest.fixture
def second(tmp_path_factory) -> Iterator[Running]:
    yield from installation(tmp_path_factory.mktemp("second"))


def installation(folder: Path) -> Iterator[Running]:
    running = installed(folder, free_port())
    yield running
    running.end(15)
    running.process.stdout.close()
    running.database().remove()


def run(at: Running, *arguments: str) -> str:
    """What a program says that runs at that installation."""
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "HOST")}
    environment = kept | {"VAR_DIR": str(at.folder), "DJANGO_SETTINGS_MODULE": "tourney.settings"}
    done = subprocess.run([sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class Phone:
    """A browser that follows wherever it is led, and keeps what each site gave it."""

    def __init__(self) -> None:
        self.cookies: dict[int, dict[str, str]] = {}

    def open(self, address: str) -> tuple[str, Answer]:
        """Where it ends, and the page there."""
        for _ in range(10):
            parts = urlsplit(address)
            answer = ask(parts.port, parts._replace(scheme="", netloc="").geturl(), Cookie=self._held(parts.port))
            self._keep(parts.port, answer)
            if answer.status != 302:
                return address, answer
            to = answer.headers["Location"]
            address = to if to.startswith("http") else f"http://localhost:{parts.port}{to}"
        raise AssertionError(f"led around in circles: {address}")

    def press(self, address: str, page: Answer, **fields: str) -> int:
        """The status after the only button of the page was pressed."""
        port = urlsplit(address).port
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)[1]
        answer = send(port, urlsplit(address).path, fields | {"csrfmiddlewaretoken": token}, Cookie=self._held(port))
        self._keep(port, answer)
        return answer.status

    def _held(self, port: int) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.get(port, {}).items())

    def _keep(self, port: int, answer: Answer) -> None:
        for text in answer.headers.get_all("Set-Cookie", []):
            self.cookies.setdefault(port, {}).update({name: one.value for name, one in SimpleCookie(text).items()})


@pytest.mark.nightly
def test_a_store_moves_to_another_installation_and_a_players_phone_follows(first, second, tmp_path):
    store, event, player = run(first, "-c", A_NIGHT).strip().split("|")
    assert run(second, "-c", ANOTHER_NIGHT).strip().split("|")[:2] == [store, event]
    here, there = (f"http://localhost:{one.port}" for one in (first, second))
    phone, file = Phone(), tmp_path / "store.jsonl.gz"
    address, page = phone.open(f"{here}/card/{KEY}/")
    assert phone.press(address, page) == 302
    assert player in phone.open(f"{here}/e/{event}/me/")[1].text

    run(first, "manage.py", "export_store", store, str(file), "--moved-to", f"{there}/s/moved-here/")
    said = run(second, "manage.py", "import_store", str(file), "--as", "moved-here", "--base-url", there)

    assert f"Link for an owner: {there}/invitation/" in said
    assert f"{store}: 1 event as recorded" in run(second, "manage.py", "prove_history")
    address, page = phone.open(f"{here}/e/{event}/standings/")
    assert (address, page.status) == (f"{there}/e/{event}-2/standings/", 200)
    address, page = phone.open(f"{here}/card/{KEY}/")
    assert address == f"{there}/card/{KEY}/"
    assert player in page.text
    assert phone.press(address, page) == 302
    address, page = phone.open(f"{here}/e/{event}/me/")
    assert (address, page.status) == (f"{there}/e/{event}-2/me/", 200)
    assert player in page.text
    assert phone.open(f"{here}/s/{store}/")[0] == f"{there}/s/moved-here/"
