"""Counting wrong keys and passwords, in the database, so that all processes count together."""

from datetime import datetime, timedelta

from tourney.models import Attempt

WINDOW = timedelta(minutes=10)


def note(who: str, now: datetime) -> None:
    """One more wrong try; all that are too old to count are deleted."""
    Attempt.objects.filter(at__lte=now - WINDOW).delete()
    Attempt.objects.create(who=who, at=now)


def of(who: str, now: datetime) -> int:
    """How many wrong tries there were within the last ten minutes."""
    return Attempt.objects.filter(who=who, at__gt=now - WINDOW).count()


def forgive(who: str) -> None:
    Attempt.objects.filter(who=who).delete()
