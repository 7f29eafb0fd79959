"""Do what Django's tasks have to do: send what a store's webhook is told. Beside that, back up and pack histories."""

import os
import signal
import sys
import threading

from django.core.management.base import BaseCommand, CommandParser

from tourney.actions.packed_history import keep_packed
from tourney.backups.actions.keeper import keep_backed_up
from tourney.runtime import embedded
from tourney.runtime.task_worker import work_until


class Command(BaseCommand):
    help = (
        "Send what is due to the stores’ webhooks, make backups and pack the history of old events, until it is "
        "stopped. The server runs one of these; run it yourself only with TASK_WORKER=0."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--until-input-ends", action="store_true", help="stop when the standard input ends, as the server's does"
        )

    def handle(self, *, until_input_ends: bool, **options: object) -> None:
        stopped = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stopped.set())
        if until_input_ends:
            threading.Thread(target=end_with_input, daemon=True).start()
        for keep in (keep_backed_up, keep_packed):
            threading.Thread(target=keep, args=(stopped,)).start()
        work_until(stopped)


def end_with_input() -> None:
    """End this process when whoever started it is gone, however that ended."""
    sys.stdin.buffer.read()
    try:
        embedded.release()
    finally:
        os._exit(0)
