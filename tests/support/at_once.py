"""Several people press at the same moment, on the real database."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from django.db import connection

from tourney.actions.record import Refused


def at_once(*acts: Callable[[], object]) -> list[str]:
    """Run all acts at the same moment, each on its own connection; what each was told ("": done)."""
    barrier = Barrier(len(acts))

    def run(act: Callable[[], object]) -> str:
        try:
            connection.ensure_connection()
            barrier.wait(timeout=60)
            act()
        except Refused as refusal:
            return str(refusal)
        finally:
            connection.close()
        return ""

    with ThreadPoolExecutor(len(acts)) as pool:
        return sorted(pool.map(run, acts))
