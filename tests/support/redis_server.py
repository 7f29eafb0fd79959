"""A Redis of the tests' own, which may be killed, halted and started again."""

import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis import Redis
from redis.backoff import ConstantBackoff
from redis.exceptions import ConnectionError as NotThere
from redis.retry import Retry

from tests.support.serving import free_port

PROGRAM = shutil.which("redis-server") or shutil.which("valkey-server")
PATIENCE = 30  # seconds for it to start


class RedisServer:
    """One that keeps nothing, at `url`."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        self.process: subprocess.Popen | None = None

    def start(self) -> None:
        """Until it answers."""
        assert PROGRAM
        options = {"port": str(self.port), "bind": "127.0.0.1", "save": "", "appendonly": "no", "dir": str(self.folder)}
        command = [PROGRAM, *(word for name, value in options.items() for word in (f"--{name}", value))]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        patient = Retry(ConstantBackoff(0.05), PATIENCE * 20, supported_errors=(NotThere,))
        with Redis.from_url(self.url, retry=patient) as asked:
            assert asked.ping()

    def kill(self) -> None:
        assert self.process
        self.process.kill()
        self.process.wait()

    @contextmanager
    def halted(self) -> Iterator[None]:
        """Meanwhile it takes connections, and answers nothing."""
        assert self.process
        self.process.send_signal(signal.SIGSTOP)
        yield
        self.process.send_signal(signal.SIGCONT)


@contextmanager
def redis_server(folder: Path) -> Iterator[RedisServer]:
    """`with redis_server(folder) as redis`: it runs meanwhile. Skips the test where there is no such program."""
    if PROGRAM is None:
        pytest.skip("No Redis found: install the package redis-server (or valkey-server).")
    server = RedisServer(folder)
    server.start()
    yield server
    server.kill()
