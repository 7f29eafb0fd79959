"""The programs of several hosts, all on this one: PostgreSQL with Patroni and etcd, HAProxy, PgBouncer, Flagship.

Each listens on a free port of the loopback, keeps its files in a folder of its own, and can be killed and started.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from pwd import getpwnam

import psutil
import psycopg

from tests.support.prepared import put_static_files
from tests.support.serving import ROOT, free_port

POSTGRES = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)
NEEDED = {
    "patroni": "patroni",
    "etcd": "etcd-server",
    "pgbouncer": "pgbouncer",
    "haproxy": "haproxy",
    "redis-server": "redis-server",
}
"""Program and Debian's package."""
PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"  # of Debian's daemons
HERE = "127.0.0.1"
START = 120
"""Seconds that a program may take to start."""
PASSWORD = "only-on-this-computer"


def missing() -> list[str]:
    """The packages of Debian without which there is no cluster."""
    found = [package for program, package in NEEDED.items() if not shutil.which(program, path=PATH)]
    return found if POSTGRES else [*found, "postgresql"]


def until(holds: Callable[[], bool], what: str, seconds: float = START) -> float:
    """Wait until that holds; the seconds it took. Raises TimeoutError, which says what did not come about."""
    start = time.monotonic()
    while not holds():
        if time.monotonic() - start > seconds:
            raise TimeoutError(f"{what}: not within {seconds} seconds")
        time.sleep(0.05)
    return time.monotonic() - start


class Program(ABC):
    """A program of one of the hosts; what it says is in `log`."""

    account = "postgres"  # as root; neither PostgreSQL nor PgBouncer runs as that

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(mode=0o755, parents=True)
        self.log = folder / "log"
        self.process: subprocess.Popen | None = None

    @abstractmethod
    def command(self) -> list[str]:
        """What starts it."""

    def environment(self) -> dict[str, str]:
        """What it inherits: nothing of these tests."""
        return {"PATH": PATH, "HOME": str(self.folder), "LC_ALL": "C.UTF-8"}

    @abstractmethod
    def is_up(self) -> bool:
        """Whether it answers."""

    def start(self) -> None:
        """Until it answers."""
        self.begin()
        self.wait()

    def wait(self) -> None:
        until(self.is_up, f"{type(self).__name__} starts. Its log, {self.log}, ends: {self.last_words()}")

    def begin(self) -> None:
        account = {}
        if self.account != "root" and os.geteuid() == 0:
            account = {"user": self.account, "group": getpwnam(self.account).pw_gid, "extra_groups": []}
            for path in (self.folder, *self.folder.iterdir()):
                shutil.chown(path, self.account)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command(),
                cwd=ROOT if self.account == "root" else self.folder,
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                **account,
            )

    def family(self) -> list[psutil.Process]:
        with suppress(psutil.Error, AttributeError):
            main = psutil.Process(self.process.pid)
            return [main, *main.children(recursive=True)]
        return []

    def kill(self) -> None:
        """As a host that loses its power: all of it at once, without a word."""
        for one in self.family():
            with suppress(psutil.Error):
                one.send_signal(signal.SIGKILL)
        if self.process:
            self.process.wait()

    def last_words(self) -> str:
        return self.log.read_text(errors="replace")[-500:] if self.log.exists() else ""


class Etcd(Program):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.port, self.peers = free_port(), free_port()

    def command(self) -> list[str]:
        clients, peers = f"http://{HERE}:{self.port}", f"http://{HERE}:{self.peers}"
        options = {
            "name": "one",
            "data-dir": str(self.folder / "data"),
            "listen-client-urls": clients,
            "advertise-client-urls": clients,
            "listen-peer-urls": peers,
            "initial-advertise-peer-urls": peers,
            "initial-cluster": f"one={peers}",
            "log-level": "error",
        }
        return ["etcd", *(word for name, value in options.items() for word in (f"--{name}", value))]

    def is_up(self) -> bool:
        return status_of(self.port, "/health") == 200


class Postgres(Program):
    """One of the two: whichever is the leader takes writes, the other one has everything before it is acknowledged."""

    SETTINGS = {
        "ttl": 10,
        "loop_wait": 1,
        "retry_timeout": 3,
        "synchronous_mode": True,
        "postgresql": {"use_pg_rewind": True, "parameters": {"max_connections": 100, "shared_buffers": "64MB"}},
    }

    def __init__(self, folder: Path, name: str, etcd: Etcd) -> None:
        super().__init__(folder)
        self.name, self.port, self.rest = name, free_port(), free_port()
        self.configuration = folder / "patroni.yml"
        users = {
            "superuser": {"username": "postgres", "password": PASSWORD},
            "replication": {"username": "replicator", "password": PASSWORD},
            "rewind": {"username": "rewinder", "password": PASSWORD},
        }
        facts = {
            "scope": "flagship",
            "name": name,
            "restapi": {"listen": f"{HERE}:{self.rest}", "connect_address": f"{HERE}:{self.rest}"},
            "etcd3": {"host": f"{HERE}:{etcd.port}"},
            "bootstrap": {
                "dcs": self.SETTINGS,
                "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, "data-checksums"],
            },
            "postgresql": {
                "listen": f"{HERE}:{self.port}",
                "connect_address": f"{HERE}:{self.port}",
                "data_dir": str(folder / "data"),
                "bin_dir": str(POSTGRES),
                "pgpass": str(folder / "pgpass"),
                "authentication": users,
                "basebackup": [{"checkpoint": "fast"}],
                "parameters": {"unix_socket_directories": str(folder)},
                "pg_hba": [
                    "local all all trust",
                    f"host all all {HERE}/32 scram-sha-256",
                    f"host replication all {HERE}/32 scram-sha-256",
                ],
            },
            "watchdog": {"mode": "off"},
        }
        self.configuration.write_text(json.dumps(facts))  # which is YAML too

    def command(self) -> list[str]:
        return ["patroni", str(self.configuration)]

    def is_up(self) -> bool:
        return status_of(self.rest, "/health") == 200

    @property
    def leads(self) -> bool:
        return status_of(self.rest, "/primary") == 200

    @property
    def is_synchronous(self) -> bool:
        """Whether the leader waits for this one before it acknowledges anything."""
        return status_of(self.rest, "/synchronous") == 200

    def connect(self, database: str = "flagship") -> psycopg.Connection:
        return psycopg.connect(
            host=HERE, port=self.port, user="postgres", password=PASSWORD, dbname=database, autocommit=True
        )


class Balancer(Program):
    """HAProxy: one port for the PostgreSQL that leads, one for whichever Flagship answers."""

    def __init__(self, folder: Path, databases: list[Postgres]) -> None:
        super().__init__(folder)
        self.database, self.web, self.databases = free_port(), free_port(), databases
        self.sites = [free_port() for _ in range(3)]

    def command(self) -> list[str]:
        nodes = (f"server {one.name} {HERE}:{one.port} check port {one.rest}" for one in self.databases)
        sites = (f"server site{number} {HERE}:{port} check" for number, port in enumerate(self.sites, 1))
        (self.folder / "haproxy.cfg").write_text(
            f"""
defaults
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout queue 5s
listen database
  mode tcp
  bind {HERE}:{self.database}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
  {"\n  ".join(nodes)}
listen web
  mode http
  bind {HERE}:{self.web}
  option httpchk
  http-check send meth GET uri /health/ ver HTTP/1.1 hdr Host localhost
  http-check expect status 200
  option redispatch
  balance leastconn
  default-server inter 500ms fall 2 rise 1
  {"\n  ".join(sites)}
"""
        )
        return ["haproxy", "-db", "-f", str(self.folder / "haproxy.cfg")]

    def is_up(self) -> bool:
        return status_of(self.web, "/") is not None


class Pooler(Program):
    """PgBouncer in transaction mode, on the way to whoever leads."""

    def __init__(self, folder: Path, behind: int, **more: str) -> None:
        super().__init__(folder)
        self.port = free_port()
        target = {"host": HERE, "port": str(behind), "dbname": "flagship", "user": "flagship", "password": PASSWORD}
        settings = {
            "listen_addr": HERE,
            "listen_port": str(self.port),
            "unix_socket_dir": str(folder),
            "auth_type": "any",
            "admin_users": "flagship",
            "pool_mode": "transaction",
            "max_client_conn": "500",
            "default_pool_size": "20",
            "server_login_retry": "1",
            "server_connect_timeout": "3",
            "query_wait_timeout": "5",
        }
        (folder / "pgbouncer.ini").write_text(
            f"[databases]\nflagship = {' '.join(f'{name}={value}' for name, value in (target | more).items())}\n"
            "[pgbouncer]\n" + "".join(f"{name} = {value}\n" for name, value in settings.items())
        )

    @property
    def url(self) -> str:
        return f"postgresql://flagship@{HERE}:{self.port}/flagship"

    def command(self) -> list[str]:
        return ["pgbouncer", str(self.folder / "pgbouncer.ini")]

    def is_up(self) -> bool:
        with suppress(psycopg.Error):
            psycopg.connect(self.url, connect_timeout=2).close()
            return True
        return False


class Site(Program):
    """Flagship as on a host of its own; `tasks` says whether it is the one that sends to other computers."""

    account = "root"

    def __init__(self, folder: Path, port: int, *, tasks: bool, **settings: str) -> None:
        super().__init__(folder)
        self.port = port
        self.settings = settings | {"TASK_WORKER": str(int(tasks))}

    def command(self) -> list[str]:
        return [sys.executable, "-m", "tourney.serving.serve"]

    def environment(self) -> dict[str, str]:
        ours = {"VAR_DIR": str(self.folder), "PORT": str(self.port), "HOST": HERE, "DEMO": "0", "WORKERS": "1"}
        return super().environment() | {"PYTHONPATH": str(ROOT)} | ours | self.settings

    def begin(self) -> None:
        if not (self.folder / "static").exists():
            put_static_files(self.folder)
        super().begin()

    def is_up(self) -> bool:
        return status_of(self.port, "/health/") == 200


def status_of(port: int, path: str) -> int | None:
    """The status of the answer there; None without one."""
    connection = HTTPConnection(HERE, port, timeout=5)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    except (OSError, HTTPException):
        return None
    finally:
        connection.close()
