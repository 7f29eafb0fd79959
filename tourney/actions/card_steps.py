"""Counting what each player's card does, in the database, so that all processes count together."""

from datetime import datetime, timedelta
from math import ceil

from django.db import connection

from tourney.models import CardSteps

MOST = 300
WITHIN = timedelta(minutes=10)
"""What one card may do in so long: something every other second, all the time. Then it is counted anew."""

COUNT = """
    INSERT INTO tourney_cardsteps AS known (player_id, since, done) VALUES (%(player)s, %(now)s, 1)
    ON CONFLICT (player_id) DO UPDATE SET
        since = CASE WHEN known.since > %(over)s THEN known.since ELSE excluded.since END,
        done = CASE WHEN known.since > %(over)s THEN known.done + 1 ELSE 1 END
    WHERE known.since <= %(over)s OR known.done < %(most)s
"""
"""Of a table that is not logged: nobody waits for the disk."""


class TooManySteps(Exception):
    """A card did more than anybody does by hand; nothing was saved. `seconds` later it goes on."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


def count(player: int, now: datetime) -> None:
    """One more of this player's. Raises TooManySteps, and writes nothing then."""
    with connection.cursor() as cursor:
        cursor.execute(COUNT, {"player": player, "now": now, "over": now - WITHIN, "most": MOST})
        if cursor.rowcount:
            return
    since = CardSteps.objects.values_list("since", flat=True).filter(pk=player).first() or now
    raise TooManySteps(ceil((since + WITHIN - now).total_seconds()))


def sweep(now: datetime) -> None:
    """Delete what is counted anew anyway."""
    CardSteps.objects.filter(since__lte=now - WITHIN).delete()
