"""What every start would make anew, made once for each state of the code and copied: empty tables, static files.

Both are kept in `var/prepared`. The cluster has its tables twice: in the database of the site, and in `EMPTY_TABLES`,
which the database of each test process is copied from.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from tourney.runtime.embedded import NAME, Server

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "var" / "prepared"
EMPTY_TABLES = "empty_tables"
CODE = ("tourney/**/*.py", "fleets/**/*.py", "scoring/**/*.py", "requirements.lock")
STATIC = ("static/**/*", "locale/**/*.po", "docs/guide/images/**/*")


def put_database(data: Path) -> None:
    """Make that folder a cluster in which every migration was run; nobody's server uses it yet."""
    with kept("cluster", *CODE) as found:
        copy(found / "postgres", data)


def put_installation(folder: Path) -> None:
    """Make that folder what a first start leaves there: a database with its tables, and the static files."""
    put_database(folder / "postgres")
    put_static_files(folder)


def put_static_files(folder: Path) -> None:
    """Put the static files into that folder as a first start collects them."""
    with kept("static", *CODE, *STATIC) as found:
        copy(found / "static", folder / "static")


@contextmanager
def kept(name: str, *sources: str) -> Iterator[Path]:
    """What `main` makes of that name, from the files of today; nobody replaces it meanwhile."""
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = KEPT / f"{name}-{digest_of(sources)}"
        if not found.exists():
            for other in KEPT.glob(f"{name}-*"):
                shutil.rmtree(other)
            draft = KEPT / f"{name}-draft"
            made_by = [sys.executable, "-m", __name__, name]
            subprocess.run(made_by, cwd=ROOT, env=without_database() | {"VAR_DIR": str(draft)}, check=True)
            draft.rename(found)
        yield found


def digest_of(patterns: tuple[str, ...]) -> str:
    """Another one for each state of the files that fit one of the patterns."""
    files = sorted(path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file())
    digest = sha256()
    for path in files:
        digest.update(sha256(path.read_bytes()).digest() + str(path.relative_to(ROOT)).encode())
    return digest.hexdigest()[:16]


def without_database() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "STATIC_ROOT")}


def copy(source: Path, target: Path) -> None:
    """The same files with the same owners."""
    target.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cp", "-Rp", source, target], check=True)


def main(name: str) -> None:
    """Make it in `VAR_DIR`, in a process of its own."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "tourney.settings"
    import django

    if name == "cluster":
        server = Server(Path(os.environ["VAR_DIR"]) / "postgres", durable=False)
        os.environ["DATABASE_URL"] = server.ensure_running()
        django.setup()
        make_tables(server)
        server.release()
    else:
        from tourney.runtime import collected

        django.setup()
        collected.collect()


def make_tables(server: Server) -> None:
    import psycopg
    from django.db import connection

    from tourney.runtime.database_roles import prepare_database

    prepare_database()
    connection.close()
    with psycopg.connect(server.url("postgres"), autocommit=True) as line:
        line.execute(f"CREATE DATABASE {EMPTY_TABLES} TEMPLATE {NAME}")


if __name__ == "__main__":
    main(sys.argv[1])
