"""Run a command and say what processor time it took with everything that it started: `.ci/cpu.py make test`.

User and system time in seconds of every process that it started and that has ended, the database's and the browser's
with it: who loses its parent becomes a child of this process (Linux), which waits for all of them. What others do on
the same machine is not in it, as it would be on the clock.
"""

import ctypes
import os
import resource
import signal
import sys
from collections.abc import Iterator

PR_SET_CHILD_SUBREAPER = 36


def main(command: list[str]) -> int:
    """The exit code of the command, after all that it started has ended."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    command_id = os.posix_spawnp(command[0], command, os.environ)
    signal.signal(signal.SIGINT, lambda *_: None)  # the command hears Ctrl-C too, and ends as it likes to
    signal.signal(signal.SIGTERM, lambda number, _: os.kill(command_id, number))
    code = 0
    for process_id, status in ended_children():
        if process_id == command_id:
            code = os.waitstatus_to_exitcode(status)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{used.ru_utime + used.ru_stime:.0f} s of processor time", flush=True)
    return code


def ended_children() -> Iterator[tuple[int, int]]:
    """(id, status) of each child, and of each process that became one, as soon as it has ended."""
    while True:
        try:
            yield os.wait()
        except ChildProcessError:
            return


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
