"""The processes of one PostgreSQL data folder: its postmaster, and children that outlive a killed one."""

import signal
import time
from contextlib import suppress
from pathlib import Path

import psutil

STATUS_LINE = 7  # of postmaster.pid, counted from 0: starting, ready, stopping
MOMENT = 3  # seconds that a killed process may take to be gone


def pid_in_file(data: Path) -> int | None:
    """The process id in the server's own file, which a killed server leaves behind."""
    try:
        return int((data / "postmaster.pid").read_text().split("\n")[0])
    except (OSError, ValueError):
        return None


def find(data: Path) -> psutil.Process | None:
    """The running postmaster of that folder, found without its file too, which somebody may have deleted."""
    try:
        named = psutil.Process(pid_in_file(data) or -1)
        if str(data) in named.cmdline():
            return named
    except (psutil.Error, ValueError):
        pass
    return next((one for one in _in(data) if _is_postmaster(one, data)), None)


def is_up(process: psutil.Process) -> bool:
    """Whether it still runs; a child that ended and was not waited for does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def is_stopping(data: Path) -> bool:
    """Whether the server says that it shuts down. A "smart" shutdown waits for its clients, for ever if need be."""
    try:
        return (data / "postmaster.pid").read_text().split("\n")[STATUS_LINE].strip() == "stopping"
    except (OSError, IndexError):
        return False


def resume(*processes: psutil.Process) -> bool:
    """Let those go on that were halted (SIGSTOP); whether there were any. One under a debugger is left alone."""
    halted = [process for process in processes if _status(process) == psutil.STATUS_STOPPED]
    for process in halted:
        _send(process, signal.SIGCONT)
    return bool(halted)


def family(postmaster: psutil.Process) -> list[psutil.Process]:
    """The postmaster and the processes that it made."""
    try:
        return [postmaster, *postmaster.children()]
    except psutil.Error:
        return [postmaster]


def stop(postmaster: psutil.Process, data: Path, patience: float) -> None:
    """End the server in good order ("fast" shutdown); after `patience` seconds by force."""
    resume(*family(postmaster))
    _send(postmaster, signal.SIGINT)
    if not _are_gone([postmaster], patience):
        kill_all(data)


def kill_all(data: Path) -> None:
    """Kill what runs in that folder: a postmaster, and children of one, which hold its memory and its sockets.

    What was acknowledged is in the write-ahead log, from which the next start recovers.
    """
    found = _in(data)
    for process in found:
        _send(process, signal.SIGKILL)
    _are_gone(found, MOMENT)


def _are_gone(processes: list[psutil.Process], patience: float) -> bool:
    """Wait for their end, whether or not their parent has noticed it; whether they ended in so many seconds."""
    give_up = time.monotonic() + patience
    while any(is_up(process) for process in processes):
        if time.monotonic() > give_up:
            return False
        time.sleep(0.02)
    return True


def _in(data: Path) -> list[psutil.Process]:
    """Every process of a PostgreSQL whose working folder is that one, as it is of all its processes."""
    return [process for process in psutil.process_iter() if _works_in(process, data)]


def _works_in(process: psutil.Process, data: Path) -> bool:
    try:
        return process.name().startswith("postgres") and process.cwd() == str(data)
    except (psutil.Error, OSError):
        return False


def _is_postmaster(process: psutil.Process, data: Path) -> bool:
    try:
        return str(data) in process.cmdline()
    except psutil.Error:
        return False


def _status(process: psutil.Process) -> str:
    try:
        return process.status()
    except psutil.Error:
        return ""


def _send(process: psutil.Process, what: signal.Signals) -> None:
    with suppress(psutil.Error):
        process.send_signal(what)
