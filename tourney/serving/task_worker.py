"""The process that does what takes longer than a page may (`manage.py worker`), as long as the server runs."""

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Self

from tourney.runtime import installation

SECONDS_BEFORE_ANOTHER_START = 5
ENOUGH_SECONDS_TO_STOP = 3  # for what it sends just now; else that is sent again after the next start


class TaskWorker:
    """A context manager: inside it there is such a process, started again where one ends.

    It holds the end of a pipe of ours, so that it ends with this process, however that ends.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say
        self.process: subprocess.Popen[bytes] | None = None
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._keep_running, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        if self.process:
            self._stop(self.process)
        self._thread.join()

    def _keep_running(self) -> None:
        while not self._ended.is_set():
            self.process = self.start("worker", "--until-input-ends")
            if self._ended.is_set():  # between the two lines above
                self._stop(self.process)
            self.process.wait()
            if not self._ended.wait(SECONDS_BEFORE_ANOTHER_START):
                self.say("The process that sends to webhooks stopped unexpectedly. Starting it again …")

    def start(self, *command: str) -> subprocess.Popen[bytes]:
        """Start that command in a session of its own: Ctrl-C in the terminal reaches us, and we stop it in good order.

        Neither it nor what it starts brings up a database that somebody stopped.
        """
        without_pool = {name: value for name, value in os.environ.items() if name != "DATABASE_POOL"}
        return subprocess.Popen(
            [sys.executable, str(installation.FILES / "manage.py"), *command],
            stdin=subprocess.PIPE,
            env=without_pool | {"BESIDE_SERVER": "1"},
            start_new_session=True,
        )

    def _stop(self, process: subprocess.Popen[bytes]) -> None:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(ENOUGH_SECONDS_TO_STOP)
        process.kill()
        process.wait()
