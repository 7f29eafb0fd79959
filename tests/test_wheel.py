"""`make wheel`: what it builds is installed beside the locked packages, and started in an empty folder elsewhere."""

import json
import os
import re
import signal
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Iterator
from http.client import HTTPResponse
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from django.test import Client

from tests.support.serving import ROOT, UP, free_port
from tourney.runtime import installation
from tourney.runtime.embedded import Server

SHIPPED = ("templates", "static", "docs/guide", "docs/rules.md", "manage.py")
"""What is not code, and is looked for where the settings say (`BASE_DIR`)."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """As `make wheel` builds it, elsewhere."""
    folder = tmp_path_factory.mktemp("dist")
    told = ["--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run([sys.executable, "-m", "pip", "wheel", *told], cwd=folder, check=True)
    (found,) = folder.iterdir()
    return found


@pytest.fixture(scope="module")
def flagship(wheel: Path, tmp_path_factory) -> Path:
    """The program in an environment of its own, which knows the locked packages and not this checkout."""
    home = tmp_path_factory.mktemp("installed")
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    told = ["install", "--quiet", "--no-deps", "--no-index", str(wheel)]
    subprocess.run([sys.executable, "-m", "pip", "--python", str(python), *told], check=True)
    packages = sysconfig.get_path("purelib", vars={"base": str(home)})
    Path(packages, "locked.pth").write_text(sysconfig.get_path("purelib"))
    return home / "bin" / "flagship"


class Elsewhere:
    """A folder of somebody who has the program, with a home of its own; `data` is where it keeps what it is told."""

    def __init__(self, flagship: Path, folder: Path):
        self.flagship, self.folder = flagship, folder / "empty"
        self.folder.mkdir()
        self.data = folder / "home" / ".local" / "share" / "flagship"
        self.port = free_port()
        paths = {"PATH": os.defpath, "HOME": str(folder / "home"), "XDG_DATA_HOME": str(self.data.parent)}
        self.environment = paths | {"PORT": str(self.port), "WORKERS": "1"}

    def page(self, path: str, **headers: str) -> HTTPResponse:
        """What is at that address, after every redirect. Raises HTTPError if it is not there."""
        return urlopen(Request(f"http://localhost:{self.port}{path}", headers=headers))

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.flagship, *arguments], cwd=self.folder, env=self.environment, capture_output=True, text=True
        )

    def start(self) -> tuple[subprocess.Popen[str], str]:
        """The server, and what it said until it runs or has ended."""
        process = subprocess.Popen(
            [self.flagship],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        said = ""
        for line in process.stdout:
            said += line
            if UP in line:
                break
        return process, said


@pytest.fixture
def elsewhere(flagship: Path, tmp_path: Path) -> Iterator[Elsewhere]:
    found = Elsewhere(flagship, tmp_path)
    yield found
    Server(found.data / "postgres").remove()


def test_everything_that_the_code_reads_is_in_the_wheel(wheel: Path):
    code = tracked("tourney", "fleets", "scoring")
    shipped = [f"tourney/shipped/{name}" for name in tracked(*SHIPPED)]
    made = [f"tourney/shipped/locale/{name}/LC_MESSAGES/django.mo" for name in languages()]
    made += [f"tourney/shipped/words/words/{name.lower().replace('_', '-')}.json" for name in languages()]

    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}

    assert names == {*code, *shipped, *made}


def test_a_command_without_a_database_needs_none(elsewhere: Elsewhere):
    done = elsewhere.run("version")

    assert (done.returncode, done.stderr) == (0, "")
    assert [*elsewhere.folder.iterdir()] == []


@pytest.mark.django_db
@pytest.mark.parametrize(("is_installed", "named"), [(True, "flagship setup_link"), (False, "manage.py setup_link")])
def test_the_first_page_names_the_command_that_there_is(client: Client, monkeypatch, is_installed: bool, named: str):
    monkeypatch.setattr(installation, "IS_INSTALLED", is_installed)

    assert f"<code>{named}</code>" in client.get("/").content.decode()


@pytest.mark.nightly
def test_it_serves_the_demo_from_an_empty_folder_and_brings_the_commands(elsewhere: Elsewhere):
    process, said = elsewhere.start()
    try:
        assert re.search(rf"Data +{re.escape(str(elsewhere.data))}\n", said), said
        front = elsewhere.page("/").read().decode()
        event = elsewhere.page(re.search(r'href="(/e/[^/"]+/)', front)[1]).read().decode()
        style = elsewhere.page(re.search(r'href="(/static/css/[^"]+)"', event)[1])
        assert "immutable" in style.headers["Cache-Control"]
        german = elsewhere.page("/help/first-night/", **{"Accept-Language": "de"}).read().decode()
        assert "Zum Inhalt springen" in german
        words = elsewhere.page(re.search(r'"(/static/words/de\.[^"]+)"', german)[1])
        assert json.load(words)["said"]
        picture = re.search(r'src="(/static/guide/[^"]+\.webp)"', german)[1]
        assert elsewhere.page(picture).read().startswith(b"RIFF")

        night = elsewhere.run("simulate", "--players", "4", "--seed", "7")
        assert (night.returncode, night.stderr) == (0, "")
        assert night.stdout.startswith("The Last Battle of DS9, 100 SP, after round 3\n")
    finally:
        process.send_signal(signal.SIGINT)
        said += process.stdout.read()
        process.stdout.close()

    assert process.wait() == 0
    assert said.endswith("Stopped. All data is saved.\n")
    assert [*elsewhere.folder.iterdir()] == []


def tracked(*paths: str) -> list[str]:
    """The files of the checkout there that belong to it."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *paths],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()]


def languages() -> list[str]:
    return [path.name for path in (ROOT / "locale").iterdir() if path.is_dir()]
