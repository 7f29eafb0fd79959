"""Whether there were too many wrong keys and passwords of late."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from tourney.models import Attempt

WINDOW = timedelta(minutes=10)


def is_full(limits: Mapping[str, int], now: datetime) -> bool:
    """Whether one of these had its limit of wrong tries before."""
    tried = Attempt.objects.filter(who__in=limits, at__gt=now - WINDOW).values_list("who", flat=True)
    found = list(tried)
    return any(found.count(who) >= most for who, most in limits.items())
