"""All programs together, as several hosts have them: started in order, broken while phones report, and counted after.

phones ▸ HAProxy ▸ three Flagships ▸ PgBouncer ▸ HAProxy ▸ the PostgreSQL that leads, its standby; Redis tells the news.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from psycopg import sql

from tests.cluster.programs import PASSWORD, Balancer, Etcd, Pooler, Postgres, Program, Site, until
from tests.support.redis_server import RedisServer
from tests.support.serving import ROOT

SECRET_KEY = "the same one on every host, or nobody would stay signed in"


class Cluster:
    """`databases` are the two PostgreSQL, `sites` the three Flagships."""

    def __init__(self, folder: Path) -> None:
        folder.chmod(0o755)
        self.etcd = Etcd(folder / "etcd")
        self.databases = [Postgres(folder / name, name, self.etcd) for name in ("one", "two")]
        self.balancer = Balancer(folder / "haproxy", self.databases)
        self.pooler = Pooler(folder / "pgbouncer", self.balancer.database)
        self.redis = RedisServer(folder)
        settings = {
            "DATABASE_URL": self.pooler.url,
            "PGBOUNCER": "1",
            "BUS_URL": self.redis.url,
            "SECRET_KEY": SECRET_KEY,
        }
        self.settings = settings
        self.sites = [
            Site(folder / f"site{number}", port, tasks=number == 1, **settings)
            for number, port in enumerate(self.balancer.sites, 1)
        ]

    @property
    def programs(self) -> list[Program]:
        return [*self.sites, self.pooler, self.balancer, *self.databases, self.etcd]

    def start(self) -> None:
        """Everything, the standby waited for."""
        one, two = self.databases
        for program in (self.etcd, one):
            program.start()
        until(lambda: one.leads, "A leader is found")
        with one.connect("postgres") as line:
            line.execute(sql.SQL("CREATE ROLE flagship LOGIN PASSWORD {}").format(PASSWORD))
            line.execute("CREATE DATABASE flagship OWNER flagship")
        two.start()
        until(lambda: two.is_synchronous, "The standby is synchronous")
        self.balancer.start()
        self.pooler.start()
        self.redis.start()
        self.run("manage.py", "prepare")
        for site in self.sites:
            site.begin()
        for site in self.sites:
            site.wait()

    def stop(self) -> None:
        for program in self.programs:
            program.kill()
        with suppress(AssertionError):
            self.redis.kill()

    @property
    def leader(self) -> Postgres:
        """Whoever leads. Raises StopIteration where nobody does."""
        return next(one for one in self.databases if one.leads)

    def run(self, *command: str) -> str:
        """What a command says on standard output, with the settings of a site; it has to succeed."""
        done = subprocess.run(
            [sys.executable, *command],
            cwd=ROOT,
            env=self.sites[0].environment(),
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def prepare(self, events: int, players: int, drafts: int) -> dict:
        """Events in play, and who is there."""
        return json.loads(
            self.run("-m", "tests.cluster.prepare", *map(str, (events, players, drafts))).splitlines()[-1]
        )

    def rows(self, query: str) -> list[tuple]:
        """As the one that leads has them now."""
        with self.leader.connect() as line:
            return line.execute(query).fetchall()


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    """`with cluster(folder) as hosts`: all of it runs meanwhile."""
    hosts = Cluster(folder)
    try:
        hosts.start()
        yield hosts
    finally:
        hosts.stop()
