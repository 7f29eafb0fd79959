"""Run a command and say what processor time it took with everything that it started: `.ci/cpu.py make test`.

User and system time in seconds of every process that it started and that has ended, the database's and the browser's
with it: who loses its parent becomes a child of this process (Linux), which waits for all of them. What others do on
the same machine is not in it, as it would be on the clock.
"""

import ctypes
import os
import resource
import signal
import subprocess
import sys

PR_SET_CHILD_SUBREAPER = 36


def main(command: list[str]) -> int:
    """The exit code of the command, after all that it started has ended."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)  # the command has it too, and ends as it likes to
    code = subprocess.call(command)
    wait_for_orphans()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{used.ru_utime + used.ru_stime:.0f} s of processor time", flush=True)
    return code


def wait_for_orphans() -> None:
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
