"""Counting wrong keys and passwords, in the database, so that all processes count together.

A try is counted before it is made, so that thirty at the same moment are not all tried. Who is over a limit writes
nothing, so that a flood fills no table: of each address there are no more rows than its limits allow.
"""

from collections.abc import Mapping
from datetime import datetime

from django.db import connection, transaction

from tourney.models import Attempt
from tourney.queries.attempts import WINDOW, is_full

MOST_ROWS = 200_000
"""Of all addresses; the oldest go first. About 20 MB."""
LOCK = 5107  # any number, as long as it is this lock's alone


def reserve(limits: Mapping[str, int], now: datetime) -> dict[str, int] | None:
    """Count one more try for each of these, as the primary keys of the rows; None if one of them had its limit before.

    The first is the widest. Those who count for it at the same moment wait for one another, for a few small queries.
    """
    if is_full(limits, now):
        return None  # most of a flood ends here, without a lock
    widest = next(iter(limits))
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [LOCK, widest])
        if is_full(limits, now):
            return None
        Attempt.objects.filter(who__in=limits, at__lte=now - WINDOW).delete()
        rows = Attempt.objects.bulk_create(Attempt(who=who, at=now) for who in limits)
    return {row.who: row.pk for row in rows}


def count(who: str, most: int, now: datetime) -> bool:
    """Count one more wrong try; False if there had been `most` before, and nothing was written."""
    return reserve({who: most}, now) is not None


def reset(who: str) -> None:
    """Forget the wrong tries that were counted."""
    Attempt.objects.filter(who=who).delete()


def uncount(pk: int) -> None:
    """This one try was not wrong."""
    Attempt.objects.filter(pk=pk).delete()


def sweep(now: datetime) -> None:
    """Delete what is too old to count, and what is more than there is room for."""
    Attempt.objects.filter(at__lte=now - WINDOW).delete()
    newest = Attempt.objects.order_by("-pk").values_list("pk", flat=True).first()
    if newest is not None:
        Attempt.objects.filter(pk__lte=newest - MOST_ROWS).delete()
